"""Audits: the bundle for checking a game elsewhere, and jobs that check it here."""

from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Response, url_for

from events.store import Head, Store
from service.api.http.answers import private, reply
from service.api.http.context import ask, games, reader, services
from service.api.http.resource import Resource
from service.api.schemas import audit as schemas
from service.api.schemas.base import NoBody
from service.audit import requests as audits
from service.audit.bundle import Checkpointer, write
from service.audit.proofs.checkpoints import Checkpoint
from service.audit.verify import StoredHistory
from service.errors import Frozen, NoAudit, NoSuchGame, NoSuchJob, QueueUnavailable
from service.games.permissions import action_id
from service.jobs import Job, JobQueue, named

NDJSON = "application/x-ndjson"
JOB_REFUSALS = ("unauthorized", "no_such_job", "game_frozen", "queue_unavailable")
LINES: dict[str, Any] = {"type": "string", "description": "A bundle (docs/format.md), one JSON object a line."}

audit = Resource("audit", "Audits: the bundle for checking a game elsewhere, and jobs that check it here.")


@audit.operation("GET", "/games/<game:game>/bundle", LINES, media_type=NDJSON)
def get_bundle(_query: dict[str, Any], game: str) -> Response:
    """Get the game in one file, one JSON object a line: events, texts, chain, checkpoint and data files.

    `docs/format.md` describes it to the byte; `rollbook verify` checks it offline.
    """
    access = games().enter(game, reader())
    head = services().store.streams.head(game)
    if head is None:
        raise NoSuchGame(f"There is no game {game}.")
    head = Head(access.version, access.link, sealed=head.sealed and head.version == access.version)
    return _streamed(services().store, game, head)


def _streamed(store: Store, game: str, head: Head) -> Response:
    """Stream a bundle. The first piece is made before the answer begins, so that a failure has a status."""
    pieces = write(StoredHistory(store), game, head, checkpoint=_signs(game))
    first = next(pieces)

    def lines() -> Iterator[bytes]:
        yield first
        yield from pieces

    response = Response(lines(), mimetype=NDJSON)
    response.headers["Content-Disposition"] = f'attachment; filename="{game}.ndjson"'
    return private(response)


def _signs(game: str) -> Checkpointer | None:
    """Return what signs for a game; None for one whose history cannot be trusted."""
    try:
        games().guard.check(game)
    except Frozen:
        return None
    signer = services().proofs.keys.signer
    return lambda size, root, link: signer.sign(Checkpoint(game, size, root, link).text)


@audit.operation(
    "POST",
    "/games/<game:game>/audit",
    schemas.JobAnswer,
    status=202,
    body=NoBody,
    repeats=True,
    refuses=("queue_unavailable",),
)
def start_audit(_body: dict[str, Any], _query: dict[str, Any], game: str) -> Response:
    """Have the game audited by a worker: all checks, and every action executed again.

    While one is under way, every request gets that one. Once it is over, or has failed, the next request makes a new
    one, unless it repeats the request that made it (`Idempotency-Key`).
    """
    games().enter(game, reader())
    key = ask().key
    job = audits.ask_for(queue(), game, action_id(f"audit {game}", key) if key else "")
    response = job_answer(job, 202)
    response.headers["Location"] = url_for("audit.get_job", job=job.id)
    return response


@audit.operation("GET", "/games/<game:game>/audit", schemas.AuditAnswer, refuses=("no_audit",))
def get_audit(_query: dict[str, Any], game: str) -> Response:
    """Show the result of the game's last audit."""
    games().enter(game, reader())
    report = services().store.reports.last(game)
    if report is None:
        raise NoAudit(f"Game {game} was not audited yet; POST here has it done.")
    return reply(msgspec.Raw(report))


@audit.operation("GET", "/jobs/<job:job>", schemas.JobAnswer, refuses=JOB_REFUSALS)
def get_job(_query: dict[str, Any], job: str) -> Response:
    """Show the progress of a background job."""
    found = named(job)
    if found is None:
        raise NoSuchJob(f"There is no job {job}.")
    try:
        games().enter(found[1], reader())
    except NoSuchGame:
        raise NoSuchJob(f"There is no job {job}.") from None
    known = queue().find(*found)
    if known is None:
        raise NoSuchJob(f"There is no job {job}.")
    return job_answer(known)


def job_answer(job: Job, status: int = 200) -> Response:
    """Return the answer about a job."""
    kind = job.kind.rpartition(".")[2]
    content = {"job": job.id, "kind": kind, "game": job.game, "status": job.status}
    return reply({**content, "done": job.done, "total": job.total}, status)


def queue() -> JobQueue:
    """Return the queue.

    Raises:
        QueueUnavailable: There is none.
    """
    found = services().jobs
    if found is None:
        raise QueueUnavailable("No queue of background jobs is set up here.")
    return found
