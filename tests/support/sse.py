"""Server-sent events, read as a browser reads them."""

import json
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Sent:
    """One event of a stream.

    Attributes:
        kind: `message` where the stream names none.
        id: The last id seen, as `Last-Event-ID` would say.
        data: What it holds.
    """

    kind: str
    id: str
    data: Any

    @property
    def version(self) -> int:
        """Version of the game's event."""
        return int(self.data["event"]["version"])


@dataclass
class Reader:
    """Cuts a stream into events, whatever its pieces."""

    last_id: str = ""
    comments: int = 0
    _left: bytes = b""
    _fields: dict[str, list[str]] = field(default_factory=dict)

    def feed(self, piece: bytes) -> Iterator[Sent]:
        *lines, self._left = (self._left + piece).split(b"\n")
        for line in lines:
            if not line:
                yield from self._dispatch()
            elif line.startswith(b":"):
                self.comments += 1
            else:
                name, _, value = line.decode().partition(": ")
                self._fields.setdefault(name, []).append(value)

    def _dispatch(self) -> Iterator[Sent]:
        fields, self._fields = self._fields, {}
        if "id" in fields:
            self.last_id = fields["id"][-1]
        if "data" in fields:
            kind = fields.get("event", ["message"])[-1]
            yield Sent(kind, self.last_id, json.loads("\n".join(fields["data"])))


def read(pieces: Iterable[Any]) -> Iterator[Sent]:
    """Read the events of an answer's body, as its pieces come."""
    reader = Reader()
    for piece in pieces:
        yield from reader.feed(piece)


class Wire:
    """A stream over a socket of its own, read without any client between."""

    def __init__(self, base: str, path: str, *, last_id: str = "", buffer: int = 0) -> None:
        place = urlsplit(base)
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(60)
        self.socket.connect((place.hostname, place.port))
        lines = [f"GET {path} HTTP/1.1", "Host: x", "Accept: text/event-stream"]
        lines += [f"Last-Event-ID: {last_id}"] if last_id else []
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self.status = 0
        self.ended = False
        self.reader = Reader(last_id)
        self._left = b""

    def receive(self) -> list[Sent]:
        """Read what has come, at least a byte; nothing once the stream is closed."""
        part = self.socket.recv(1 << 16)
        self.ended = self.ended or not part
        self._left += part
        if not self.status and not self._take_head():
            return []
        return [sent for chunk in self._chunks() for sent in self.reader.feed(chunk)]

    def events(self) -> Iterator[Sent]:
        """Read on until the stream is closed."""
        while not self.ended:
            yield from self.receive()

    def close(self) -> None:
        self.socket.close()

    def _take_head(self) -> bool:
        head, found, rest = self._left.partition(b"\r\n\r\n")
        if found:
            self.status, self._left = int(head[9:12]), rest
            self.ended = self.ended or self.status != 200
        return bool(found)

    def _chunks(self) -> Iterator[bytes]:
        """Take whole chunks (RFC 9112, 7.1); the empty one is the end."""
        while (place := self._left.find(b"\r\n")) >= 0 and not self.ended:
            size = int(self._left[:place], 16)
            if len(self._left) < place + 4 + size:
                return
            yield self._left[place + 2 : place + 2 + size]
            self._left = self._left[place + 4 + size :]
            self.ended = size == 0
