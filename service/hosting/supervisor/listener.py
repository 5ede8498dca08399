"""The API's listening socket: bound once by the supervisor, inherited by each API process it starts.

So a busy port is noticed before anything is started, a restart of the API refuses no connection, and port 0 is known.
"""

import http.client
import ipaddress
import os
import socket

from service.hosting.supervisor.children import ServeError

BACKLOG = 1024
WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- not bound to here, but translated for a link


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        ServeError: The address is taken, or is not this machine's.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise ServeError(f"The host {host} is not known (ROLLBOOK_HOST)") from None
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise ServeError(f"Cannot listen on {host}:{port}: {reason} (--port or ROLLBOOK_PORT names another)") from None
    return listener


def local_address(listener: socket.socket) -> tuple[str, int]:
    """Return host and port by which this machine reaches the listener."""
    host, port = listener.getsockname()[:2]
    return WILDCARDS.get(host, host), port


def link(listener: socket.socket) -> str:
    """Return the listener's URL, for people."""
    host, port = local_address(listener)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def network_link(listener: socket.socket) -> str:
    """Return the URL that others in the network type; empty where only this machine can reach it."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host.partition("%")[0]).is_loopback:
        return ""
    own = _own_address(listener.family) if host in WILDCARDS else host
    return f"http://[{own}]:{port}" if ":" in own else f"http://{own}:{port}"


def _own_address(family: int) -> str:
    """Return this machine's address on the way to others, or its name; nothing is sent."""
    elsewhere = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((elsewhere, 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def is_healthy(listener: socket.socket) -> bool:
    """Ask `/healthz` once, and wait at most a second."""
    connection = http.client.HTTPConnection(*local_address(listener), timeout=1.0)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
