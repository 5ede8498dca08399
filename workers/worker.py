"""An RQ worker for the long jobs.

Its short times to live let another worker find the job of a killed one within about a minute and a half, where RQ's
defaults take up to a quarter of an hour.
"""

import os
from typing import Any

import click
import redis
from rq import Queue, Worker
from rq.job import Job
from rq.serializers import JSONSerializer

from service.jobs import JOBS, QUEUE
from service.settings import OperatorError, Settings
from workers.wiring import services

WORKER_TTL = 30
MAINTENANCE_INTERVAL = 10


class NotListed(Exception):
    """A job that is none of ours stands in the queue."""


class ListedJob(Job):
    """A job that `service.jobs.JOBS` lists: anyone who can write to the queue may name any other function."""

    @property
    def func(self) -> Any:
        """The function that is called.

        Raises:
            NotListed: It is none of ours.
        """
        if self.func_name not in JOBS or self.instance is not None:
            raise NotListed(f"{self.func_name} is no job of Rollbook")
        return super().func

    # Ours have none of these, and each would call a function or an address that the queue names.
    success_callback = failure_callback = stopped_callback = None

    def send_webhooks(self, *_args: Any, **_options: Any) -> None:
        """Send nothing."""


@click.command("worker")
def worker() -> None:
    """Run the long jobs of a Rollbook whose store ROLLBOOK_REDIS_URL names; Ctrl-C stops after the job at hand."""
    run()


def run() -> None:
    """Work until the end is asked for.

    Raises:
        OperatorError: No store is named.
    """
    settings = Settings.load(os.environ)
    url = settings.jobs_url()
    if url is None:
        raise OperatorError("A worker needs ROLLBOOK_REDIS_URL; `rollbook serve` on the embedded store has its own")
    services()  # before the first job forks, lest each makes its own
    connection = redis.Redis.from_url(url)
    queue = Queue(QUEUE, connection=connection, serializer=JSONSerializer)
    Worker(
        [queue],
        connection=connection,
        serializer=JSONSerializer,
        job_class=ListedJob,
        worker_ttl=WORKER_TTL,
        maintenance_interval=MAINTENANCE_INTERVAL,
    ).work(logging_level="WARNING")
