"""The due index and the signs of life, on any server."""

from collections.abc import Iterator

import pytest

from events.store import Beside, Client, EventStore
from events.store.due import Overdue
from events.store.keys import SIGNS_KEYS, bucket_keys, bucket_of
from events.store.signs import MOST_OUTAGES
from tests.integration.store.moves import add, new_game


class DueContract:
    """To be inherited with a fixture `client`."""

    @pytest.fixture
    def due_store(self, client: Client) -> Iterator[EventStore]:
        for key in SIGNS_KEYS:
            client.execute_command("DEL", key)
        yield EventStore(client)
        for key in SIGNS_KEYS:
            client.execute_command("DEL", key)

    def test_garbage_is_told_from_games_and_can_be_parked(self, due_store: EventStore, client: Client) -> None:
        game, bucket = new_game(), bucket_of("elsewhere")
        add(due_store, game, b"one", beside=Beside(due=50))
        for score, member in (("-inf", b"\xffno"), ("7.5", b"{x}"), ("8", game.encode() + b"!")):
            client.execute_command("ZADD", bucket_keys(bucket).due, score, member)
        found = [entry for entry in due_store.overdue(until=60) if entry.bucket == bucket or entry.game == game]
        assert [entry.game for entry in found] == [None, None, None, game]
        for entry in found[:3]:
            due_store.park(entry)
            due_store.park(entry)
        assert [entry.game for entry in due_store.overdue(until=60) if entry in found] == [game]
        parked = [entry for entry in due_store.parked() if entry.bucket == bucket]
        assert parked == found[:3]
        client.execute_command("DEL", bucket_keys(bucket).parked)
        add(due_store, game, b"two")

    def test_an_entry_is_put_right_unless_an_append_was_faster(self, due_store: EventStore) -> None:
        game = new_game()
        add(due_store, game, b"one", beside=Beside(due=70))
        seen = Overdue(70.0, game.encode(), bucket_of(game))
        assert due_store.rearm(seen, 90)
        assert not due_store.rearm(seen, 95)
        assert (90, game) in due_store.due(until=90)
        add(due_store, game, b"two", beside=Beside(due=99))
        assert not due_store.rearm(Overdue(90.0, game.encode(), bucket_of(game)), None)
        assert (99, game) in due_store.due(until=99)
        assert due_store.rearm(Overdue(99.0, game.encode(), bucket_of(game)), None)
        assert game not in {place[1] for place in due_store.due(until=10**12)}

    def test_a_gap_between_signs_is_put_on_record_once(self, due_store: EventStore) -> None:
        """Whoever comes first notes it; a late sign, and a kind that notes no gaps, change nothing."""
        base = 1_767_225_600_000
        assert due_store.last_sign("api") is None
        assert due_store.beat("api", base, least=10_000) == []
        assert due_store.beat("api", base + 9_999, least=10_000) == []
        assert due_store.beat("api", base + 5_000, least=10_000) == []
        assert due_store.last_sign("api") == base + 9_999
        gap = [(base + 9_999, base + 19_999)]
        assert due_store.beat("api", base + 19_999, least=10_000) == gap
        assert due_store.beat("api", base + 19_999, least=10_000) == gap
        assert due_store.beat("clock", base) == due_store.beat("clock", base + 10**6) == gap
        assert due_store.outages() == gap

    def test_only_so_many_outages_are_kept(self, due_store: EventStore) -> None:
        for number in range(MOST_OUTAGES + 3):
            due_store.beat("api", 1_000 * number, least=1_000)
        kept = due_store.outages()
        assert len(kept) == MOST_OUTAGES
        assert kept[-1] == (1_000 * (MOST_OUTAGES + 1), 1_000 * (MOST_OUTAGES + 2))
