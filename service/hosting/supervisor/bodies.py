"""A body has come whole before the application reads it, or it is given up: nobody holds a request open with one byte.

gunicorn waits for a body without end. Its reader reads on by itself until it has what it was asked for, so that no
deadline for a single read would do; gevent's is for all of them.
"""

import contextlib
import socket
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

import gevent
from werkzeug.wsgi import ClosingIterator

from service.errors import BodyTimeout

LONGEST = 64 * 1024 + 1
"""Bytes that are waited for: the application takes one less, and sees by this that there are more."""


class Unread:
    """A body that could not be read: reading it raises the reason."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def read(self, _size: int = -1) -> bytes:
        """Raise why it could not be read."""
        raise self._error


class BodyFirst:
    """Stands before an application, and hands it a body that has come.

    Args:
        app: The WSGI application.
        seconds: In which a body must come.
    """

    def __init__(self, app: Callable[..., Iterable[bytes]], *, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Wait for the body and pass the request on."""
        if environ.get("CONTENT_LENGTH", "0") == "0" and "HTTP_TRANSFER_ENCODING" not in environ:
            return self._app(environ, start_response)
        body, late = environ["wsgi.input"], gevent.Timeout(self._seconds)
        try:
            with late:
                environ["wsgi.input"] = BytesIO(body.read(LONGEST))
        except gevent.Timeout as error:
            if error is not late:
                raise
            environ["wsgi.input"] = Unread(BodyTimeout("The body did not come in time."))
            cut = environ.get("gunicorn.socket")
            return ClosingIterator(self._app(environ, start_response), lambda: _close(cut))
        except Exception as error:  # the application answers it, as if it had read the body
            environ["wsgi.input"] = Unread(error)
        return self._app(environ, start_response)


def _close(connection: socket.socket | None) -> None:
    """Take nothing more from a client: what it still sends would be read as its next request."""
    if connection is not None:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RD)
