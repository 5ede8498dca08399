"""The page that replays a game, over HTTP: made once by a worker, watched, served, made again when it failed."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from rq import Queue, SimpleWorker
from rq.executions import Execution
from rq.job import Job as RqJob
from rq.job import JobStatus
from rq.serializers import JSONSerializer
from rq.utils import now, utcformat

from service.errors import QueueUnavailable
from service.jobs import LOST_SECONDS, QUEUE
from service.replay import pages as keeping
from service.replay.page import write_page
from tests.api.checked import Api, ok, refused
from tests.api.tables import Table, started
from workers import wiring
from workers.jobs import replay_page


@pytest.fixture
def table(api: Api, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(wiring, "services", lambda: api.app.extensions["rollbook"])
    return started(api)


@pytest.fixture(autouse=True)
def an_empty_queue(api: Api) -> Iterator[None]:
    yield
    client(api).execute_command("DEL", queue_of(api).key)


def client(api: Api) -> Any:
    return api.app.extensions["rollbook"].client


def queue_of(api: Api) -> Queue:
    return Queue(QUEUE, connection=client(api), serializer=JSONSerializer)


def work(api: Api) -> None:
    queue = queue_of(api)
    SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer).work(burst=True)


def test_a_page_is_made_and_served(table: Table) -> None:
    """Asked for, told how far it is, and then there, under a policy that lets it run its own script alone."""
    api, path = table.api, f"{table.path}/replay.html"
    refused(api.get(path), 404, "no_page")
    asked = api.post(path)
    job = ok(asked)
    assert (asked.status_code, asked.headers["Location"], job["status"]) == (202, path, "queued")
    waiting = api.get(path)
    assert refused(waiting, 409, "page_not_ready")["progress"] == {"status": "queued", "done": 0, "total": 0}
    assert waiting.headers["Retry-After"] == "1"
    work(api)
    assert ok(api.get(f"/v1/jobs/{job['job']}"))["done"] == table.version
    page = api.get(path)
    assert (page.status_code, page.mimetype) == (200, "text/html")
    policy = page.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "sandbox allow-scripts" in policy
    assert b'"upto":%d' % table.version in page.data
    assert page.data.rstrip().endswith(b"</html>")


@pytest.mark.parametrize("lost", ["its place in the queue", "its worker"])
def test_what_the_queue_has_lost_can_be_asked_for_again(table: Table, lost: str) -> None:
    """RQ's keys go one by one, or a worker and all that RQ knew of it: the job would wait for good, or run for good."""
    api, path = table.api, f"{table.path}/replay.html"
    job = RqJob.fetch(ok(api.post(path))["job"], connection=client(api), serializer=JSONSerializer)
    long_ago = utcformat(now() - timedelta(seconds=LOST_SECONDS + 1))
    if lost == "its worker":
        job.set_status(JobStatus.STARTED)
        client(api).execute_command("HSET", job.key, "last_heartbeat", long_ago)
    else:
        client(api).execute_command("HSET", job.key, "enqueued_at", long_ago)
        assert ok(api.post(path))["status"] == "queued"  # it waits for a worker, however long
    client(api).execute_command("DEL", queue_of(api).key)
    refused(api.get(path), 404, "no_page")
    assert ok(api.get(f"/v1/jobs/{job.id}"))["status"] == "failed"
    assert ok(api.post(path))["status"] == "queued"
    work(api)
    assert api.get(path).status_code == 200


def test_a_job_that_runs_says_how_far_it_is(table: Table) -> None:
    api, path = table.api, f"{table.path}/replay.html"
    job = RqJob.fetch(ok(api.post(path))["job"], connection=client(api), serializer=JSONSerializer)
    job.set_status(JobStatus.STARTED)
    job.meta.update(done=7, total=21)
    job.save_meta()  # type: ignore[no-untyped-call] # RQ has types for most
    assert refused(api.get(path), 409, "page_not_ready")["progress"] == {"status": "running", "done": 7, "total": 21}


def test_the_same_request_twice_makes_it_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is made, and after; once the game has gone on, it is made again."""
    api, path, made = table.api, f"{table.path}/replay.html", []
    perform = replay_page.perform

    def counted(*arguments: Any) -> int:
        made.append(perform(*arguments))
        return made[-1]

    monkeypatch.setattr(replay_page, "perform", counted)
    first = ok(api.post(path))
    assert ok(api.post(path)) == first
    assert len(queue_of(api)) == 1
    work(api)
    assert ok(api.post(path))["status"] == "finished"
    work(api)
    assert made == [table.version]
    table.step()
    assert ok(api.post(path))["status"] == "queued"
    work(api)
    assert made[1:] == [table.version]
    assert b'"upto":%d' % table.version in api.get(path).data


def test_one_that_failed_can_be_asked_for_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    api, path = table.api, f"{table.path}/replay.html"

    def fails(*_arguments: Any, **_options: Any) -> Iterator[bytes]:
        yield b"half a page"
        message = "no more"
        raise RuntimeError(message)

    with monkeypatch.context() as broken:
        broken.setattr(replay_page, "write_page", fails)
        api.post(path)
        work(api)
    assert "could not be made" in refused(api.get(path), 404, "no_page")["detail"]
    assert ok(api.post(path))["status"] == "queued"
    work(api)
    assert api.get(path).status_code == 200


@pytest.mark.parametrize("what", ["replay.html", "audit"])
def test_one_whose_worker_was_killed_can_be_asked_for_again(table: Table, what: str) -> None:
    """As RQ leaves it: the job has failed, and lists a run that is forgotten already."""
    api, path = table.api, f"{table.path}/{what}"
    redis = client(api)
    job = RqJob.fetch(ok(api.post(path))["job"], connection=redis, serializer=JSONSerializer)
    with redis.pipeline() as pipeline:
        run = Execution.create(job, ttl=90, pipeline=pipeline)
        pipeline.execute()
    redis.delete(run.key)
    queue_of(api).remove(job)
    job.set_status(JobStatus.FAILED)
    assert ok(api.post(path))["status"] == "queued"
    assert queue_of(api).job_ids == [job.id]


def test_a_page_is_kept_for_an_hour_in_pieces(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "PIECE", 2000)
    api, path = table.api, f"{table.path}/replay.html"
    api.post(path)
    work(api)
    page = api.get(path).data
    keys = list(client(api).keys(f"rollbook:page:{table.game}*"))
    assert len(keys) == 2
    assert all(0 < client(api).ttl(key) <= 3600 for key in keys)
    assert len(page) > 10 * 2000
    for key in keys:
        client(api).delete(key)
    refused(api.get(path), 404, "no_page")
    assert ok(api.post(path))["status"] == "queued"


def test_a_page_of_a_private_game_is_for_those_who_know_it(api: Api) -> None:
    table = started(api, private=True)
    for method in ("GET", "POST"):
        refused(api.call(method, f"{table.path}/replay.html"), 404, "no_such_game")
    assert ok(api.post(f"{table.path}/replay.html", token=table.watch))["status"] == "queued"


def erase(table: Table, seat: int) -> None:
    ok(table.api.call("DELETE", f"{table.path}/seats/{seat}/texts", token=table.seats[seat]))


def kept(table: Table) -> bytes:
    """All that is there of pages of this game."""
    there = client(table.api)
    keys = there.execute_command("KEYS", f"rollbook:page:{table.game}:*")
    return b"".join(piece for key in keys for piece in there.execute_command("LRANGE", key, 0, -1))


def test_a_page_is_gone_with_the_texts_that_were_erased(table: Table) -> None:
    """From the answers and from the store; what is made after it has them no more."""
    api, path = table.api, f"{table.path}/replay.html"
    api.post(path)
    work(api)
    assert b"Bob" in api.get(path).data
    assert b"Bob" in kept(table)
    erase(table, 2)
    refused(api.get(path), 404, "no_page")
    assert b"Bob" not in kept(table)
    assert ok(api.post(path))["status"] == "queued"
    work(api)
    page = api.get(path)
    assert (page.status_code, b"Bob" in page.data, b"Ann" in page.data) == (200, False, True)


def test_a_page_that_was_being_made_meanwhile_is_made_anew(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    api, path, made = table.api, f"{table.path}/replay.html", []

    def written(*arguments: Any, **options: Any) -> Iterator[bytes]:
        pieces = list(write_page(*arguments, **options))
        made.append(b"Bob" in b"".join(pieces))
        if len(made) == 1:
            erase(table, 2)
        yield from pieces

    monkeypatch.setattr(replay_page, "write_page", written)
    api.post(path)
    work(api)
    assert made == [True, False]
    page = api.get(path)
    assert (page.status_code, b"Bob" in page.data) == (200, False)
    assert b"Bob" not in kept(table)


def test_a_page_whose_removal_failed_is_given_to_nobody(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    api, path = table.api, f"{table.path}/replay.html"
    api.post(path)
    work(api)

    def down(_pages: keeping.Pages, _game: str) -> None:
        message = "the queue is down"
        raise QueueUnavailable(message)

    monkeypatch.setattr(keeping.Pages, "forget", down)
    answer = ok(api.call("DELETE", f"{table.path}/seats/2/texts", token=table.seats[2]))
    assert answer["rewrite"] == "left"
    refused(api.get(path), 404, "no_page")
