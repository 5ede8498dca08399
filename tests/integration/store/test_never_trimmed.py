"""A game's stream is never trimmed, edited or deleted by this program (H10)."""

import re
from importlib.resources import files

from events.store import Store, connect
from events.store.keys import game_keys
from events.store.streams import FEED_LENGTH
from tests.integration.store.moves import add, new_game
from tests.support.valkey import Valkey

COUNTED_ANEW = "redis.call('DEL', COUNTED, FIGURES, DAYS)"
"""What is deleted is no stream: the statistics are counted again from the streams."""


def test_no_command_of_the_store_shortens_a_stream() -> None:
    sources = {file.name: file.read_text() for file in files("events.store").iterdir() if file.is_file()}
    assert "append.lua" in sources
    shortening = re.compile(r"""["'](XDEL|XTRIM|XSETID|DEL|UNLINK|RENAME|FLUSHALL|FLUSHDB|EXPIRE)["']""")
    found = [(name, line.strip()) for name, text in sources.items() for line in text.splitlines() if "call(" in line]
    assert [place for place in found if shortening.search(place[1])] == [("count.lua", COUNTED_ANEW)]
    in_python = [name for name, text in sources.items() if name.endswith(".py") and shortening.search(text)]
    assert in_python == []
    trimming = [line for text in sources.values() for line in text.splitlines() if "'MAXLEN'" in line]
    assert [line.split(",")[:2] for line in trimming] == [["redis.call('XADD'", " FEED"]]


def test_the_feed_is_trimmed_and_the_stream_is_not(server: Valkey) -> None:
    store, game = Store(connect(server.url)), new_game()
    with server.admin() as admin:
        pipeline = admin.pipeline(transaction=False)
        for number in range(FEED_LENGTH + 1000):
            pipeline.xadd(game_keys(game).feed, {"g": "other", "v": number})
        pipeline.execute()
        add(store, game, *(b"%d" % number for number in range(300)))
        assert FEED_LENGTH <= admin.xlen(game_keys(game).feed) < FEED_LENGTH + 500
    assert len(store.streams.read(game)) == 300
