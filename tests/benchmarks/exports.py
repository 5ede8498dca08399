"""What exports of a long game cost: events a second, and the most memory that they hold."""

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from events.store import connect
from service.games.games import Games
from service.ledger import explain as explaining
from service.ledger.exports import FORMATS
from service.ledger.exports.source import of_game
from tests.benchmarks.rates import rate
from tests.benchmarks.store import LONG, REBUILT
from tests.support.played import games_on


@dataclass(frozen=True)
class ExportFigures:
    """What `make bench` writes down about exports."""

    export_events_per_s: dict[str, float]
    export_peak_kib: dict[str, float]
    explain_events_per_s: float


def measure(url: str, say: Callable[[str], None]) -> ExportFigures:
    """Measure on the long game that the benchmark of the store has left."""
    games = games_on(connect(url))
    rates, peaks = {}, {}
    for kind in FORMATS:
        rates[kind] = rate(LONG, partial(exported, games, kind), rounds=2)
        peaks[kind] = peak_kib(partial(exported, games, kind))
        say(f"export of {LONG:,} events as {kind}: {rates[kind]:,.0f} events/s, at most {peaks[kind]:,.0f} KiB held")

    def explain() -> None:
        assert explaining.shares_of(games.loader, REBUILT, "seat:1", upto=LONG)

    explained = rate(LONG, explain, rounds=2)
    say(f"a balance explained by reason over {LONG:,} events: {explained:,.0f} events/s")
    return ExportFigures(rates, peaks, explained)


def exported(games: Games, kind: str) -> int:
    """Write an export to nowhere; gives its bytes."""
    return sum(len(piece) for piece in FORMATS[kind].pieces(of_game(games.loader, REBUILT, at=LONG)))


def peak_kib(work: Callable[[], object]) -> float:
    """Return the most memory that Python held at once for a piece of work."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1024
    finally:
        tracemalloc.stop()
