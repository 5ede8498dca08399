"""A server for the demo: the one that runs on the data folder, or one of our own for as long as it is needed.

Every process that uses a server this way, a guest, shares the folder's guests lock. A server that was started here ends
when no process holds the lock: also when its starter was killed, and not while another guest still plays on it.
"""

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace

from service.hosting.supervisor.children import python_module
from service.hosting.valkey import DataFolder
from service.settings import OperatorError, Settings

PATIENCE = 90.0  # seconds for a server to be ready, or to end
TICK = 0.1


@contextlib.contextmanager
def server(settings: Settings) -> Iterator[str]:
    """Yield the base URL of a server on the data folder.

    Raises:
        OperatorError: None runs, and none can be started.
    """
    folder = DataFolder(settings.data)
    folder.prepare()
    _become_guest(folder)
    own = _OwnServer(settings)
    try:
        yield _find_or_start(folder, own)
    finally:
        # With the lock taken alone there is no other guest; a new one waits until the server has ended.
        if own.runs and folder.guests_lock.take():
            own.stop()
        folder.guests_lock.close()


def _become_guest(folder: DataFolder) -> None:
    """Share the guests' lock; a process that holds it alone is just ending a server."""
    until = time.monotonic() + PATIENCE
    while not folder.guests_lock.take(shared=True):
        _rest(until, f"The server on {folder.root} is being stopped, and does not end")


def _find_or_start(folder: DataFolder, own: "_OwnServer") -> str:
    until = time.monotonic() + PATIENCE
    while not (url := folder.url()):
        if not own.runs and not folder.serve_lock.is_held():
            own.start()
        _rest(until, f"The server on {folder.root} did not become ready")
    return url


def _rest(until: float, complaint: str) -> None:
    if time.monotonic() > until:
        raise OperatorError(complaint)
    time.sleep(TICK)


class _OwnServer:
    """A `rollbook serve` on a free port, started at most once."""

    def __init__(self, settings: Settings) -> None:
        limits = replace(settings.limits, rate_per_address=0, rate_per_token=0)  # the bots play as fast as it goes
        own = replace(settings, host="127.0.0.1", port=0, limits=limits).environment()
        self._environment = {**os.environ, **own}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def runs(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it.

        Raises:
            OperatorError: It was started before, and ended; the message is what it wrote last.
        """
        if self._process is not None:
            raise OperatorError(self._last_words() or "The server did not start")
        # A file, not a pipe: the server may outlive its starter.
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 -- read when the server has ended
        self._process = subprocess.Popen(  # noqa: S603 -- no shell; the command is ours
            python_module("service.cli", "serve", "--while-used"),
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._words,
            start_new_session=True,
        )

    def stop(self) -> None:
        """End it as Ctrl-C would, and wait for that."""
        assert self._process is not None, "it was started"
        self._process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=PATIENCE)

    def _last_words(self) -> str:
        self._words.seek(0)
        return self._words.read().decode(errors="replace").strip().removeprefix("Error: ")
