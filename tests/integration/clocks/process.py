"""`python -m tests.integration.clocks.process clock|worker`: the real loops, by the injected clock."""

import os
import sys
import threading
import time
from typing import Any

import redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer
from rq.timeouts import TimerDeathPenalty

from service.jobs import QUEUE
from service.settings import Settings
from tests.integration.clocks.injected import services
from workers import clock, wiring


class Worker(SimpleWorker):
    """Works in this process: a fork for each job would be most of what a busy machine does."""

    death_penalty_class = TimerDeathPenalty


def work() -> None:
    made = services()
    setattr(wiring, "services", lambda: made)  # noqa: B010 - where the jobs take them from
    url = Settings.load(os.environ).jobs_url()
    connection = redis.Redis.from_url(str(url))
    while True:
        queue = Queue(QUEUE, connection=connection, serializer=JSONSerializer)
        try:
            Worker([queue], connection=connection, serializer=JSONSerializer).work(burst=True, logging_level="ERROR")
        except Exception as error:  # its keys were flushed under it: a supervisor would start it again
            sys.stderr.write(f"{error}\n")
        time.sleep(0.2)


def tick() -> None:
    made: Any = services()
    setattr(clock, "TICK_SECONDS", 0.2)  # noqa: B010 - injected time runs faster
    clock.run_until(threading.Event(), made, made.hand)


if __name__ == "__main__":
    {"clock": tick, "worker": work}[sys.argv[1]]()
