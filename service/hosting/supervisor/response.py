"""How gunicorn sends an answer: its head together with the beginning of its body."""

from typing import Any

from gunicorn.http import wsgi


class Joined(wsgi.Response):  # type: ignore[misc] # gunicorn has no types
    """An answer whose head does not go ahead; takes the place of `gunicorn.http.wsgi.Response`.

    gunicorn sends a head by itself. Its client then wakes for a head that it can do nothing with; on a machine whose
    cores they share, that takes time from other requests.
    """

    sock: Any

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


class _Held:
    """Stands in for a connection while the parts are collected that go out as one."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def sendall(self, part: bytes, *_: Any) -> None:
        """Take what would be sent."""
        self.parts.append(part)
