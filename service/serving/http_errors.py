"""What gunicorn answers before a request reaches the application: a problem document, as everywhere else."""

import json
import socket


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
