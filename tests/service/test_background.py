"""What is said of the background: a clock or a worker that is away is named, in a sentence."""

from pathlib import Path
from typing import Any

import pytest
import redis
from click.testing import CliRunner
from rq import Queue, Worker
from rq.serializers import JSONSerializer

from service.api.app import create_app
from service.bootstrap import assemble
from service.cli import main
from service.games.uptime import CLOCK
from service.hosting.health import LATE_MS, background_faults
from service.jobs import QUEUE, JobQueue
from tests.support.played import empty, games_on
from tests.support.valkey import Valkey, valkey

NOW = 1_767_225_600_000


@pytest.mark.parametrize(
    ("seen", "workers", "named"),
    [
        (NOW - LATE_MS, 1, []),
        (NOW - LATE_MS - 1, 1, ["no clock process was there for 10 s"]),
        (None, 1, ["no clock process was there ever"]),
        (NOW, 0, ["no worker is there"]),
        (NOW, None, ["the queue of jobs does not answer"]),
        (None, 0, ["no clock process was there ever", "no worker is there"]),
    ],
)
def test_what_is_missing_is_named(seen: int | None, workers: int | None, named: list[str]) -> None:
    store = games_on(empty()).store
    if seen is not None:
        store.heartbeats.beat(CLOCK, seen)
    found = list(background_faults(store.heartbeats, NOW, lambda: workers))
    assert len(found) == len(named)
    assert all(fault.startswith(words) for fault, words in zip(found, named, strict=True))


def test_readyz_says_it_and_is_ready_all_the_same() -> None:
    """The API can serve; a person should look at the rest."""
    services = assemble(empty(), server_key=b"k" * 32, allow_volatile=True)
    client = create_app(services).test_client()

    def background() -> Any:
        answer = client.get("/readyz")
        assert answer.status_code == 200
        return answer.json["background"]  # type: ignore[index] # it is an object

    assert len(background()) == 2
    services.store.heartbeats.beat(CLOCK, services.games.clock.now())
    assert background() == [
        "the queue of jobs does not answer: clock processes move the bots, and no other job is done"
    ]


def test_doctor_says_it_of_a_store_that_somebody_serves(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLBOOK_DATA", str(tmp_path / "data"))
    with valkey(tmp_path) as server:
        monkeypatch.setenv("ROLLBOOK_REDIS_URL", server.url)
        assert "no clock process was there ever" in _doctor()
        _be_there(server)
        assert "a clock and a worker are there" in _doctor()


def test_a_worker_that_was_killed_is_not_taken_for_one_that_is_there(tmp_path: Path) -> None:
    """With no other worker nobody takes it off RQ's list; its record expires."""
    with valkey(tmp_path) as server:
        connection = redis.Redis(unix_socket_path=server.socket)
        queue = JobQueue(connection)
        assert queue.workers() == 0
        killed, there = (
            Worker([Queue(QUEUE, connection=connection)], name=name, connection=connection, serializer=JSONSerializer)
            for name in ("killed", "there")
        )
        killed.register_birth()  # type: ignore[no-untyped-call] # RQ has types for most
        assert queue.workers() == 1
        assert connection.ttl(killed.key) > 0
        connection.delete(killed.key)  # as it is a minute and a half after `kill -9`
        assert queue.workers() == 0
        there.register_birth()  # type: ignore[no-untyped-call] # RQ has types for most
        assert queue.workers() == 1


def _doctor() -> str:
    return CliRunner().invoke(main, ["doctor", "--json", "--port", "0"]).output


def _be_there(server: Valkey) -> None:
    services = assemble(server.admin(), server_key=b"k" * 32)
    services.store.heartbeats.beat(CLOCK, services.games.clock.now())
    client = redis.Redis(unix_socket_path=server.socket)
    client.sadd("rq:workers", "rq:worker:one")
    client.sadd(f"rq:workers:{QUEUE}", "rq:worker:one")
    client.hset("rq:worker:one", "state", "idle")
