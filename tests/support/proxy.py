"""A proxy that runs a command and loses its reply: what a client cannot tell from a command that never ran."""

import contextlib
import socket
import threading
from pathlib import Path
from types import TracebackType


class LossyProxy:
    """Stands on a unix socket before a server's.

    Each connection is one client's. A reply that is to be lost is read from the server and the connection is cut, so
    the command has certainly run.
    """

    def __init__(self, server: str, folder: Path) -> None:
        self.path = str(folder / "proxy")
        self.lost = 0
        self._server = server
        self._to_lose = 0
        self._marker = b""
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen()
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"unix://{self.path}"

    def lose(self, replies: int, *, to: bytes) -> None:
        """Lose so many replies to commands that contain these bytes."""
        with self._lock:
            self._to_lose, self._marker = replies, to

    def __enter__(self) -> "LossyProxy":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for each in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._open += [client, server]
                threading.Thread(target=self._serve, args=(client, server), daemon=True).start()

    def _serve(self, client: socket.socket, server: socket.socket) -> None:
        """Pass commands and replies on in turn; commands of these tests fit one read of a unix socket."""
        with contextlib.suppress(OSError), client, server:
            while command := client.recv(1 << 20):
                server.sendall(command)
                reply = server.recv(1 << 20)
                if not reply or self._loses(command):
                    return
                client.sendall(reply)

    def _loses(self, command: bytes) -> bool:
        with self._lock:
            if self._to_lose == 0 or self._marker not in command:
                return False
            self._to_lose -= 1
            self.lost += 1
            return True
