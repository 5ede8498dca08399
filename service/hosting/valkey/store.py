"""Who may start the embedded store, who joins it, and who ends it.

One Valkey per folder: it inherits the lock that its starter took. All others attach by the socket. Everyone who uses
the store shares a second lock; the last one out takes it alone and ends Valkey. A process that is killed leaves Valkey
running, and the next one attaches and is then the one that ends it.
"""

import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import redis

from service.hosting.valkey.folder import DataFolder, EmbeddedStoreError
from service.hosting.valkey.mending import BROKEN
from service.hosting.valkey.server import Server

PATIENCE = 60.0  # seconds without any answer; loading a long log answers, and may take as long as it takes
STOP_PATIENCE = 10.0  # seconds for each of SHUTDOWN, SIGTERM, SIGKILL
TICK = 0.02


def _rest() -> None:
    time.sleep(TICK)


class EmbeddedStore:
    """The Valkey in a data folder, as one process uses it.

    Args:
        folder: The data folder (`Settings.data`).
        options: Further Valkey settings, for tests.

    A context manager: `open` at entry, `close` at exit.
    """

    def __init__(self, folder: Path, *, options: Mapping[str, str] | None = None) -> None:
        self.folder = DataFolder(folder)
        self._server = Server(self.folder)
        self._options = dict(options or {})

    @property
    def url(self) -> str:
        """The store's address for `redis.from_url` and `ROLLBOOK_REDIS_URL`."""
        return f"unix://{quote(str(self.folder.socket_path()))}"

    @property
    def is_ours(self) -> bool:
        """Whether this process started the Valkey that runs."""
        return self._server.is_ours

    def open(self, *, waiting: Callable[[], object] = _rest) -> None:
        """Attach to the folder's Valkey, or start it; return when it answers.

        Args:
            waiting: Called again and again meanwhile; it sleeps a moment, and may raise to give up.

        Raises:
            EmbeddedStoreError: The folder cannot be used, or Valkey does not start.
        """
        if not self.folder.store_lock.is_held():  # attaching needs no room on the disk
            self.folder.prepare()
        try:
            self._join(waiting)
            while not self._start_or_find(waiting):
                waiting()  # the Valkey of another process ended before it answered: now it is our turn
        except BaseException:
            self.close()  # otherwise nothing would end what was started here
            raise

    def attach(self, *, waiting: Callable[[], object] = _rest) -> None:
        """Attach to a Valkey that runs; never start one.

        Raises:
            EmbeddedStoreError: None runs on this folder, or it does not answer.
        """
        if self.folder.store_lock.is_held():
            self._join(waiting)
            if self._answers(waiting):
                return
            self.folder.users_lock.close()
        raise EmbeddedStoreError(f"No store runs on the data folder {self.folder.root} (`rollbook serve` starts it)")

    def is_alive(self) -> bool:
        """Return whether Valkey runs (not whether it answers)."""
        return self._server.is_alive()

    def pid(self) -> int | None:
        """Return Valkey's process id, if it runs."""
        return self._server.pid()

    def client(self, *, patience: float = 5.0) -> redis.Redis:
        """Return a client of the store that waits at most `patience` seconds; the caller closes it."""
        return self._server.client(patience=patience)

    def close(self) -> bool:
        """Leave the store; the last one out ends Valkey.

        Returns:
            Whether Valkey was ended.

        Raises:
            EmbeddedStoreError: It does not end.
        """
        last = self.folder.users_lock.take()
        try:
            if last:
                self._stop()
        finally:
            self._server.forget()
            self.folder.users_lock.close()
        return last

    def __enter__(self) -> "EmbeddedStore":
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start_or_find(self, waiting: Callable[[], object]) -> bool:
        starts = self.folder.store_lock.take()
        if starts:
            self._server.start(self._options)
        else:
            self._server.end_strays()
        if self._answers(waiting):
            return True
        if starts:
            words = f"{self._server.last_words()} (all that it said is in {self.folder.log})"
            if BROKEN in words:
                words = "its append-only file is broken in its middle; `rollbook doctor --mend` cuts it there"
            raise EmbeddedStoreError(f"The embedded store ended while it started: {words}")
        return False

    def _join(self, waiting: Callable[[], object]) -> None:
        """Share the users' lock; a process that holds it alone is just ending Valkey."""
        until = time.monotonic() + PATIENCE
        while not self.folder.users_lock.take(shared=True):
            if time.monotonic() > until:
                raise EmbeddedStoreError(f"The store on {self.folder.root} is being stopped, and does not end")
            waiting()

    def _answers(self, waiting: Callable[[], object]) -> bool:
        """Wait for an answer; False if Valkey ended before it gave one."""
        until = time.monotonic() + PATIENCE
        while True:
            answer = self._server.ask()
            if answer == "ready":
                return True
            if not self._server.is_alive():
                return False
            if answer == "loading":
                until = time.monotonic() + PATIENCE
            elif time.monotonic() > until:
                raise EmbeddedStoreError(f"The store on {self.folder.root} runs, but does not answer")
            waiting()

    def _stop(self) -> None:
        if not self._server.is_alive():
            self.folder.remove_socket()
            return
        for end in (
            self._server.shut_down,
            lambda: self._server.signal(signal.SIGTERM),
            lambda: self._server.signal(signal.SIGKILL),
        ):
            end()
            if self._is_gone():
                self.folder.remove_socket()
                return
        raise EmbeddedStoreError(f"The store on {self.folder.root} does not end (process {self._server.pid()})")

    def _is_gone(self) -> bool:
        until = time.monotonic() + STOP_PATIENCE
        while self._server.is_alive():
            if time.monotonic() > until:
                return False
            _rest()
        return True
