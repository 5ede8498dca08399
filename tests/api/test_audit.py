"""Audits over HTTP: the bundle, and jobs that a worker does."""

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from rq import Queue, SimpleWorker
from rq.job import Job as RqJob
from rq.job import JobStatus
from rq.serializers import JSONSerializer

from events.store.keys import game_keys
from service.api.app import create_app
from service.audit.audit import audit_game
from service.audit.bundle import verify_bundle
from service.bootstrap import Services
from service.jobs import QUEUE, JobQueue
from service.rules.rulebooks import RULES
from tests.api.checked import Api, ok, refused
from tests.api.conftest import services as assembled
from tests.api.tables import Table, seated, started
from tests.support.raw import everything_in
from workers import wiring


@pytest.fixture
def table(api: Api, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(wiring, "services", lambda: services_of(api))
    return started(api)


def services_of(api: Api) -> Services:
    found: Services = api.app.extensions["rollbook"]
    return found


@pytest.fixture(autouse=True)
def an_empty_queue(api: Api) -> Iterator[None]:
    yield
    services_of(api).client.execute_command("DEL", queue_of(api).key)


def queue_of(api: Api) -> Queue:
    connection: Any = services_of(api).client
    return Queue(QUEUE, connection=connection, serializer=JSONSerializer)


def work(api: Api) -> None:
    queue = queue_of(api)
    SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer).work(burst=True)


def test_a_game_is_audited_by_a_worker(table: Table) -> None:
    """Asked for, waited for, kept; the report is of the whole game."""
    api, path = table.api, f"{table.path}/audit"
    refused(api.get(path), 404, "no_audit")
    asked = api.post(path)
    assert asked.status_code == 202
    job = ok(asked)
    assert (job["status"], job["kind"], job["game"]) == ("queued", "audit_game", table.game)
    assert asked.headers["Location"] == f"/v1/jobs/{job['job']}"
    work(api)
    done = ok(api.get(asked.headers["Location"]))
    assert (done["status"], done["done"], done["total"]) == ("finished", table.version, table.version)
    report = ok(api.get(path))
    assert (report["sound"], report["version"], report["head"]) == (True, table.version, table.state()["head"])
    assert report["execution"] == {"outcome": "same", "version": 0}
    assert any(line.startswith("chance: outcomes were not checked") for line in report["unchecked"])


def test_every_option_that_was_set_is_decided_anew(api: Api) -> None:
    """Also those whose value is a list: on the stream it is read back as one."""
    lobby = seated(api)
    for name, (value, _) in RULES[api.rulebook].options.known.items():
        ok(api.call("PUT", f"{lobby.path}/options", {"options": {name: value}}, token=lobby.host))
    report = audit_game(services_of(api).games, lobby.game)
    assert (report.findings, str(report.execution)) == ([], "same")


def test_one_audit_at_a_time(table: Table) -> None:
    """Asked for twice, with a key or without: one job; once it is over, a new one, but for the key that made it."""
    api, path = table.api, f"{table.path}/audit"
    for key in ("first", "first", "second", None):
        assert ok(api.post(path, key=key))["status"] == "queued"
    assert len(queue_of(api)) == 1
    work(api)
    assert ok(api.post(path, key="first"))["status"] == "finished"
    assert ok(api.post(path, key="second"))["status"] == "queued"
    work(api)
    assert ok(api.post(path))["status"] == "queued"


def test_the_key_of_a_request_is_kept_nowhere(table: Table) -> None:
    """A client that uses it elsewhere, too, would be given away: anyone who has it gets what that request got."""
    key = "zanzibar-4711"
    ok(table.api.post(f"{table.path}/audit", key=key))
    assert key.encode() not in everything_in(services_of(table.api).client)


def test_a_failed_audit_can_be_asked_for_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker dies of something: the job says so, in no more than a word, and the next one is good."""
    api, path = table.api, f"{table.path}/audit"
    with monkeypatch.context() as broken:
        broken.setattr("workers.jobs.audit.perform", lambda *_: 1 / 0)
        job = ok(api.post(path, key="mine"))["job"]
        work(api)
    failed = api.get(f"/v1/jobs/{job}")
    assert ok(failed)["status"] == "failed"
    assert "Traceback" not in failed.text
    assert ok(api.post(path, key="mine"))["status"] == "queued"
    work(api)
    assert ok(api.get(f"/v1/jobs/{job}"))["status"] == "finished"


def test_an_audit_that_ran_while_it_was_asked_for_again(table: Table) -> None:
    """A second request meets the one that runs, and leaves it alone."""
    api, path = table.api, f"{table.path}/audit"
    job = ok(api.post(path))["job"]
    RqJob.fetch(job, connection=queue_of(api).connection, serializer=JSONSerializer).set_status(JobStatus.STARTED)
    assert ok(api.post(path))["status"] == "running"
    assert len(queue_of(api)) == 1


def test_findings_are_reported(table: Table) -> None:
    """A byte is changed behind the store's back: the report says where."""
    api = table.api
    services = services_of(api)
    entries = services.store.streams.read(table.game)
    key = game_keys(table.game).stream
    services.client.execute_command("DEL", key)
    for version, entry in enumerate(entries, start=1):
        data = re.sub(rb'"places":[0-9]', b'"places":7', entry.data) if version == 1 else entry.data
        services.client.execute_command("XADD", key, f"{version}-0", "e", data, "h", entry.link)
    ok(api.post(f"{table.path}/audit"))
    work(api)
    report = ok(api.get(f"{table.path}/audit"))
    assert report["sound"] is False
    assert {(found["version"], found["check"]) for found in report["findings"]} == {(1, "chain")}


def test_jobs_that_are_none(api: Api) -> None:
    for job in ("audit_game-nosuch", "tea-nosuch", f"audit_game-{started(api).game}"):
        refused(api.get(f"/v1/jobs/{job}"), 404, "no_such_job")
    for job in ("audit_game", "audit_game-../x", "AUDIT-x"):
        refused(api.get(f"/v1/jobs/{job}"), 404, "not_found")


def test_a_queue_that_is_away() -> None:
    """The caller learns of it; what needs no queue goes on."""
    services = assembled()
    for jobs_there in (JobQueue.at("unix:///nowhere/at/all"), None):
        api = Api(create_app(replace(services, jobs=jobs_there)))
        table = started(api)
        refused(api.post(f"{table.path}/audit"), 503, "queue_unavailable")
        refused(api.get(f"/v1/jobs/audit_game-{table.game}"), 503, "queue_unavailable")
        refused(api.get(f"{table.path}/audit"), 404, "no_audit")


def test_a_bundle_is_checked_without_the_service(table: Table) -> None:
    """Streamed as NDJSON under the game's name; it holds what people typed."""
    answer = table.api.get(f"{table.path}/bundle")
    assert answer.mimetype == "application/x-ndjson"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{table.game}.ndjson"'
    report = verify_bundle(io.BytesIO(answer.data))
    assert (report.findings, report.game, report.version) == ([], table.game, table.version)
    assert all(msgspec.json.decode(line) for line in answer.data.splitlines())
