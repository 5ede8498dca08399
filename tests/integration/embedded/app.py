"""A tiny API for the tests of the supervisor: it answers, counts in the store, waits, and writes down what it did."""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import redis

DATA = Path(os.environ["ROLLBOOK_DATA"])


def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    body = {"/healthz": _health, "/pid": _pid, "/count": _count, "/slow": _slow}[environ["PATH_INFO"]]()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body.encode()]


def _health() -> str:
    return "ok"


def _pid() -> str:
    return f"{os.getppid()} {os.getpid()}"


def _count() -> str:
    with redis.Redis.from_url(os.environ["ROLLBOOK_REDIS_URL"]) as client:
        return str(client.incr("count"))


def _slow() -> str:
    """Answer when the test says so; gevent has patched the sleep."""
    (DATA / "begun").touch()
    while not (DATA / "go-on").exists():
        time.sleep(0.02)
    with (DATA / "ends").open("a") as ends:
        ends.write("request\n")
    return "done"
