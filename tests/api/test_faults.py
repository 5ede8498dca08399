"""Something is wrong with the store, the history or ourselves: a problem says so, and a log without secrets."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events.store import (
    HeadLog,
    HistoryForked,
    StoreError,
    StoreFull,
    StoreUnavailable,
    StreamDamaged,
    VolatileStore,
    connect,
)
from events.store.keys import game_keys
from projections.evolve import UnknownEvent
from projections.replay import BrokenChain
from service.bootstrap import Services, assemble
from service.errors import Busy, Frozen, UnsupportedRules
from tests.api.checked import Api, ok, refused
from tests.api.conftest import restarted
from tests.api.tables import Table, play, started
from tests.support.databases import DATABASES, meddler

KEY = b"a key of at least thirty-two bytes"
ADDRESS = "redis://:hunter2@10.0.0.7:6379"

FAULTS: dict[str, tuple[Exception, int, str]] = {
    "gone": (StoreUnavailable(f"the store does not answer: {ADDRESS}"), 503, "store_unavailable"),
    "full": (StoreFull("OOM"), 503, "store_full"),
    "refused": (StoreError(f"the store refused a command: {ADDRESS}"), 503, "store_error"),
    "damaged": (StreamDamaged("key rb:{07}:x:hd"), 503, "game_frozen"),
    "forked": (HistoryForked("x"), 503, "game_frozen"),
    "broken": (BrokenChain(7), 503, "game_frozen"),
    "unknown": (UnknownEvent(7, "later"), 503, "game_frozen"),
    "frozen": (Frozen("The store has lost events."), 503, "game_frozen"),
    "busy": (Busy("Others were faster."), 503, "busy"),
    "rules": (UnsupportedRules("Rules 9."), 409, "unsupported_rules"),
    "fault": (RuntimeError(f"secret of {ADDRESS}"), 500, "internal_error"),
    "assertion": (AssertionError("roll: refused after a draw"), 500, "internal_error"),
    "recursion": (RecursionError(), 500, "internal_error"),
}


def failing(error: Exception) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> Any:
        raise error

    return fail


@pytest.mark.parametrize(("error", "status", "code"), FAULTS.values(), ids=FAULTS)
def test_every_fault_is_a_problem_that_tells_nothing(
    api: Api,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    status: int,
    code: str,
) -> None:
    table = started(api)
    seat, body = table.active(), table.body()
    monkeypatch.setattr(api.app.extensions["rollbook"].store.streams, "append", failing(error))
    answer = table.act(seat, body, key="my secret key")
    refused(answer, status, code)
    assert ("Retry-After" in answer.headers) == (status == 503)
    for word in ("hunter2", "10.0.0.7", "Traceback", "rb:{", "refused after"):
        assert word not in answer.text
    told = caplog.text.replace(str(error), "")  # what the store itself said may stand in our log
    assert "my secret key" not in told
    assert table.seats[seat] not in told
    assert (status == 500) == ("Traceback" in caplog.text and "fault in POST" in caplog.text)
    monkeypatch.undo()
    ok(table.act(seat, body, key="my secret key"))


def test_a_store_that_does_not_answer_is_not_ready_and_alive(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ok(api.get("/readyz"))["status"] == "ready"
    gone = failing(StoreUnavailable(ADDRESS))
    monkeypatch.setattr(api.app.extensions["rollbook"].store, "now", gone)
    answer = api.get("/readyz")
    refused(answer, 503, "store_unavailable")
    assert "hunter2" not in answer.text
    assert ok(api.get("/healthz")) == {"status": "alive"}


def test_a_store_that_began_to_forget_is_not_ready(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Services, "durability", failing(VolatileStore("The store keeps no append-only file.")))
    refused(api.get("/readyz"), 503, "store_error")


def test_on_a_full_store_an_overdue_game_can_still_be_read(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default at the deadline cannot be written; that is no reason to show nothing."""
    table = started(api, options={"turn_seconds": 1})
    services = api.app.extensions["rollbook"]
    now = services.games.clock.now()
    monkeypatch.setattr(services.games.clock, "now", lambda: now + 60_000)
    monkeypatch.setattr(services.store.streams, "append", failing(StoreFull("OOM")))
    before = table.state()
    refused(table.act(table.active(), table.body()), 409, "too_late")
    assert table.state() == before
    monkeypatch.undo()
    monkeypatch.setattr(services.games.clock, "now", lambda: now + 60_000)
    assert table.version > before["version"]


def on(server: str, folder: Path) -> Api:
    client = connect(server)
    heads = HeadLog(folder / "heads.log")
    return restarted(assemble(client, server_key=KEY, heads=heads, allow_volatile=True))


def test_a_game_that_lost_its_tail_is_frozen_and_the_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """S41: found at start, named in the log, read as far as it goes, and never played on."""
    server = DATABASES.new()
    api = on(server, tmp_path)
    lost, whole = started(api), started(api)
    body, seat = lost.body(), lost.active()
    cut(meddler(server), lost)
    with caplog.at_level(logging.ERROR):
        again = on(server, tmp_path)
    assert lost.game in caplog.text
    assert whole.game not in caplog.text
    assert ok(again.get("/readyz"))["frozen"] == 1
    lost.api = whole.api = again
    before = lost.state()
    for answer in (lost.act(seat, body), again.post(f"{lost.path}/start", token=lost.host)):
        problem = refused(answer, 503, "game_frozen")
        assert lost.game in problem["detail"]
    assert lost.state() == before
    (finding,) = ok(again.get(f"{lost.path}/verification"))["findings"]
    assert finding["check"] == "acknowledged"
    assert ok(again.get(f"{whole.path}/verification"))["findings"] == []
    ok(whole.act(whole.active(), whole.body()))


@pytest.mark.parametrize("left", ["nothing", "all but the stream"])
def test_no_game_is_opened_in_the_place_of_one_that_was_lost(tmp_path: Path, left: str) -> None:
    """The creation is sent once more, and its game was acknowledged: the store lost it while the service ran."""
    server = DATABASES.new()
    api, client = on(server, tmp_path), meddler(server)
    book = {"rulebook": "public_assistance"}
    made = ok(api.post("/v1/games", book, key="opened only once"))
    ok(api.post(f"/v1/games/{made['game']}/seats", {"name": "Ann"}, token=made["join_code"]))
    keys = client.keys(f"*:{made['game']}:*")
    assert keys
    client.delete(*(keys if left == "nothing" else [game_keys(made["game"]).stream]))
    for key in ("opened only once", "opened only once"):
        problem = refused(api.post("/v1/games", book, key=key), 503, "game_frozen")
        assert made["game"] in problem["detail"]
    assert client.keys(f"*:{made['game']}:ev") == []
    ok(api.post("/v1/games", book, key="opened after that"))


def test_a_lost_game_is_not_answered_for_without_a_log_of_heads(api: Api) -> None:
    """What the store answers of the action is there, and what it led to is not."""
    made = ok(api.post("/v1/games", {"rulebook": api.rulebook}, key="opened only once"))
    api.app.extensions["rollbook"].client.delete(game_keys(made["game"]).stream)
    refused(api.post("/v1/games", {"rulebook": api.rulebook}, key="opened only once"), 503, "game_frozen")


def test_a_hole_is_found_at_start(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Head and tail agree with the log of heads, and an entry between them is gone."""
    server = DATABASES.new()
    table = started(on(server, tmp_path))
    version = table.version
    meddler(server).xdel(game_keys(table.game).stream, "3-0")
    with caplog.at_level(logging.ERROR):
        again = on(server, tmp_path)
    assert f"of {version}, {version - 1} are there" in caplog.text
    assert ok(again.get("/readyz"))["frozen"] == 1


def cut(client: Any, table: Table) -> None:
    """Take the last event away, and set the head record back: what a cut append-only file leaves."""
    keys = game_keys(table.game)
    (place, _), (before, fields) = client.xrevrange(keys.stream, count=2)
    client.xdel(keys.stream, place)
    client.hset(keys.head, mapping={"v": before.partition(b"-")[0], "h": fields[b"h"]})


def test_a_running_service_notices_that_the_store_lost_something(api: Api) -> None:
    """A fold that is ahead of the store freezes the game."""
    table = started(api)
    body, seat = table.body(), table.active()
    cut(api.app.extensions["rollbook"].client, table)
    refused(table.act(seat, body), 503, "game_frozen")
    refused(api.get(table.path), 503, "game_frozen")


def test_a_deleted_stream_is_not_begun_again(api: Api) -> None:
    table = started(api)
    body, seat = table.body(), table.active()
    api.app.extensions["rollbook"].client.delete(game_keys(table.game).stream)
    refused(table.act(seat, body), 503, "game_frozen")


def test_a_changed_byte_is_found_by_the_verification(api: Api) -> None:
    table = started(api)
    play(table, 3)
    client = api.app.extensions["rollbook"].client
    stream = game_keys(table.game).stream
    rows = client.xrange(stream)
    client.delete(stream)
    for number, (place, fields) in enumerate(rows, start=1):
        changed = fields[b"e"].replace(b'"turn":0', b'"turn":9') if number == 3 else fields[b"e"]
        client.xadd(stream, {"e": changed, "h": fields[b"h"]}, id=place)
    report = ok(api.get(f"{table.path}/verification"))
    assert report["sound"] is False
    assert report["findings"][0]["version"] == 3
