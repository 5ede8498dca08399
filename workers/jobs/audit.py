"""The audit of a game, as a worker does it."""

from collections.abc import Callable
from typing import Any

import msgspec

from service.audit import audit
from service.audit.verify import Report, shown_findings
from service.games.games import Games
from workers import wiring
from workers.jobs.progress import progress


def audit_game(game: str) -> int:
    """Audit a game and keep the report; return the number of findings."""
    return len(perform(wiring.services().games, game, progress())["findings"])


def perform(games: Games, game: str, on_event: Callable[[int, int], None]) -> dict[str, Any]:
    """Audit a game and keep the report; return it in the shape of the API's answer."""
    at = games.clock.now()
    shown = as_dict(audit.audit_game(games, game, progress=on_event), at=at)
    games.store.reports.save(game, msgspec.json.encode(shown))
    return shown


def as_dict(report: Report, *, at: int) -> dict[str, Any]:
    """Return a report in the shape of the API's answer.

    Args:
        report: The result of an audit.
        at: When it began (UTC, ms).
    """
    executed = report.execution
    return {
        "game": report.game,
        "at": at,
        "version": report.version,
        "head": report.head_hex,
        "tree": report.tree_hex,
        "sealed": report.sealed,
        "verdict": report.verdict,
        "sound": not report.findings,
        "execution": {"outcome": executed.outcome, "version": executed.version} if executed else None,
        "checks": report.checks,
        "unchecked": report.unchecked,
        "missing": report.missing,
        "findings": shown_findings(report),
    }
