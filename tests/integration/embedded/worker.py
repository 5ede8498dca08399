"""A child of the workers' stage: at its end it writes down whether the store still answered."""

import os
import signal
from pathlib import Path

import redis

if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    signal.sigwait([signal.SIGTERM])
    with redis.Redis.from_url(os.environ["ROLLBOOK_REDIS_URL"]) as client:
        client.ping()
    with (Path(os.environ["ROLLBOOK_DATA"]) / "ends").open("a") as ends:
        ends.write("worker\n")
