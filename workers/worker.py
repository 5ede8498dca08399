"""An RQ worker for the long jobs.

Its short times to live let another worker find the job of a killed one within about a minute and a half, where RQ's
defaults take up to a quarter of an hour.
"""

import os

import click
import redis
from rq import Queue, Worker
from rq.serializers import JSONSerializer

from service.jobs import QUEUE
from service.settings import OperatorError, Settings
from workers.wiring import services

WORKER_TTL = 30
MAINTENANCE_INTERVAL = 10


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
        worker_ttl=WORKER_TTL,
        maintenance_interval=MAINTENANCE_INTERVAL,
    ).work(logging_level="WARNING")
