"""Actions over HTTP, beside a bare Flask route and a flask-smorest POST with the same schemas, on the same server.

The POST once as flask-smorest's guide writes it, which leaves the answer to the schema, and once with its answer
written out at once, as our views do.

Server and clients share this machine's cores, and the same small client calls all three, so the ratios tell more than
the figures.
"""

import os
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from service.hosting.supervisor.children import api_child
from service.hosting.supervisor.listener import bind, is_healthy, link
from service.hosting.valkey import EmbeddedStore
from service.settings import Settings
from tests.benchmarks.rates import median
from tests.support.http import Client, Table

SECONDS = 1.0
ROUNDS = 15
"""Each is measured in turn with the others, and the middle round counts. The best of each would compare moments that
lie apart: who writes to a disk is lucky at another time than who only computes."""
CLIENTS = 8
APP = "tests.benchmarks.app:app"
YARDSTICK = "/v1/yardstick/abcdefghijklmnop"
TOKEN = "t" * 43  # as long as a seat's
Work = Callable[[], Callable[[], object]]
"""Makes what one client does again and again."""


@dataclass(frozen=True)
class HttpFigures:
    """What `make bench` writes down about HTTP."""

    http_actions_per_s_1: float
    http_actions_per_s_8: float
    bare_route_per_s_8: float
    smorest_route_per_s_8: float
    smorest_by_hand_per_s_8: float


class Wire:
    """A connection that is kept open, and as little client as can be."""

    def __init__(self, base: str) -> None:
        parts = urlsplit(base)
        self._host = f"{parts.hostname}:{parts.port}"
        self._socket = socket.create_connection((str(parts.hostname), parts.port or 80))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._left = b""

    def send(self, method: str, path: str, body: bytes = b"", token: str = "") -> tuple[int, bytes]:
        """Send a request; gives status and body."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self._host}"]
        if token:
            lines.append(f"Authorization: Bearer {token}")
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        return self._receive()

    def _receive(self) -> tuple[int, bytes]:
        data = self._left
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._more()
        head = data[:end].lower()
        length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        start = end + 4
        while len(data) < start + length:
            data += self._more()
        self._left = data[start + length :]
        return int(head[9:12]), data[start : start + length]

    def _more(self) -> bytes:
        part = self._socket.recv(1 << 16)
        assert part, "the server closed the connection"
        return part


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Run the application as `rollbook serve` runs the API: gunicorn, gevent, a store that always fsyncs."""
    with EmbeddedStore(folder) as store, bind("127.0.0.1", 0) as listener:
        settings = Settings.load({**os.environ, "ROLLBOOK_DATA": str(folder), "ROLLBOOK_REDIS_URL": store.url})
        spec = api_child(listener=listener.fileno(), app=APP)
        process = subprocess.Popen(
            spec.arguments, pass_fds=spec.pass_fds, env={**os.environ, **settings.environment(), "PYTHONPATH": root()}
        )
        try:
            while not is_healthy(listener):
                assert process.poll() is None, "the server ended"
                time.sleep(0.1)
            yield link(listener)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def root() -> str:
    """Return the folder that the rooms lie in."""
    return str(Path(__file__).parents[2])


def measure(folder: Path, say: Callable[[str], None]) -> HttpFigures:
    """Measure all of them on one server, in one run."""
    body = msgspec.json.encode({"action": "roll", "prompt": "p19"})
    with serving(folder) as base:
        measured: list[tuple[int, Work]] = [
            (1, lambda: acting(base)),
            (CLIENTS, lambda: acting(base)),
            (CLIENTS, lambda: repeating(base, "GET", "/bare", b"", 200)),
            (CLIENTS, lambda: repeating(base, "POST", f"{YARDSTICK}/actions", body, 201)),
            (CLIENTS, lambda: repeating(base, "POST", f"{YARDSTICK}/by-hand", body, 201)),
        ]
        rounds = [[per_second(clients, work) for clients, work in measured] for _ in range(ROUNDS)]
    one, eight, bare, smorest, by_hand = map(median, zip(*rounds, strict=True))
    say(f"actions over HTTP: {one:,.0f}/s with 1 client, {eight:,.0f}/s with {CLIENTS} (each fsynced)")
    say(f"  bare Flask route: {bare:,.0f}/s; flask-smorest POST with the same schemas: {smorest:,.0f}/s")
    say(f"  ratio to the bare route {eight / bare:.2f}, to the smorest POST {eight / smorest:.2f} (aim: at least 0.4)")
    say(f"  the same POST with its answer written by hand, as ours is: {by_hand:,.0f}/s, ratio {eight / by_hand:.2f}")
    return HttpFigures(one, eight, bare, smorest, by_hand)


def per_second(clients: int, work: Work) -> float:
    """Run clients at once for a while; return how often they worked in a second."""
    doings = [work() for _ in range(clients)]
    counts = [0] * clients
    over = threading.Event()

    def run(number: int) -> None:
        while not over.is_set():
            doings[number]()
            counts[number] += 1

    threads = [threading.Thread(target=run, args=(number,)) for number in range(clients)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    time.sleep(SECONDS)
    over.set()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - started)


def repeating(base: str, method: str, path: str, body: bytes, expected: int) -> Callable[[], None]:
    """Send the same request again and again."""
    wire = Wire(base)

    def once() -> None:
        status, _ = wire.send(method, path, body, TOKEN if body else "")
        assert status == expected, status

    return once


def acting(base: str) -> Callable[[], None]:
    """Play games of one's own, one action at a time; the next prompt is read from the last answer."""
    wire, player = Wire(base), Playing(base)

    def once() -> None:
        seat, body = player.asked
        path = f"/v1/games/{player.table.game}/actions"
        status, answer = wire.send("POST", path, msgspec.json.encode(body), player.table.tokens[seat])
        player.learn(status, answer)

    return once


_DEADLINE = b'{"deadline":'
_ASKED = re.compile(rb'"kind":"(\w+)","prompt":"(\w+)","schema":1,"seat":(\d)')
"""A client needs no more of an answer than who is asked what next: reading all of it would count as the server's."""


class Playing:
    """A client's own game, and what it is asked."""

    def __init__(self, base: str) -> None:
        self._client = Client(base)
        self._open()

    def _open(self) -> None:
        self.table = Table.open(self._client, seats=4, months=60)
        asked = self.table.next_body()
        assert asked, "a new game asks a seat"
        self.asked: tuple[int, dict[str, Any]] = asked

    def learn(self, status: int, answer: bytes) -> None:
        """Read from an answer what is asked next; CHEAT refuses a roll, and an ended game is followed by another."""
        if status == 409:
            self.asked = (self.asked[0], {"action": "cheat_move", "prompt": self.asked[1]["prompt"], "block": 0})
            return
        assert status == 201, answer
        opened = _ASKED.search(answer, answer.rfind(_DEADLINE)) if _DEADLINE in answer else None
        if opened is None:
            self._open()
            return
        kind, prompt, seat = opened[1].decode(), opened[2].decode(), int(opened[3])
        action = {"turn_start": "roll", "waiver": "use_waiver", "partner_roll": "roll_partner"}[kind]
        self.asked = (seat, {"action": action, "prompt": prompt})
