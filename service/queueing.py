"""Handing long jobs to the workers, by their dotted names; `service` never imports `workers`.

A job is a hint, never a promise: one that is lost costs speed, nothing else. So a queue that does not answer is noted
and passed over.
"""

import logging

import redis
from rq import Queue
from rq.serializers import JSONSerializer

QUEUE = "rollbook"
JOBS = ("workers.jobs.make_keyframes",)
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
        """Enqueue a job about a game."""
        assert job in JOBS, job
        try:
            self._queue.enqueue(
                job,
                game,
                job_id=f"{job.rpartition('.')[2]}-{game}",
                job_timeout=JOB_TIMEOUT,
                result_ttl=0,
                failure_ttl=FAILURE_TTL,
            )
        except redis.RedisError:
            _log.warning("the queue of jobs does not answer: %s for %s is left undone", job, game)
