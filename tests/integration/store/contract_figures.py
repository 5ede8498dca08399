"""The kept figures, on any server."""

from collections.abc import Iterator

import pytest

from events.store import Client, Delta, Store, StreamDamaged
from events.store.figures import NOWHERE
from events.store.keys import bucket_keys, bucket_of
from tests.integration.store.moves import add, new_game
from tests.support.waiting import waiting


class FiguresContract:
    """To be inherited with a fixture `client`."""

    @pytest.fixture
    def bucket(self, client: Client) -> Iterator[int]:
        """A bucket that nobody has counted."""
        bucket = bucket_of(new_game())
        keys = bucket_keys(bucket)
        yield bucket
        for key in (keys.mark, keys.counted, keys.figures, keys.days):
            client.execute_command("DEL", key)

    def test_counts_add_up_and_follow_from_a_mark(self, client: Client, bucket: int) -> None:
        """What follows from an older mark is refused whole; a replacement asks for no mark, and leaves nothing."""
        figures = Store(client).figures
        first = figures.offset(bucket)
        assert (first.edition, first.number, first.position) == (0, 0, NOWHERE)
        assert figures.add(bucket, Delta({"a": 3}, {"x": 2, "y": 1}, {"d/1": 4}), offset=first, position="1-0")
        second = figures.offset(bucket)
        assert not figures.add(bucket, Delta({"a": 9}, {"x": 9}, {"d/1": 9}), offset=first, position="9-0")
        assert figures.offset(bucket) == second
        assert figures.add(bucket, Delta({"b": 1}, {"x": 5}, {"d/2": 1}), offset=second, position="2-0")
        assert figures.counted(bucket, ["a", "b", "c"]) == [3, 1, 0]
        kept = [*figures.stored(["d/1", "d/2", "d/3"])][bucket]
        assert (kept.figures, kept.days, kept.offset.position) == ({"x": 7, "y": 1}, {"d/1": 4, "d/2": 1}, "2-0")
        figures.replace(bucket, Delta({"b": 2}, {"z": 1}, {}), edition=5, position="3-0")
        kept = [*figures.stored(["d/1"])][bucket]
        assert (kept.figures, kept.days, figures.counted(bucket, ["a", "b"])) == ({"z": 1}, {}, [0, 2])
        assert (kept.offset.edition, kept.offset.number, kept.offset.position) == (5, 3, "3-0")

    def test_appends_are_given_from_a_position_on_while_that_is_there(self, client: Client) -> None:
        figures, store, game = Store(client).figures, Store(client), new_game()
        bucket = bucket_of(game)
        add(store, game, b"one")
        start = figures.offset(bucket).newest
        assert figures.appends(bucket, after=start, count=10) == []
        add(store, game, b"two", b"three")
        add(store, game, b"four")
        found = figures.appends(bucket, after=start, count=10)
        assert found is not None
        assert [(name, version) for _, name, version in found] == [(game, 3), (game, 4)]
        assert found[-1][0] == figures.offset(bucket).newest
        assert figures.appends(bucket, after=start, count=1) == found[:1]
        client.execute_command("XTRIM", bucket_keys(bucket).feed, "MAXLEN", 2)
        assert figures.appends(bucket, after=start, count=10) is None
        assert figures.appends(bucket, after=NOWHERE, count=10) is None

    def test_a_key_of_a_wrong_type_stops_all_of_it(self, client: Client, bucket: int) -> None:
        figures, keys = Store(client).figures, bucket_keys(bucket)
        client.execute_command("SET", keys.days, "x")
        with pytest.raises(StreamDamaged, match="not a hash"):
            figures.replace(bucket, Delta({"a": 1}, {"x": 1}, {}), edition=1, position="1-0")
        assert figures.offset(bucket).number == 0
        assert client.execute_command("EXISTS", keys.counted) == client.execute_command("EXISTS", keys.figures) == 0

    def test_a_game_is_armed_unless_an_append_was_faster(self, client: Client) -> None:
        store, game = Store(client), new_game()
        add(store, game, b"one")
        assert store.due_index.schedule(game, version=1, due=None) == "right"
        assert store.due_index.schedule(game, version=1, due=70) == "corrected"
        assert store.due_index.schedule(game, version=1, due=70) == "right"
        assert (70, game) in waiting(store, until=70)
        assert store.due_index.schedule(game, version=2, due=80) == "overtaken"
        assert store.due_index.schedule(game, version=1, due=None) == "corrected"
        assert game not in {name for _, name in waiting(store, until=10**12)}
        assert store.due_index.schedule(new_game(), version=1, due=5) == "overtaken"
