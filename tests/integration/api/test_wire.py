"""What only a real server meets: bodies in chunks, lengths that lie, and whole streams on one connection."""

import json
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import requests

from tests.support.http import Client, Table, ndjson

JSON = {"Content-Type": "application/json"}


def in_chunks(raw: bytes, size: int = 1000) -> Iterator[bytes]:
    for start in range(0, len(raw), size):
        yield raw[start : start + size]


def test_a_body_in_chunks_is_a_body(base: str) -> None:
    raw = json.dumps({"rulebook": "public_assistance"}).encode()
    answer = requests.post(f"{base}/v1/games", data=in_chunks(raw, 5), headers=JSON, timeout=30)
    assert answer.status_code == 201


def test_a_large_body_is_413_with_and_without_its_length(base: str) -> None:
    body = b'{"rulebook": "public_assistance"}'
    for raw in (body + b" " * 200_000, body + b" " * (65_537 - len(body))):
        for data in (raw, in_chunks(raw)):
            answer = requests.post(f"{base}/v1/games", data=data, headers=JSON, timeout=30)
            assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
        fits = body + b" " * (65_536 - len(body))
        for data in (fits, in_chunks(fits)):
            assert requests.post(f"{base}/v1/games", data=data, headers=JSON, timeout=30).status_code == 201


def test_a_body_shorter_than_its_length_is_no_body(base: str) -> None:
    place = urlsplit(base)
    assert place.hostname is not None
    assert place.port is not None
    with socket.create_connection((place.hostname, place.port), timeout=30) as connection:
        connection.sendall(
            b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
            b'{"rulebook": "public_assistance"}'
        )
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"bad_request" in answer


def test_a_stream_of_thousands_is_whole(client: Client) -> None:
    """Several batches, each line an event, the last one the head."""
    table = Table.open(client, months=60)
    while client.call("GET", f"/v1/games/{table.game}").json()["version"] < 1200:
        assert table.play(20)
    answer = client.call("GET", f"/v1/games/{table.game}/events", Accept="application/x-ndjson")
    lines = ndjson(answer.text)
    assert [line["event"]["version"] for line in lines] == list(range(1, len(lines) + 1))
    game = client.call("GET", f"/v1/games/{table.game}").json()
    assert lines[-1]["link"] == game["head"]
    assert client.call("GET", f"/v1/games/{table.game}/verification").json()["sound"]


def test_a_chunk_that_is_none_is_refused_clearly(base: str) -> None:
    place = urlsplit(base)
    with socket.create_connection((str(place.hostname), place.port or 0), timeout=30) as connection:
        connection.sendall(
            b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"
        )
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"bad_request" in answer


@pytest.mark.parametrize(
    "raw",
    [
        b"NONSENSE\r\n\r\n",
        b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(100)) + b"\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"GET /v1/rulebooks HTTP/1.1\r\nConnection: close\r\n\r\n",
        b"GET /v1/rulebooks HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n",
        b"GET /v1/rulebooks HTTP/1.0\r\nHost: x y\r\n\r\n",
        b"GET /nosuch HTTP/1.1\r\nHost: x/y\r\nConnection: close\r\n\r\n",
    ],
    ids=[
        "no request line",
        "a long one",
        "many headers",
        "two lengths",
        "no host",
        "two hosts",
        "no good host",
        "a path",
    ],
)
def test_what_is_no_request_gets_a_problem_document_too(base: str, raw: bytes) -> None:
    place = urlsplit(base)
    with socket.create_connection((str(place.hostname), place.port or 0), timeout=30) as connection:
        connection.sendall(raw)
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head[:10] in (b"HTTP/1.1 4", b"HTTP/1.0 4")
    assert b"application/problem+json" in head
    assert json.loads(body)["code"] == "bad_request"


@pytest.mark.parametrize("header", ["SCRIPT_NAME", "Script-Name", "PATH_INFO", "Path-Info"])
def test_no_header_moves_the_application(base: str, header: str) -> None:
    """Not from the same machine either: a path is what the request line says."""
    plain = requests.get(f"{base}/v1/games", timeout=30)
    sent = requests.get(f"{base}/v1/games", headers={header: "/v1"}, timeout=30)
    assert (sent.status_code, sent.content) == (plain.status_code, plain.content)


def test_old_clients_name_no_host(base: str) -> None:
    """HTTP/1.0 has no such header."""
    place = urlsplit(base)
    with socket.create_connection((str(place.hostname), place.port or 0), timeout=30) as connection:
        connection.sendall(b"GET /v1/rulebooks HTTP/1.0\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.0 200 ")
