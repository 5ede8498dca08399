"""Handing long jobs to the workers, by their dotted names; `service` never imports `workers`.

A job is a hint, never a promise: one that is lost costs speed, nothing else. So a queue that does not answer is noted
and passed over.
"""

import logging

import redis
from rq import Queue, Worker
from rq.serializers import JSONSerializer

QUEUE = "rollbook"
BOT_JOB = "workers.jobs.move_bot"
JOBS = ("workers.jobs.make_keyframes", BOT_JOB)
"""Every job there is; a test resolves each name."""

PATIENCE = 2  # seconds that an action may lose to a queue that does not answer
JOB_TIMEOUT = 600
FAILURE_TTL = 3600
_log = logging.getLogger("rollbook.queue")


class JobQueue:
    """The queue as the service sees it.

    Args:
        url: The Redis of background jobs.
    """

    def __init__(self, url: str) -> None:
        connection = redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
        self._queue = Queue(QUEUE, connection=connection, serializer=JSONSerializer)

    def enqueue(self, job: str, game: str) -> None:
        """Enqueue a job about a game, once while it waits."""
        self._put(job, game, job_id=f"{job.rpartition('.')[2]}-{game}")

    def hand(self, job: str, game: str, seat: int, moves: int) -> None:
        """Enqueue a job about a move of a seat.

        Each has an id of its own, though several clocks may hand over the same move: RQ fails when two workers do a job
        of one id at once, and a move that was made already is cheap.
        """
        self._put(job, game, seat, moves)

    def workers(self) -> int | None:
        """Count the workers that serve the queue; None when it does not answer."""
        try:
            return int(Worker.count(queue=self._queue))
        except redis.RedisError:
            return None

    def _put(self, job: str, game: str, *more: int, job_id: str | None = None) -> None:
        assert job in JOBS, job
        try:
            self._queue.enqueue(
                job,
                game,
                *more,
                job_id=job_id,
                job_timeout=JOB_TIMEOUT,
                result_ttl=0,
                failure_ttl=FAILURE_TTL,
            )
        except redis.RedisError:
            _log.warning("the queue of jobs does not answer: %s for %s is left undone", job, game)
