"""gunicorn's worker, but that connections beyond the limits are refused in words, and that none waits without end."""

import contextlib
import socket
from typing import Any

import gevent
from gunicorn.workers.ggevent import GeventWorker


class Worker(GeventWorker):  # type: ignore[misc] # gunicorn has no types
    """Serves the connections that the application's gate lets in.

    Attributes:
        proxied: Proxies stand in front, so that an address is not one caller's; set once, at the start of a process.
    """

    proxied: bool = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._idle: set[socket.socket] = set()

    def handle(self, listener: Any, client: socket.socket, addr: Any) -> None:
        """Serve a connection until it ends."""
        gate = getattr(self.wsgi, "extensions", {}).get("rollbook.gate")
        if gate is None:
            super().handle(listener, client, addr)
            return
        address = addr[0] if addr and not self.proxied else ""
        if refused := gate.connect(address):
            _refuse(client, refused)
            return
        # A live stream sends little: what is not taken lies in the system, which then has to end the connection.
        with contextlib.suppress(OSError, AttributeError):  # a unix socket, or a system without the option
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, gate.limits.send_seconds * 1000)
        self._idle.add(client)
        try:
            super().handle(listener, client, addr)
        finally:
            self._idle.discard(client)
            gate.disconnect(address)

    def handle_request(self, listener_name: Any, req: Any, sock: socket.socket, addr: Any) -> Any:
        """Answer a request."""
        self._idle.discard(sock)
        try:
            return super().handle_request(listener_name, req, sock, addr)
        finally:
            self._idle.add(sock)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """End, and wait for no further request on a connection that is open."""
        super().handle_exit(sig, frame)
        gevent.spawn(self.hang_up)

    def notify(self) -> None:
        """Show that the process lives; at the end, let go of connections that have become idle."""
        super().notify()
        if not self.alive:
            self.hang_up()

    def hang_up(self) -> None:
        """Take no further request on connections on which nothing is asked; an answer under way still arrives."""
        for connection in list(self._idle):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RD)


def _refuse(client: socket.socket, answer: bytes) -> None:
    """Write an answer, read what was sent meanwhile, so that the answer is not lost by it, and close."""
    with contextlib.closing(client), contextlib.suppress(OSError):
        client.settimeout(1.0)
        client.sendall(answer)
        client.shutdown(socket.SHUT_WR)
        client.recv(65536)
