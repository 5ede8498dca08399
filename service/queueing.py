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

JOB_TIMEOUT = 600
RESULT_TTL = 3600
_log = logging.getLogger("rollbook.queue")


class JobQueue:
    """The queue as the service sees it.

    Args:
        url: The Redis of background jobs.
    """

    def __init__(self, url: str) -> None:
        self._queue = Queue(QUEUE, connection=redis.Redis.from_url(url), serializer=JSONSerializer)

    def enqueue(self, job: str, game: str) -> None:
        """Enqueue a job about a game."""
        assert job in JOBS, job
        try:
            self._queue.enqueue(job, game, job_timeout=JOB_TIMEOUT, result_ttl=RESULT_TTL)
        except redis.RedisError:
            _log.warning("the queue of jobs does not answer: %s for %s is left undone", job, game)
