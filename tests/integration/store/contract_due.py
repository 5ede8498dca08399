"""The due index and the heartbeats, on any server."""

from collections.abc import Iterator

import pytest

from events.store import Client, SidecarUpdate, Store
from events.store.due import Overdue
from events.store.heartbeats import MOST_OUTAGES
from events.store.keys import HEARTBEAT_KEYS, bucket_keys, bucket_of
from tests.integration.store.moves import add, new_game
from tests.support.waiting import waiting


class DueContract:
    """To be inherited with a fixture `client`."""

    @pytest.fixture
    def due_store(self, client: Client) -> Iterator[Store]:
        for key in HEARTBEAT_KEYS:
            client.execute_command("DEL", key)
        yield Store(client)
        for key in HEARTBEAT_KEYS:
            client.execute_command("DEL", key)

    def test_garbage_is_told_from_games_and_can_be_parked(self, due_store: Store, client: Client) -> None:
        game, bucket = new_game(), bucket_of("elsewhere")
        add(due_store, game, b"one", sidecar=SidecarUpdate(due=50))
        for score, member in (("-inf", b"\xffno"), ("7.5", b"{x}"), ("8", game.encode() + b"!")):
            client.execute_command("ZADD", bucket_keys(bucket).due, score, member)
        found = [
            entry for entry in due_store.due_index.overdue(until=60) if entry.bucket == bucket or entry.game == game
        ]
        assert [entry.game for entry in found] == [None, None, None, game]
        for entry in found[:3]:
            due_store.due_index.quarantine(entry)
            due_store.due_index.quarantine(entry)
        assert [entry.game for entry in due_store.due_index.overdue(until=60) if entry in found] == [game]
        parked = [entry for entry in due_store.due_index.quarantined() if entry.bucket == bucket]
        assert parked == found[:3]
        client.execute_command("DEL", bucket_keys(bucket).parked)
        add(due_store, game, b"two")

    def test_an_entry_is_put_right_unless_an_append_was_faster(self, due_store: Store) -> None:
        game = new_game()
        add(due_store, game, b"one", sidecar=SidecarUpdate(due=70))
        seen = Overdue(70.0, game.encode(), bucket_of(game))
        assert due_store.due_index.reschedule(seen, 90)
        assert not due_store.due_index.reschedule(seen, 95)
        assert (90, game) in waiting(due_store, until=90)
        add(due_store, game, b"two", sidecar=SidecarUpdate(due=99))
        assert not due_store.due_index.reschedule(Overdue(90.0, game.encode(), bucket_of(game)), None)
        assert (99, game) in waiting(due_store, until=99)
        assert due_store.due_index.reschedule(Overdue(99.0, game.encode(), bucket_of(game)), None)
        assert game not in {place[1] for place in waiting(due_store, until=10**12)}

    def test_a_gap_between_signs_is_put_on_record_once(self, due_store: Store) -> None:
        """The first to come notes it; a late sign, and a kind that notes no gaps, change nothing."""
        base = 1_767_225_600_000
        assert due_store.heartbeats.last("api") is None
        assert due_store.heartbeats.beat("api", base, least=10_000) == []
        assert due_store.heartbeats.beat("api", base + 9_999, least=10_000) == []
        assert due_store.heartbeats.beat("api", base + 5_000, least=10_000) == []
        assert due_store.heartbeats.last("api") == base + 9_999
        gap = [(base + 9_999, base + 19_999)]
        assert due_store.heartbeats.beat("api", base + 19_999, least=10_000) == gap
        assert due_store.heartbeats.beat("api", base + 19_999, least=10_000) == gap
        assert due_store.heartbeats.beat("clock", base) == due_store.heartbeats.beat("clock", base + 10**6) == gap
        assert due_store.heartbeats.outages() == due_store.heartbeats.outages(after=gap[0][1] - 1) == gap
        assert due_store.heartbeats.outages(after=gap[0][1]) == []
        assert due_store.heartbeats.beat("clock", base, after=gap[0][1]) == []

    def test_only_so_many_outages_are_kept(self, due_store: Store) -> None:
        for number in range(MOST_OUTAGES + 3):
            due_store.heartbeats.beat("api", 1_000 * number, least=1_000)
        kept = due_store.heartbeats.outages()
        assert len(kept) == MOST_OUTAGES
        assert kept[-1] == (1_000 * (MOST_OUTAGES + 1), 1_000 * (MOST_OUTAGES + 2))
