"""Locks on files, kept by the kernel: they end with the last process that holds the descriptor, however it dies.

A lock is only ever given back by closing the descriptor. `LOCK_UN` would take it from a process that inherited it.
Lock files are never removed: two processes would then lock two files of one name.
"""

import fcntl
import os
from pathlib import Path


class FileLock:
    """An `flock` on one file, with a number written into it (the holder's process id)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def take(self, *, shared: bool = False) -> bool:
        """Try to take the lock and never wait; a lock that is held already is converted.

        Returns:
            Whether it is held now. A conversion that fails loses the lock that was held.
        """
        if self._descriptor is None:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            return False
        return True

    def fileno(self) -> int:
        """Return the descriptor, for a child process to inherit."""
        assert self._descriptor is not None, "the lock is not held"
        return self._descriptor

    def close(self) -> None:
        """Close this process's descriptor; a child that inherited it keeps the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def note(self, number: int | None) -> None:
        """Write who holds the lock into the file, or that its holder ended in order (None)."""
        os.ftruncate(self.fileno(), 0)
        if number is not None:
            os.pwrite(self.fileno(), b"%d\n" % number, 0)

    def read_note(self) -> int | None:
        """Return the number in the file, or None if there is none."""
        try:
            text = self.path.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return None
        return int(text) if text.isdigit() else None

    def is_held(self) -> bool:
        """Return whether any process holds the lock, without making the file."""
        if not self.path.exists():
            return False
        probe = FileLock(self.path)
        free = probe.take(shared=True)
        probe.close()
        return not free
