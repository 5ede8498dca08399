"""A game's stream is never trimmed, edited or deleted by this program (H10)."""

import re
from importlib.resources import files

from events.store import EventStore, connect
from events.store.keys import game_keys
from events.store.streams import FEED_LENGTH
from tests.integration.store.moves import add, new_game
from tests.support.valkey import Valkey


def test_no_command_of_the_store_shortens_a_stream() -> None:
    sources = {file.name: file.read_text() for file in files("events.store").iterdir() if file.is_file()}
    assert "append.lua" in sources
    for name, text in sources.items():
        assert not re.search(r"""["'](XDEL|XTRIM|XSETID|DEL|UNLINK|RENAME|FLUSHALL|FLUSHDB|EXPIRE)["']""", text), name
    trimming = [line for text in sources.values() for line in text.splitlines() if "'MAXLEN'" in line]
    assert [line.split(",")[:2] for line in trimming] == [["redis.call('XADD'", " FEED"]]


def test_the_feed_is_trimmed_and_the_stream_is_not(server: Valkey) -> None:
    store, game = EventStore(connect(server.url)), new_game()
    with server.admin() as admin:
        pipeline = admin.pipeline(transaction=False)
        for number in range(FEED_LENGTH + 1000):
            pipeline.xadd(game_keys(game).feed, {"g": "other", "v": number})
        pipeline.execute()
        add(store, game, *(b"%d" % number for number in range(300)))
        assert FEED_LENGTH <= admin.xlen(game_keys(game).feed) < FEED_LENGTH + 500
    assert len(store.read(game)) == 300
