"""Many deadlines, and many processes that are killed: each deadline passes exactly once, in its order, and bots move.

The clock is injected: the test lets it go on only when everything that was due by then is done.
"""

import random
import time
from pathlib import Path
from typing import Any

import pytest
import redis

from events.clocks import OutageCredited
from events.play import ActionTaken
from events.store import Store, connect
from service.audit.verify import StoredHistory, verify
from service.games.uptime import API
from tests.integration.clocks.fleet import Fleet, fleet
from tests.integration.clocks.injected import NOW, KeyClock
from tests.support.clocks import BEGIN, happened, history, table
from tests.support.played import Table, games_on
from tests.support.valkey import valkey

TURN = 40
SPREAD_MS = 20_000
GRACE_MS = 1_500
QUIET_MS = 5_000
SHORTEST_STEP_MS = 100
PATIENCE = 120.0


class Time:
    """The injected clock, and what is due by it."""

    def __init__(self, client: Any, store: Store) -> None:
        self._client = client
        self._store = store
        self.now = BEGIN
        self.games: set[str | None] = set()

    def set(self, now: int) -> None:
        self.now = now
        self._client.execute_command("SET", NOW, now)

    def due(self) -> list[str | None]:
        return [entry.game for entry in self._store.due_index.overdue(until=self.now) if entry.game in self.games]

    def settled(self) -> None:
        """Wait until no deadline is left that was due by now, and an API process was there at this very time."""
        end = time.monotonic() + PATIENCE
        while self.due() or (self._store.heartbeats.last(API) or 0) < self.now:
            assert time.monotonic() < end, f"never done: {self.due()[:3]}"
            time.sleep(0.05)


def opened(client: Any, clock: Time, deadlines: int, bots: int) -> tuple[list[Table], list[Table]]:
    games = games_on(client, clock=KeyClock(client))
    timed = []
    for number in range(deadlines):
        clock.set(BEGIN + SPREAD_MS * number // deadlines)
        timed.append(table(games, key=f"timed {number}", turn_seconds=TURN))
    played = [table(games, persons=0, bots=("random", "random"), key=f"bots {n}", months=1) for n in range(bots)]
    clock.games = {club.game for club in timed}
    return timed, played


def flush_queue(url: str) -> None:
    """Lose everything that the queue knows."""
    queue = redis.Redis.from_url(url)
    for key in queue.scan_iter("rq:*"):
        queue.delete(key)


def pass_by(clock: Time, crew: Fleet, chance: random.Random, *, timed: list[Table], url: str, kills: int) -> None:
    """Move time on to the last deadline; processes are killed and the queue is flushed on the way."""
    first, last = BEGIN + TURN * 1000 + GRACE_MS, BEGIN + TURN * 1000 + GRACE_MS + SPREAD_MS
    step = step_of(timed)
    steps = [*range(clock.now + QUIET_MS, first, QUIET_MS), *range(first, last + step, step)]
    deadly = set(chance.sample(range(len(steps)), kills))
    for number, now in enumerate(steps):
        clock.set(now)
        if number in deadly:
            crew.kill_one()
        if number == len(steps) // 2:
            flush_queue(url)
        for _ in range(2):
            chance.choice(crew.apis()).ask(f"/v1/games/{chance.choice(timed).game}")
        clock.settled()


def step_of(timed: list[Table]) -> int:
    """Return how far the clock is set each time: deadlines pass alone, or a few together where they are many."""
    return max(SPREAD_MS // len(timed), SHORTEST_STEP_MS)


def check(timed: list[Table], played: list[Table]) -> None:
    """Each deadline exactly once, never early, in order; no bot moves twice; all histories are right."""
    fired = []
    for number, club in enumerate(timed):
        acts = [e for e in happened(club, ActionTaken) if isinstance(e.data, ActionTaken) and e.data.name == "expire"]
        assert len(acts) == 1, (club.game, len(acts))
        fired.append((acts[0].at, number))
        assert not happened(club, OutageCredited)
    late = [at - (BEGIN + SPREAD_MS * number // len(timed) + TURN * 1000 + GRACE_MS) for at, number in fired]
    assert min(late) >= 0
    assert max(late) < step_of(timed)
    moments = [at for at, _ in fired]
    assert moments == sorted(moments)
    for club in played:
        moves = [e.action for e in happened(club, ActionTaken) if e.actor.startswith("bot:")]
        assert len(moves) == len(set(moves)) > 3
    for club in [*timed[:5], *played[:5]]:
        assert verify(StoredHistory(club.store), club.game).findings == []
        assert history(club)


def run(folder: Path, *, deadlines: int, bots: int, workers: int, kills: int) -> None:
    chance = random.Random(deadlines)
    with valkey(folder) as server:
        client = connect(server.url)
        clock = Time(client, Store(client))
        clock.set(BEGIN)
        timed, played = opened(client, clock, deadlines, bots)
        with fleet(folder, server.url, chance, workers=workers) as crew:
            pass_by(clock, crew, chance, timed=timed, url=server.url, kills=kills)
        check(timed, played)


def test_some_deadlines_with_kills_and_a_flushed_queue(tmp_path: Path) -> None:
    run(tmp_path, deadlines=20, bots=1, workers=1, kills=2)


@pytest.mark.long
def test_a_thousand_deadlines_with_kills_and_a_flushed_queue(tmp_path: Path) -> None:
    run(tmp_path, deadlines=1000, bots=20, workers=5, kills=20)
