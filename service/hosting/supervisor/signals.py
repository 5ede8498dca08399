"""Signals as data: requests to end are counted, and a wait ends at once when a signal arrives.

For the main thread of a command that supervises others. Not thread-safe, and never imported by the API.
"""

import select
import signal
import socket
import time
from types import FrameType

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ONE_WISH = 1.0  # seconds; some wrappers pass a Ctrl-C on that the terminal has already sent


class StopRequestedError(Exception):
    """The end of this process was requested."""


class Signals:
    """Handlers for SIGINT, SIGTERM and SIGHUP while the context lasts."""

    def __init__(self) -> None:
        self._wishes: list[float] = []
        self._awake, self._bell = socket.socketpair()

    def __enter__(self) -> "Signals":
        for end in (self._awake, self._bell):
            end.setblocking(False)
        self._old_bell = signal.set_wakeup_fd(self._bell.fileno(), warn_on_full_buffer=False)
        # `nohup` has the terminal's end ignored, and means it.
        heeded = [number for number in STOPS if (number, signal.getsignal(number)) != (signal.SIGHUP, signal.SIG_IGN)]
        self._old = {number: signal.signal(number, self._on_stop) for number in heeded}
        self._old[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)  # only rings the bell
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._old.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._old_bell)
        self._awake.close()
        self._bell.close()

    @property
    def stop(self) -> bool:
        """Whether the end was requested."""
        return bool(self._wishes)

    @property
    def force(self) -> bool:
        """Whether the end was requested again, at least a second later."""
        return bool(self._wishes) and self._wishes[-1] - self._wishes[0] >= ONE_WISH

    def rest(self, seconds: float) -> None:
        """Wait until the time is over or a signal arrives."""
        if select.select([self._awake], [], [], seconds)[0]:
            self._awake.recv(4096)

    def pause(self, seconds: float) -> None:
        """Wait as `rest` does, and raise if the end was requested.

        Raises:
            StopRequestedError: Now or earlier.
        """
        if not self.stop:
            self.rest(seconds)
        if self.stop:
            raise StopRequestedError

    def _on_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._wishes.append(time.monotonic())
