"""Jobs: every name that the service enqueues exists, and a worker on a real store does one."""

import importlib
from pathlib import Path

import pytest
import redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from events.store import Keyframes, connect
from projections import storage
from service.queueing import JOBS, QUEUE, JobQueue
from tests.support.played import begun, games_on, play
from tests.support.valkey import valkey


@pytest.mark.parametrize("name", JOBS)
def test_every_job_exists(name: str) -> None:
    module, _, function = name.rpartition(".")
    assert callable(getattr(importlib.import_module(module), function))


def test_a_long_game_gets_its_keyframe_by_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with valkey(tmp_path) as server:
        monkeypatch.setenv("ROLLBOOK_REDIS_URL", server.url)
        client = connect(server.url)
        games = games_on(client, enqueue=JobQueue.at(server.url).enqueue)
        club = play(begun(games, "long", seats=4, months=12))
        frames = Keyframes(client)
        at = storage.EVERY
        assert club.state.version > at
        assert frames.nearest(club.game, storage.NAME, fingerprint=storage.fingerprint(), at=at) is None
        queue = Queue(QUEUE, connection=redis.Redis.from_url(server.url), serializer=JSONSerializer)
        SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer).work(burst=True)
        frame = frames.nearest(club.game, storage.NAME, fingerprint=storage.fingerprint(), at=at)
        assert frame is not None
        assert frame.version == at


def test_a_queue_that_is_away_costs_nothing_but_the_job(caplog: pytest.LogCaptureFixture) -> None:
    JobQueue.at("unix:///nowhere/at/all").enqueue(JOBS[0], "somegame")
    assert "left undone" in caplog.text
