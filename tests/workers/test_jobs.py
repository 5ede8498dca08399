"""Jobs: every name that the service enqueues exists, and a worker on a real store does one."""

import importlib
import time
from pathlib import Path
from typing import ClassVar

import pytest
import redis
from rq import Callback, Queue, SimpleWorker
from rq.serializers import JSONSerializer
from rq.webhook import Webhook

from events.store import SidecarUpdate, Store, connect
from projections import storage
from service.bootstrap import assemble
from service.jobs import JOBS, QUEUE, JobQueue
from service.privacy import rewrite_soon
from tests.integration.store.moves import add, new_game
from tests.support.played import begun, games_on, play
from tests.support.raw import files_in
from tests.support.valkey import valkey
from workers import wiring
from workers.jobs.progress import progress
from workers.worker import ListedJob


@pytest.mark.parametrize("name", JOBS)
def test_every_job_exists(name: str) -> None:
    module, _, function = name.rpartition(".")
    assert callable(getattr(importlib.import_module(module), function))


def test_a_long_game_gets_its_keyframe_by_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with valkey(tmp_path) as server:
        monkeypatch.setattr(wiring, "services", lambda: assemble(connect(server.url), server_key=bytes(32)))
        client = connect(server.url)
        games = games_on(client, enqueue=JobQueue.at(server.url).enqueue)
        club = play(begun(games, "long", seats=4, months=12))
        frames = wiring.services().store.keyframes
        at = storage.EVERY
        assert club.state.version > at
        assert frames.nearest(club.game, storage.NAME, fingerprint=storage.fingerprint(), at=at) is None
        queue = Queue(QUEUE, connection=redis.Redis.from_url(server.url), serializer=JSONSerializer)
        SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer).work(burst=True)
        frame = frames.nearest(club.game, storage.NAME, fingerprint=storage.fingerprint(), at=at)
        assert frame is not None
        assert frame.version == at


def test_a_rewrite_is_begun_by_a_worker_once_the_one_before_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That one may have read what was erased meanwhile."""
    text = b"an utterly private thing"
    with valkey(tmp_path, options=("--rdbcompression", "no")) as server, server.admin() as admin:
        monkeypatch.setattr(wiring, "services", lambda: assemble(connect(server.url), server_key=bytes(32)))
        store, game = Store(connect(server.url)), new_game()
        admin.execute_command("CONFIG", "SET", "rdb-key-save-delay", "20000")  # µs for each key of a rewrite
        for number in range(100):
            admin.set(f"filler {number}", "x")
        add(store, game, b"named", sidecar=SidecarUpdate(texts={"d": text}))
        assert store.sidecar.start_rewrite(game) == "started"
        store.sidecar.erase_texts(game, ["d"], at=5, by="operator")
        assert rewrite_soon(store, game, None) == "left"
        for url, found in (("unix:///nowhere/at/all", "left"), (server.url, "queued")):
            assert rewrite_soon(store, game, JobQueue.at(url)) == found
        queue = Queue(QUEUE, connection=redis.Redis.from_url(server.url), serializer=JSONSerializer)
        SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer).work(burst=True)
        until = time.monotonic() + 30
        while any(text in content for content in files_in(tmp_path).values()):
            assert time.monotonic() < until
            time.sleep(0.05)


def test_a_queue_that_is_away_costs_nothing_but_the_job(caplog: pytest.LogCaptureFixture) -> None:
    JobQueue.at("unix:///nowhere/at/all").enqueue(JOBS[0], "somegame")
    assert "left undone" in caplog.text


def test_progress_is_told_a_hundred_times_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []

    class Noting:
        meta: ClassVar[dict[str, int]] = {}

        def save_meta(self) -> None:
            told.append((self.meta["done"], self.meta["total"]))

    monkeypatch.setattr("workers.jobs.progress.get_current_job", Noting)
    tell = progress()
    for done in range(7, 2535, 7):
        tell(done, 2534)
    tell(2534, 2534)
    assert 50 < len(told) <= 101
    assert told[-1] == (2534, 2534)


def test_a_worker_runs_listed_jobs_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anyone who can write to the queue names a function, a callback or an address: none of them is called."""
    made, ran = tmp_path / "made", list[str]()
    monkeypatch.setattr("workers.jobs.make_keyframes", ran.append)
    monkeypatch.setattr(Webhook, "send", lambda *_args, **_options: made.mkdir())
    (tmp_path / "store").mkdir()
    with valkey(tmp_path / "store") as server:
        queue = Queue(QUEUE, connection=redis.Redis.from_url(server.url), serializer=JSONSerializer)
        foreign = queue.enqueue("os.mkdir", str(made))
        callback = Callback("tests.workers.test_jobs.forbidden")
        queue.enqueue(JOBS[0], "one", on_success=callback, webhooks=[Webhook("http://127.0.0.1:9/", "finished")])
        queue.enqueue("os.rmdir", "nowhere", on_failure=callback)
        worker = SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer, job_class=ListedJob)
        worker.work(burst=True)
        assert foreign.get_status() == "failed"
    assert ran == ["one"]
    assert not made.exists()
    assert not CALLED


CALLED: list[object] = []


def forbidden(*args: object) -> None:
    """Stand for any function of anyone's choice."""
    CALLED.append(args)
