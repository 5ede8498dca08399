"""Audits that a worker does: asked for, watched, and what the last one of each game said.

One audit of a game is under way at a time. Who asks while it is gets the same one; once it is over, or has failed, the
next request makes a new one, but for a repetition of the request (`Idempotency-Key`) that had made it.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from service.audit.verify import Report
from service.bootstrap import Services
from service.jobs import Job, JobQueue

AUDIT_JOB = "workers.jobs.audit_game"


def ask_for(jobs: JobQueue, game: str, key: str) -> Job:
    """Have a game audited.

    Args:
        jobs: The queue.
        game: Its id.
        key: What the request may be repeated by; empty for nothing.

    Raises:
        QueueUnavailable: The queue does not answer.
    """
    known = jobs.find(AUDIT_JOB, game)
    if known is not None and (known.open or (known.status == "finished" and key and known.key == key)):
        return known
    return jobs.start(AUDIT_JOB, game, key)


def perform(services: Services, game: str, told: Callable[[int, int], None]) -> dict[str, Any]:
    """Audit a game and keep the report; gives it as the API shows it."""
    at = services.games.clock.now()
    shown = show(services.games.verify(game, progress=told), at=at)
    services.store.reports.save(game, msgspec.json.encode(shown))
    return shown


def show(report: Report, *, at: int) -> dict[str, Any]:
    """Make a report ready for JSON.

    Args:
        report: What an audit says.
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
        "sound": not report.findings,
        "execution": {"outcome": executed.outcome, "version": executed.version} if executed else None,
        "checks": report.checks,
        "unchecked": report.unchecked,
        "findings": [msgspec.to_builtins(finding) for finding in report.findings],
    }
