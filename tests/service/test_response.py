"""What gunicorn puts on the wire, and in how many sends: a pair of sockets that keeps each send apart."""

import logging
import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn import util
from gunicorn.config import Config
from gunicorn.http import wsgi
from gunicorn.http.parser import RequestParser

from service.hosting.supervisor import gunicorn_conf
from service.hosting.supervisor.response import Joined

CALLER = ("127.0.0.1", 50_000)
Headers = list[tuple[str, str]]


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Return the server's and the client's end."""
    server, client = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with server, client:
        client.setblocking(False)
        yield server, client


def answer(
    server: socket.socket, headers: Headers, *pieces: bytes, method: str = "GET", status: str = "200 OK"
) -> None:
    """Answer a request as gunicorn does."""
    response = Joined(asked(method), server, Config())
    response.start_response(status, headers)
    for piece in pieces:
        response.write(piece)
    response.close()


def asked(method: str) -> Any:
    """Return a request as gunicorn reads it."""
    sent = [f"{method} / HTTP/1.1\r\nHost: here\r\n\r\n".encode()]
    return next(RequestParser(Config(), iter(sent), CALLER))


def sends(client: socket.socket) -> list[bytes]:
    """List what each send carried."""
    found = []
    while True:
        try:
            found.append(client.recv(1 << 16))
        except BlockingIOError:
            return found


def test_head_and_body_are_sent_as_one(ends: tuple[socket.socket, socket.socket]) -> None:
    server, client = ends
    answer(server, [("Content-Length", "4")], b"body")
    (whole,) = sends(client)
    assert whole.startswith(b"HTTP/1.1 200 OK\r\n")
    assert whole.endswith(b"Content-Length: 4\r\n\r\nbody")


def test_later_pieces_go_as_they_come(ends: tuple[socket.socket, socket.socket]) -> None:
    server, client = ends
    answer(server, [("Content-Length", "9")], b"one", b"two", b"three")
    first, *others = sends(client)
    assert first.endswith(b"\r\n\r\none")
    assert others == [b"two", b"thr"]  # no more than its length


def test_a_stream_begins_with_its_head_and_first_chunk(ends: tuple[socket.socket, socket.socket]) -> None:
    server, client = ends
    answer(server, [], b"first", b"second")
    first, *others = sends(client)
    assert b"\r\nTransfer-Encoding: chunked\r\n" in first
    assert first.endswith(b"\r\n\r\n5\r\nfirst\r\n")
    assert others == [b"6\r\nsecond\r\n", b"0\r\n\r\n"]


@pytest.mark.parametrize(
    ("method", "status"), [("HEAD", "200 OK"), ("GET", "204 No Content"), ("GET", "304 Not Modified")]
)
def test_an_answer_without_body_is_its_head(
    ends: tuple[socket.socket, socket.socket], method: str, status: str
) -> None:
    server, client = ends
    answer(server, [("ETag", '"1-00000000"')], method=method, status=status)
    (head,) = sends(client)
    assert head.endswith(b"\r\n\r\n")
    answer(server, [("ETag", '"1-00000000"')], b"", method=method, status=status)
    (head,) = sends(client)
    assert head.endswith(b"\r\n\r\n")


def test_gunicorn_answers_so_once_a_worker_is_there(
    ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wsgi, "Response", wsgi.Response)  # what the worker changes is undone
    monkeypatch.setattr(util, "write_error", util.write_error)
    log = SimpleNamespace(error_log=logging.Logger("gunicorn.error"))
    gunicorn_conf.post_worker_init(SimpleNamespace(log=log, wsgi=None))
    response, _ = wsgi.create(asked("GET"), ends[0], CALLER, ("127.0.0.1", 80), Config())
    assert isinstance(response, Joined)


def test_what_cannot_be_sent_sends_nothing(ends: tuple[socket.socket, socket.socket]) -> None:
    server, client = ends
    with pytest.raises(TypeError):
        answer(server, [("Content-Length", "4")], "text")  # type: ignore[arg-type] # what it must refuse
    assert sends(client) == []
