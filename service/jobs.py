"""Handing long jobs to the workers, by their dotted names; `service` never imports `workers`.

A job that only saves time is a hint, never a promise: a queue that does not answer is logged and passed over. A job
that a client requested and waits for is started, watched, and refused when the queue does not answer.
"""

import logging
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import redis
from rq import Queue, Worker
from rq import job as rq_job
from rq.exceptions import DeserializationError, DuplicateJobError, NoSuchJobError
from rq.serializers import JSONSerializer
from rq.utils import now

from service.errors import QueueUnavailable

QUEUE = "rollbook"
KEYFRAME_JOB = "workers.jobs.make_keyframes"
AUDIT_JOB = "workers.jobs.audit_game"
PAGE_JOB = "workers.jobs.make_page"
REWRITE_JOB = "workers.jobs.rewrite_log"
BOT_JOB = "workers.jobs.move_bot"
JOBS = (KEYFRAME_JOB, AUDIT_JOB, PAGE_JOB, REWRITE_JOB, BOT_JOB)
"""Every job there is; a test resolves each name."""

PATIENCE = 2  # seconds that an action may lose to a queue that does not answer
JOB_TIMEOUT = 600
LONG_TIMEOUT = 6 * 3600  # seconds: 50,000 events take a minute or so
FAILURE_TTL = 3600
RESULT_TTL = 24 * 3600
LOST_SECONDS = 150  # more than a worker that runs it is silent, or than others take to find the job of a killed one
_log = logging.getLogger("rollbook.queue")

Status: TypeAlias = Literal["queued", "running", "finished", "failed"]
STATUSES: dict[str, Status] = {"started": "running", "finished": "finished", "failed": "failed", "stopped": "failed",
                               "canceled": "failed"}  # fmt: skip
"""RQ's word → ours; what is in neither column waits."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job that a client waits for.

    Attributes:
        id: Name of the job, and of the game that it is about.
        kind: The job's name in the code.
        game: Id of the game.
        status: Where it is.
        done: Events done.
        total: Events in all; 0 while that is not known.
        key: Key by which the request that made it may be repeated.
    """

    id: str
    kind: str
    game: str
    status: Status
    done: int = 0
    total: int = 0
    key: str = ""

    @property
    def open(self) -> bool:
        """Whether it is still to be done, or being done."""
        return self.status in ("queued", "running")


class JobQueue:
    """The queue as the service sees it.

    Args:
        connection: To the Redis of background jobs.
    """

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self._queue = Queue(QUEUE, connection=connection, serializer=JSONSerializer)

    @classmethod
    def at(cls, url: str) -> "JobQueue":
        """Reach the Redis of background jobs."""
        return cls(redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE))

    def enqueue(self, job: str, game: str) -> bool:
        """Enqueue a job that no client waits for, once while it waits; return whether the queue took it."""
        return self._put(job, game, name=job_id(job, game))

    def hand(self, job: str, game: str, seat: int, moves: int) -> None:
        """Enqueue a job about a move of a seat.

        Each has an id of its own, though several clocks may hand over the same move: RQ fails when two workers do a job
        of one id at once, and a move that was made already is cheap.
        """
        self._put(job, game, seat, moves)

    def workers(self) -> int | None:
        """Count the workers that serve the queue; None when it does not answer.

        One that was killed stays on RQ's list until another worker cleans it; its own record expires in a minute and a
        half.
        """
        try:
            listed = Worker.all_keys(queue=self._queue)
            return int(self.connection.exists(*listed)) if listed else 0
        except redis.RedisError:
            return None

    def _put(self, job: str, game: str, *more: int, name: str | None = None) -> bool:
        assert job in JOBS, job
        try:
            self._queue.enqueue(
                job,
                game,
                *more,
                job_id=name,
                job_timeout=JOB_TIMEOUT,
                result_ttl=0,
                failure_ttl=FAILURE_TTL,
            )
        except redis.RedisError:
            _log.warning("the queue of jobs does not answer: %s for %s is left undone", job, game)
            return False
        return True

    def start(self, job: str, game: str, key: str) -> Job:
        """Start a job about a game in place of one that is over; return the one that is there.

        Raises:
            QueueUnavailable: The queue does not answer.
        """
        assert job in JOBS, job
        try:
            over = self._fetch(job, game)
            if over is not None and not self._with_status(over, job, game).open:
                self._remove(over)
            self._queue.enqueue_call(
                job,
                (game,),
                job_id=job_id(job, game),
                timeout=LONG_TIMEOUT,
                result_ttl=RESULT_TTL,
                failure_ttl=FAILURE_TTL,
                meta={"key": key},
                unique=True,
            )
        except DuplicateJobError:
            pass  # another request was faster by a moment
        except redis.RedisError as error:
            raise _unavailable() from error
        return self.find(job, game) or Job(job_id(job, game), job, game, "queued", key=key)

    def find(self, job: str, game: str) -> Job | None:
        """Return the job about a game; None when there was none, or it has expired.

        Raises:
            QueueUnavailable: The queue does not answer.
        """
        try:
            found = self._fetch(job, game)
            return self._with_status(found, job, game) if found is not None else None
        except redis.RedisError as error:
            raise _unavailable() from error

    def _remove(self, over: rq_job.Job) -> None:
        """Remove a job that is over.

        A killed worker's run is forgotten before the list of its job's runs is, and RQ refuses to delete a job with one
        that is listed and forgotten. Nothing runs any more, so the list goes first.
        """
        self.connection.delete(over.execution_registry.key)
        over.delete()

    def _with_status(self, found: rq_job.Job, job: str, game: str) -> Job:
        """Return a job with its status; one that the queue has lost has failed."""
        seen = _seen(found, job, game)
        return replace(seen, status="failed") if seen.open and self._lost(found, seen.status) else seen

    def _lost(self, found: rq_job.Job, status: Status) -> bool:
        """Return whether the queue has lost a job: RQ keeps job, queue and registries in keys that are lost singly."""
        said = found.last_heartbeat if status == "running" else found.enqueued_at
        if (now() - (said or found.created_at)).total_seconds() <= LOST_SECONDS:
            return False
        if status == "running":
            return True
        places = (self._queue.key, self._queue.intermediate_queue_key)
        return all(self.connection.lpos(place, found.id) is None for place in places)

    def _fetch(self, job: str, game: str) -> rq_job.Job | None:
        try:
            return rq_job.Job.fetch(job_id(job, game), connection=self.connection, serializer=JSONSerializer)
        except (NoSuchJobError, DeserializationError):
            return None


def job_id(job: str, game: str) -> str:
    """Return the id of the job about a game; RQ allows letters, digits, `_` and `-`."""
    return f"{job.rpartition('.')[2]}-{game}"


def named(identifier: str) -> tuple[str, str] | None:
    """Return job and game of a job's id; None when it is none."""
    word, _, game = identifier.partition("-")
    return next(((job, game) for job in JOBS if job.endswith(f".{word}")), None)


def _seen(found: rq_job.Job, job: str, game: str) -> Job:
    meta: dict[str, Any] = found.meta or {}
    status = found.get_status(refresh=False)
    return Job(
        id=found.id,
        kind=job,
        game=game,
        status=STATUSES.get(str(getattr(status, "value", status)), "queued"),
        done=int(meta.get("done", 0)),
        total=int(meta.get("total", 0)),
        key=str(meta.get("key", "")),
    )


def _unavailable() -> QueueUnavailable:
    return QueueUnavailable("The queue of background jobs does not answer; send the request again.")
