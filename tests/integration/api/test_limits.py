"""The limits of a real process: what is too much or too slow is answered or cut, and everything else goes on."""

import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from tests.integration.api.conftest import gunicorn
from tests.support.http import Client, Table
from tests.support.serving import LONG, until
from tests.support.valkey import valkey

SSE = "Accept: text/event-stream\r\n"
SMALL = {
    "requests_per_address": 40,
    "streams": 3,
    "streams_per_game": 3,
    "polls_per_token": 2,
    "connections_per_address": 60,
    "body_seconds": 1,
    "send_seconds": 1,
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One process with small limits."""
    data = tmp_path_factory.mktemp("data")
    with valkey(tmp_path_factory.mktemp("store")) as store, gunicorn(store, data, workers=1, limits=SMALL) as url:
        yield Client(url)


@pytest.fixture(scope="module")
def table(small: Client) -> Table:
    table = Table.open(small)
    table.play(2)
    return table


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as all_of_it:
        yield all_of_it


def connected(client: Client, stack: ExitStack) -> socket.socket:
    """A connection of its own."""
    place = urlsplit(client.base)
    return stack.enter_context(socket.create_connection((place.hostname or "", place.port or 0), timeout=LONG))


def asked(client: Client, stack: ExitStack, path: str, headers: str = "", method: str = "GET") -> socket.socket:
    """A connection on which a request was sent."""
    connection = connected(client, stack)
    connection.sendall(f"{method} {path} HTTP/1.1\r\nHost: here\r\n{headers}\r\n".encode())
    return connection


def head(connection: socket.socket) -> tuple[int, bytes]:
    """Status and all that came with it at once."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        assert piece, data
        data += piece
    return int(data.split(b" ", 2)[1]), data


def rest(connection: socket.socket) -> bytes:
    """All that comes until the connection ends, however it does."""
    parts = []
    try:
        while piece := connection.recv(65536):
            parts.append(piece)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def used(client: Client, kind: str) -> int:
    return int(Client(client.base).call("GET", "/readyz").json()["limits"][kind]["used"])


def test_streams_beyond_the_limit_are_refused_and_pass_later(small: Client, table: Table, stack: ExitStack) -> None:
    path = f"/v1/games/{table.game}/events"
    streams = [asked(small, stack, path, SSE) for _ in range(3)]
    assert [head(stream)[0] for stream in streams] == [200, 200, 200]
    status, answer = head(asked(small, stack, path, SSE))
    assert (status, b"\r\nRetry-After: " in answer, b"too_many_watchers" in answer) == (503, True, True)
    assert Client(small.base).call("GET", path).status_code == 200
    assert used(small, "streams") == 3
    streams[0].close()
    table.play(3)
    until(lambda: head(asked(small, stack, path, SSE))[0] == 200, "the place of a closed stream is free")
    for stream in streams:
        stream.close()


def test_polls_with_one_token_are_refused_and_those_of_others_wait(
    small: Client, table: Table, stack: ExitStack
) -> None:
    first, second = list(table.tokens.values())[:2]
    version = Client(small.base).call("GET", f"/v1/games/{table.game}").json()["version"]
    path = f"/v1/games/{table.game}/events?wait=2&after={version}"
    mine, other = f"Authorization: Bearer {first}\r\n", f"Authorization: Bearer {second}\r\n"
    held = [asked(small, stack, path, mine) for _ in range(2)]
    until(lambda: used(small, "polls") == 2, "both wait")
    assert head(asked(small, stack, path, mine))[0] == 429
    assert head(asked(small, stack, path, other))[0] == 200
    assert [head(poll)[0] for poll in held] == [200, 200]
    assert head(asked(small, stack, path, mine))[0] == 200


def test_connections_beyond_the_limit_are_answered_and_closed(small: Client, stack: ExitStack) -> None:
    """Those that are there go on; with one fewer, another is served."""
    kept = asked(small, stack, "/healthz")
    assert head(kept)[0] == 200
    idle = [connected(small, stack) for _ in range(59)]
    until(lambda: head(asked(small, stack, "/healthz"))[0] == 429, "all have been taken on")
    refused = asked(small, stack, "/healthz")
    status, answer = head(refused)
    assert (status, b"Connection: close" in answer, b'"code":"too_many_requests"' in answer + rest(refused)) == (
        429,
        True,
        True,
    )
    kept.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
    assert head(kept)[0] == 200
    for connection in idle:
        connection.close()
    until(lambda: head(asked(small, stack, "/healthz"))[0] == 200, "there is room again")


@pytest.mark.parametrize("headers", ["Content-Length: 100\r\n", "Transfer-Encoding: chunked\r\n"])
def test_a_body_that_does_not_come_is_given_up(small: Client, table: Table, stack: ExitStack, headers: str) -> None:
    """However it is sent, and also if a byte comes now and then; other requests are served meanwhile."""
    path, content = f"/v1/games/{table.game}/actions", "Content-Type: application/json\r\n"
    slow = [asked(small, stack, path, content + headers, "POST") for _ in range(20)]
    for connection in slow:
        connection.sendall(b"{" if "Length" in headers else b"1\r\n{\r\n")
    assert Client(small.base).call("GET", f"/v1/games/{table.game}").status_code == 200
    answers = [head(connection) for connection in slow]
    assert Counter(status for status, _ in answers) == {408: 20}
    assert b'"code":"body_timeout"' in answers[0][1] + rest(slow[0])
    for connection in slow[1:]:
        rest(connection)
    table.play(1)


def test_a_body_byte_by_byte_is_given_up_too(small: Client, table: Table, stack: ExitStack) -> None:
    """The deadline is for the whole body: a byte does not begin it again."""
    slow = asked(small, stack, f"/v1/games/{table.game}/actions", "Content-Length: 60000\r\n", "POST")
    slow.settimeout(0.2)
    data, begin = b"", time.monotonic()
    while not data:
        assert time.monotonic() - begin < LONG
        slow.sendall(b" ")
        try:
            data = slow.recv(100)
        except TimeoutError:
            continue
    assert data.startswith(b"HTTP/1.1 408 ")


def test_behind_a_proxy_each_caller_has_an_address_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """It is the one that the proxy adds, whatever the caller wrote before it."""
    data, rates = tmp_path_factory.mktemp("data"), {"rate_per_address": 3, "connections_per_address": 1}
    with valkey(tmp_path_factory.mktemp("store")) as store, ExitStack() as stack:
        client = Client(stack.enter_context(gunicorn(store, data, workers=1, limits=rates, proxies=1)))

        def status(forwarded: str) -> int:
            return head(asked(client, stack, "/v1/rulebooks", f"X-Forwarded-For: {forwarded}\r\n"))[0]

        assert [status("192.0.2.1") for _ in range(4)] == [200, 200, 200, 429]
        assert status("192.0.2.2") == 200
        assert status("192.0.2.9, 192.0.2.1") == 429


def test_downloads_that_nobody_reads_are_cut(small: Client, stack: ExitStack) -> None:
    """Each holds its place no longer than it may. So many are asked for that the system cannot keep them all for it."""
    times, whole = 40, Client(small.base).call("GET", "/openapi.json").content
    readers = [connected(small, stack) for _ in range(5)]
    for reader in readers:
        reader.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n" * times)
    until(lambda: used(small, "requests") == 5, "all are in flight")
    until(lambda: used(small, "requests") == 0, "none is in flight any more")
    assert all(len(rest(reader)) < times * len(whole) for reader in readers)
    assert Client(small.base).call("GET", "/openapi.json").content == whole


@pytest.mark.long
@pytest.mark.parametrize("troubled", [False, True], ids=["store there", "store away"])
def test_two_thousand_streams_and_a_thousand_requests(tmp_path: Path, troubled: bool) -> None:
    """On one process: all are served or refused in words, and afterwards every route answers as before."""
    wide = {f"{kind}_per_{scope}": 10_000 for kind in ("streams", "requests") for scope in ("address", "game")}
    wide["connections_per_address"] = 10_000
    (tmp_path / "data").mkdir()
    (tmp_path / "store").mkdir()
    with valkey(tmp_path / "store") as store, ExitStack() as stack:
        url = stack.enter_context(gunicorn(store, tmp_path / "data", workers=1, limits=wide))
        client = Client(url)
        table = Table.open(client)
        table.play(10)
        path = f"/v1/games/{table.game}"
        streams = [asked(client, stack, f"{path}/events", SSE) for _ in range(2000)]
        seen = Counter(head(stream)[0] for stream in streams)
        assert seen == {200: 2000}
        assert head(asked(client, stack, f"{path}/events", SSE))[0] == 503
        if troubled:
            store.kill()
        readers = [asked(client, stack, path, "Connection: close\r\n") for _ in range(1000)]
        answers = Counter(head(reader)[0] for reader in readers)
        assert set(answers) <= {200, 503}, answers
        if troubled:
            time.sleep(10)
            store.start()
        else:
            assert answers == {200: 1000}
        until(lambda: requests.get(f"{url}/readyz", timeout=LONG).status_code == 200, "it is ready again")
        table.play(1)
        for one in ("/v1/games", f"{path}/verification", "/v1/statistics", f"{path}/events", f"{path}/steps", path):
            assert Client(url).call("GET", one).status_code == 200
        newest = Client(url).call("GET", path).json()["version"]
        last = f"id: {newest}\n".encode()
        for stream in streams:
            data = b""
            while last not in data:
                piece = stream.recv(65536)
                assert piece, data[-200:]
                data += piece
