"""What gunicorn answers before a request reaches the application: a problem document, with no word of it in the log."""

import json
import logging
import socket
import sys

_REFUSED = "Invalid request from ip="
_BROKEN = "Socket error processing request."


def write_problem(connection: socket.socket, status: int, reason: str, _message: str) -> None:
    """Answer a request that is no HTTP, or too large for it; takes the place of `gunicorn.util.write_error`."""
    problem = {
        "type": "/docs#error-bad_request",
        "title": "The request cannot be read",
        "status": status,
        "detail": f"This is no request that can be served here ({reason}).",
        "code": "bad_request",
    }
    body = json.dumps(problem).encode()
    head = (
        f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: application/problem+json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    connection.sendall(head.encode("latin-1") + body)


def without_words(record: logging.LogRecord) -> bool:
    """Filter gunicorn's log: of a refused request only the kind is logged, since its words may hold a token.

    A client that does not take its answer is cut, which is not logged.
    """
    if record.msg == _BROKEN and isinstance(sys.exc_info()[1], TimeoutError):
        return False
    text = record.getMessage()
    if text.startswith(_REFUSED):
        kind = sys.exc_info()[0]  # gunicorn logs it where it catches it
        place = text.partition(": ")[0]
        record.msg, record.args = f"{place}: {kind.__name__}" if kind else place, ()
    return True
