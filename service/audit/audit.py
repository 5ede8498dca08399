"""The audit of a game: the verification of its history, and whether all that was acknowledged is there."""

from collections.abc import Sequence

from service.audit.verify import Finding, Pin, Progress, Report, StoredHistory, verify
from service.games.games import Games
from service.games.integrity import what_is_left


def audit_game(
    games: Games,
    game: str,
    *,
    pins: Sequence[Pin] = (),
    execute: bool = True,
    progress: Progress | None = None,
) -> Report:
    """Verify a game's history, and that everything is there which was acknowledged; see `verify`."""
    report = verify(StoredHistory(games.store), game, pins=pins, execute=execute, progress=progress)
    if lost := games.guard.lost(game):
        wanted = f"event {lost.logged} and all before it, as acknowledged"
        report.findings.append(Finding(lost.logged, "acknowledged", wanted, what_is_left(lost)))
    elif games.guard.keeps_log:
        report.checks.append("acknowledged: everything that this machine has acknowledged is there")
    else:
        report.unchecked.append("acknowledged: no log of heads is kept here, so a tail that was cut off is not missed")
    return report
