"""How late deadlines pass: two clock processes on a store that always fsyncs, and one of them killed half way.

Lateness is the time from the moment at which a default may be taken (deadline, grace and the time to settle) to its
event, on the store's clock.
"""

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from events import codec
from events.play import ActionTaken
from events.store import connect
from service.games.uptime import CLOCK
from service.hosting.supervisor.children import clock_child
from service.hosting.valkey import EmbeddedStore
from service.rules.timing import SETTLE_MS
from tests.benchmarks.http import root
from tests.support.clocks import table
from tests.support.played import Table, games_on

GAMES = 100
SECONDS = 12.0
WARM_UP = 5.0  # seconds in which both have started and what had waited for them is done
GRACE_MS = 200


@dataclass(frozen=True)
class ClockFigures:
    """What `make bench` writes down about clocks, in milliseconds."""

    lateness_ms_p50: float
    lateness_ms_p99: float
    lateness_ms_p99_after_kill: float


def measure(folder: Path, say: Callable[[str], None]) -> ClockFigures:
    """Pass deadlines for a while, kill one clock, and go on for as long."""
    with ExitStack() as stack:
        store = stack.enter_context(EmbeddedStore(folder))
        games = games_on(connect(store.url))
        options = {"turn_seconds": 2, "grace_ms": GRACE_MS, "absent_after": 0, "months": 12}
        clubs = [table(games, **options) for _ in range(GAMES)]  # type: ignore[arg-type] # options of a game
        clocks = [_clock(folder, store.url, stack) for _ in range(2)]
        while clubs[0].store.heartbeats.last(CLOCK) is None:
            time.sleep(0.1)
        time.sleep(WARM_UP)
        began_at = games.clock.now()
        time.sleep(SECONDS)
        killed_at = games.clock.now()
        clocks[0].kill()
        time.sleep(SECONDS)
        lateness = [found for club in clubs for found in _lateness(club)]
    before = sorted(late for at, late in lateness if began_at <= at < killed_at)
    after = sorted(late for at, late in lateness if at >= killed_at)
    figures = ClockFigures(_share(before, 50), _share(before, 99), _share(after, 99))
    say(
        f"deadlines of {GAMES} games pass {figures.lateness_ms_p50:,.0f} ms late (p50),"
        f" {figures.lateness_ms_p99:,.0f} ms (p99), after a kill {figures.lateness_ms_p99_after_kill:,.0f} ms"
        " (p99; aim: at most 2,000)"
    )
    return figures


def _clock(folder: Path, url: str, stack: ExitStack) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "ROLLBOOK_REDIS_URL": url, "ROLLBOOK_DATA": str(folder), "PYTHONPATH": root()}
    process = subprocess.Popen(clock_child().arguments, env=environment)
    stack.callback(process.wait)
    stack.callback(process.terminate)
    return process


def _lateness(club: Table) -> list[tuple[int, int]]:
    """List (when, how late) of every default that was taken."""
    found = []
    for entry in (entry for batch in club.store.streams.stream(club.game) for entry in batch):
        envelope = codec.decode(entry.data)
        event = envelope.data
        if isinstance(event, ActionTaken) and event.name == "expire":
            deadline = event.params["deadline"]
            assert isinstance(deadline, int)
            found.append((envelope.at, envelope.at - deadline - GRACE_MS - SETTLE_MS))
    return found


def _share(late: list[int], percent: int) -> float:
    return float(late[min(len(late) - 1, len(late) * percent // 100)]) if late else float("inf")
