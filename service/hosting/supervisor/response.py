"""How gunicorn sends an answer: its head with the beginning of its body, and only to a client that takes it."""

from typing import Any

from gunicorn.http import wsgi

PIECE = 64 * 1024


class Joined(wsgi.Response):  # type: ignore[misc] # gunicorn has no types
    """An answer whose head does not go ahead; takes the place of `gunicorn.http.wsgi.Response`.

    gunicorn sends a head by itself. Its client then wakes for a head that it can do nothing with; on a machine whose
    cores they share, that takes time from other requests.

    Attributes:
        seconds: In which a client must take each piece of it; set once, at the start of a process.
    """

    seconds: float = 20
    sock: Any

    def __init__(self, req: Any, sock: Any, cfg: Any) -> None:
        super().__init__(req, _Patient(sock, self.seconds), cfg)

    def write(self, arg: bytes) -> None:
        """Send a piece of the body, the first one with the head before it."""
        if self.headers_sent:
            super().write(arg)
            return
        connection, held = self.sock, _Held()
        self.sock = held
        try:
            super().write(arg)
        finally:
            self.sock = connection
        connection.sendall(b"".join(held.parts))


class _Patient:
    """Sends in pieces, each of which a client must take in time; so a long answer may take longer."""

    def __init__(self, connection: Any, seconds: float) -> None:
        self._connection = connection
        connection.settimeout(seconds)

    def sendall(self, data: bytes) -> None:
        """Send all of it.

        Raises:
            TimeoutError: The client does not take it.
        """
        if len(data) <= PIECE:
            self._connection.sendall(data)
            return
        whole = memoryview(data)
        for begin in range(0, len(whole), PIECE):
            self._connection.sendall(whole[begin : begin + PIECE])


class _Held:
    """Stands in for a connection while the parts are collected that go out as one."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def sendall(self, part: bytes, *_: Any) -> None:
        """Take what would be sent."""
        self.parts.append(part)
