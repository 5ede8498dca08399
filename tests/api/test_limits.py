"""What one process takes at once: one more is refused, others are served, and a place that was left is free."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.api.http import edge
from service.api.http.edge import Gate
from service.limits import Limits
from tests.api.checked import Api, ok, refused
from tests.api.tables import Table, started

SSE = {"Accept": "text/event-stream"}
MANY = Limits()
Limited = Callable[..., Gate]

pytestmark = pytest.mark.parametrize("api", ["public_assistance"], indirect=True, scope="module")


@pytest.fixture
def limited(api: Api) -> Iterator[Limited]:
    """Put a gate with other limits before the application; gives what does it."""
    app, usual = api.app, api.app.extensions["rollbook.gate"]

    def put(gate: Gate) -> None:
        app.extensions["rollbook.gate"] = gate
        app.wsgi_app = gate  # type: ignore[method-assign] # Flask's own way

    def limit(**limits: int) -> Gate:
        gate = Gate(usual._app, replace(MANY, **limits))
        put(gate)
        return gate

    yield limit
    put(usual)


@pytest.fixture(scope="module")
def table(api: Api) -> Table:
    return started(api)


@pytest.fixture(scope="module")
def other(api: Api) -> Table:
    return started(api)


def look(table: Table, token: str = "", address: str = "192.0.2.1", **options: Any) -> TestResponse:
    return table.api.get(
        options.pop("path", table.path), token=token or None, environ_overrides={"REMOTE_ADDR": address}, **options
    )


@contextmanager
def held(table: Table, kind: str, token: str = "", address: str = "192.0.2.1") -> Iterator[None]:
    """Keep one request of a kind unanswered, as long as the context lasts."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    options: dict[str, Any] = {"environ_overrides": {"REMOTE_ADDR": address}, "buffered": False}
    if kind == "polls":
        with polling(table, headers, options):
            yield
        return
    # An answer that nobody reads to its end is in flight.
    answer = table.api.client.get(f"{table.path}/events", headers=headers | kinds(kind), **options)
    assert answer.status_code == 200, answer.data
    try:
        yield
    finally:
        answer.close()


def kinds(kind: str) -> dict[str, str]:
    return SSE if kind == "streams" else {"Accept": "application/x-ndjson"}


@contextmanager
def polling(table: Table, headers: dict[str, str], options: dict[str, Any]) -> Iterator[None]:
    watcher, before = (
        table.api.app.extensions["rollbook"].watcher,
        table.api.app.extensions["rollbook"].watcher.waiting(),
    )
    client = table.api.app.test_client()
    path = f"{table.path}/events?after={table.version}&wait=30"
    poll = threading.Thread(target=lambda: client.get(path, headers=headers, **{**options, "buffered": True}))
    poll.start()
    try:
        while watcher.waiting() == before:
            assert poll.is_alive()
            time.sleep(0.005)
        yield
    finally:
        if poll.is_alive():
            table.step()
        poll.join(20)


SCOPES = {
    # scope: the status and code of who is one too many, and who is not: another game, address, token
    "process": (503, {}),
    "game": (503, {"game": "other"}),
    "address": (429, {"address": "192.0.2.2"}),
    "token": (429, {"token": "host"}),
}


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("kind", ["requests", "streams", "polls"])
def test_one_more_is_refused_and_others_are_served(
    table: Table, other: Table, limited: Limited, kind: str, scope: str
) -> None:
    limited(**{kind if scope == "process" else f"{kind}_per_{scope}": 2})
    status, elsewhere = SCOPES[scope]
    mine = table.seats[1]
    options: dict[str, Any] = {"headers": kinds(kind)} if kind != "polls" else {}
    path = "/events" + (f"?after={table.version}&wait=1" if kind == "polls" else "")
    with held(table, kind, mine), held(table, kind, mine):
        answer = look(table, mine, path=table.path + path, **options)
        codes = {"requests": "overloaded", "streams": "too_many_watchers", "polls": "too_many_watchers"}
        refused(answer, status, codes[kind] if status == 503 else "too_many_requests")
        assert int(answer.headers["Retry-After"]) >= 1
        if kind != "requests":
            ok(look(table, mine))
        if elsewhere:
            there = other if "game" in elsewhere else table
            token = there.host if "token" in elsewhere else there.seats[1]
            with held(there, kind, token, elsewhere.get("address", "192.0.2.1")):
                pass
    with held(table, kind, mine):
        pass
    assert table.api.app.extensions["rollbook.gate"].crowds[kind].used == 0


def test_a_network_of_ipv6_is_one_address(table: Table, limited: Limited) -> None:
    """A household has 2^64 addresses of it."""
    limited(requests_per_address=1)
    with held(table, "requests", address="2001:db8:1:2::1"):
        refused(look(table, address="2001:db8:1:2:ffff::9"), 429, "too_many_requests")
        ok(look(table, address="2001:db8:1:3::1"))
        ok(look(table, address="fe80::1%eth0"))
    with held(table, "requests", address="::ffff:192.0.2.1"):
        refused(look(table, address="192.0.2.1"), 429, "too_many_requests")
        ok(look(table, address="::ffff:192.0.2.2"))


@pytest.mark.parametrize("scope", ["address", "token"])
def test_requests_come_no_faster_than_they_may(table: Table, limited: Limited, scope: str) -> None:
    limited(**{f"rate_per_{scope}": 3})
    for _ in range(3):
        ok(look(table, table.seats[1]))
    answer = look(table, table.seats[1])
    assert scope in refused(answer, 429, "too_many_requests")["detail"]
    assert 1 <= int(answer.headers["Retry-After"]) <= 20
    if scope == "token":
        ok(look(table, table.seats[2]))
    ok(look(table, table.seats[2], address="192.0.2.2"))


def test_a_window_counts_less_and_less_once_it_is_over(monkeypatch: pytest.MonkeyPatch, api: Api) -> None:
    """Nobody sends twice as much around the change of two windows; after two of them all is forgotten."""
    now = 1000.0
    monkeypatch.setattr("service.api.http.edge.time.monotonic", lambda: now)
    rates, owner = edge.Rates({"token": 4}), ("token", "one")
    assert [rates.wait(owner, 4) for _ in range(5)] == [0, 0, 0, 0, 10]
    now = 1010.0
    assert rates.wait(owner, 4) == 10
    assert rates.wait(("token", "another"), 4) == 0
    now = 1015.0
    assert [rates.wait(owner, 4) for _ in range(3)] == [0, 0, 5]
    now = 1040.0
    assert [rates.wait(owner, 4) for _ in range(5)] == [0, 0, 0, 0, 10]


def test_a_token_is_the_same_however_it_is_written(table: Table, limited: Limited) -> None:
    limited(rate_per_token=1)
    ok(look(table, headers={"Authorization": f"Bearer {table.host}"}))
    refused(look(table, headers={"Authorization": f"bearer  {table.host}"}), 429, "too_many_requests")


def test_zero_is_any_number(table: Table, limited: Limited) -> None:
    limited(rate_per_token=0, rate_per_address=0)
    for _ in range(20):
        ok(look(table, table.host))


def test_health_is_answered_however_much_there_is_to_do(table: Table, limited: Limited) -> None:
    """It says then that the next request would be refused."""
    limited(requests=1, rate_per_address=1)
    with held(table, "requests"):
        assert ok(look(table, path="/healthz")) == {"status": "alive"}
        problem = refused(look(table, path="/readyz"), 503, "overloaded")
        assert problem["detail"] == "This process has as many requests in flight as it takes: 1."
    ready = ok(look(table, path="/readyz"))
    assert ready["limits"]["requests"] == {"used": 0, "limit": 1}
    assert set(ready["limits"]) == {"requests", "streams", "polls", "connections", "store_connections"}
    assert 0 <= ready["limits"]["store_connections"]["used"] < ready["limits"]["store_connections"]["limit"] == 100


def test_full_streams_make_nothing_red(table: Table, limited: Limited) -> None:
    """Any other request is answered."""
    limited(streams=1)
    with held(table, "streams"):
        assert ok(look(table, path="/readyz"))["limits"]["streams"] == {"used": 1, "limit": 1}


def test_a_lost_subscription_makes_it_red(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api.app.extensions["rollbook"].watcher, "_deaf", True)
    assert "subscription" in refused(api.get("/readyz"), 503, "store_unavailable")["detail"]


@pytest.mark.parametrize("path", ["/verification", "/ledger/explain?account=seat:1", "/ledger/policy"])
def test_few_whole_games_are_read_at_a_time(
    table: Table, limited: Limited, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """The next waits its turn, and is refused after a while."""
    monkeypatch.setattr(edge, "PATIENCE", 0.05)
    gate = limited(heavy=1)
    with gate.heavy:
        refused(look(table, path=table.path + path), 503, "overloaded")
        ok(look(table))
    ok(look(table, path=table.path + path))


def test_a_connection_too_many_is_answered_and_counted_no_more(table: Table, limited: Limited) -> None:
    gate = limited(connections_per_address=2)
    assert [gate.connect("192.0.2.1") for _ in range(2)] == [b"", b""]
    head, _, body = gate.connect("192.0.2.1").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 429 ")
    assert b"Connection: close" in head
    assert b'"code":"too_many_requests"' in body
    assert gate.connect("192.0.2.2") == b""
    gate.disconnect("192.0.2.1")
    assert gate.connect("192.0.2.1") == b""
    assert gate.use()["connections"]["used"] == 3
