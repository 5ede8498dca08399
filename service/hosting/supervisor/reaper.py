"""Ends the supervisor's children when the supervisor itself was killed.

A process of its own, on every platform the same: it reads from a pipe which process groups live (`+123`, `-123`). The
pipe ends when the supervisor does, however it died. Groups that are left get SIGTERM, then SIGKILL. Meanwhile it holds
a lock that it inherited, so that the next `rollbook serve` can wait until the old children are gone. Valkey is not in
the list: it outlives a killed supervisor, and is adopted.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator

from service.hosting.supervisor.backoff import Backoff
from service.hosting.supervisor.children import python_module
from service.hosting.valkey.locks import FileLock

GRACE = 10.0  # seconds between SIGTERM and SIGKILL


class Reaper:
    """The supervisor's handle on that process."""

    def __init__(self, lock: FileLock) -> None:
        self._lock = lock
        self._groups: set[int] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._backoff = Backoff()

    def start(self) -> bool:
        """Start it; False while the children of an earlier supervisor still live."""
        if not self._lock.take():
            return False
        self._process = subprocess.Popen(  # noqa: S603 -- no shell; the module is ours
            python_module("service.hosting.supervisor.reaper"),
            stdin=subprocess.PIPE,
            start_new_session=True,
            pass_fds=(self._lock.fileno(),),
        )
        self._lock.close()
        self._backoff.started()
        self._send("+", self._groups)
        return True

    def keep_alive(self) -> None:
        """Start it again if it died: at once, and later and later if it does not live."""
        if self._process is not None and self._process.poll() is not None:
            self._close_pipe()
            self._process = None
            self._backoff.died()
        if self._process is None and self._backoff.is_over:
            self.start()

    def watch(self, group: int) -> None:
        """Add a process group to those that it ends."""
        self._groups.add(group)
        self._send("+", [group])

    def release(self, group: int) -> None:
        """Remove a group that has ended: its number may be given to a stranger."""
        self._groups.discard(group)
        self._send("-", [group])

    def close(self) -> None:
        """Close the pipe and wait for its end, which comes at once if no group is left."""
        if self._process is not None:
            self._close_pipe()
            self._process.wait()
            self._process = None

    def _send(self, sign: str, groups: Iterable[int]) -> None:
        if self._process is None or self._process.stdin is None:
            return
        with contextlib.suppress(BrokenPipeError):  # it died; keep_alive sends all groups to its successor
            self._process.stdin.write("".join(f"{sign}{group}\n" for group in groups).encode())
            self._process.stdin.flush()

    def _close_pipe(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()


def living(lines: Iterable[str]) -> set[int]:
    """Read the pipe to its end and return the groups that were left."""
    groups: set[int] = set()
    for line in lines:
        (groups.add if line.startswith("+") else groups.discard)(int(line[1:]))
    return groups


def terminate(groups: set[int]) -> None:
    """End process groups: first their leaders are asked, then all are killed."""
    for group in groups:
        with contextlib.suppress(ProcessLookupError):
            os.kill(group, signal.SIGTERM)
    until = time.monotonic() + GRACE
    while any(_members(groups)) and time.monotonic() < until:
        time.sleep(0.05)
    for group in _members(groups):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


def _members(groups: set[int]) -> Iterator[int]:
    """Yield the groups that still have a process."""
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, 0)
            yield group


if __name__ == "__main__":
    terminate(living(sys.stdin))
