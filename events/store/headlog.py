"""A log outside the store of every head that was acknowledged.

A store whose append-only file was cut, or that was set back to an old copy, starts without a word. Compared with
this log it names the games that lost their tail. One line for each append, `game version link`; a line is one write
to a file opened for appending, so several processes may write. The newest version counts, in whatever order lines
came.
"""

import contextlib
import errno
import fcntl
import os
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from events.store.index import EventStore

BATCH = 500
_LINE = re.compile(r"([0-9a-z]{1,40}) ([0-9]{1,16}) ([0-9a-f]{64}|-)", re.ASCII)


@dataclass(frozen=True, slots=True)
class LostTail:
    """A game of which the store holds less, or other, than was acknowledged.

    Attributes:
        game: Its id.
        logged: Version that was acknowledged.
        found: Version that the store is at. Not below `logged` when the history there is another one.
    """

    game: str
    logged: int
    found: int


class HeadLog:
    """Notes heads and compares them with a store. Opening it drops the lines that newer ones outdate.

    Args:
        path: The file; made if it is missing, in a folder that exists.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        self._file = self._open()
        self._compact()

    def note(self, game: str, version: int, link: bytes) -> None:
        """Write down an acknowledged head. Not synced: it guards against the store's losses, not the machine's."""
        self._write(f"{game} {version} {link.hex()}\n")

    def forget(self, game: str) -> None:
        """Accept what the store holds of a game: earlier notes count no more."""
        self._write(f"{game} 0 -\n")

    def compare(self, store: EventStore) -> list[LostTail]:
        """Name each game whose stream is shorter than its note, or has another link at the noted version."""
        with self._held(fcntl.LOCK_SH):
            noted = self._read()
        lost: list[LostTail] = []
        games = iter(noted)
        while part := list(islice(games, BATCH)):
            heads = store.heads_of(part)
            links = store.links_at([(game, noted[game][0]) for game in part])
            for game, head, link in zip(part, heads, links, strict=True):
                version, noted_link = noted[game]
                found = head.version if head else 0
                if found < version or (link or b"").hex() != noted_link:
                    lost.append(LostTail(game, version, found))
        return lost

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _write(self, line: str) -> None:
        with self._held(fcntl.LOCK_SH):
            written = os.write(self._file, line.encode())
        if written < len(line):  # a full disk; the half line is passed over by readers
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))

    @contextlib.contextmanager
    def _held(self, kind: int) -> Iterator[None]:
        """Hold the file that bears the name now: another process may have put a compacted one in its place."""
        with self._lock:
            fcntl.flock(self._file, kind)
            while not self._is_current():
                os.close(self._file)
                self._file = self._open()
                fcntl.flock(self._file, kind)
            try:
                yield
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def _is_current(self) -> bool:
        try:
            named = self._path.stat()
        except FileNotFoundError:
            return False
        mine = os.fstat(self._file)
        return (named.st_ino, named.st_dev) == (mine.st_ino, mine.st_dev)

    def _open(self) -> int:
        return os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def _read(self) -> dict[str, tuple[int, str]]:
        """Give the newest note of each game. A line that was cut off is passed over."""
        noted: dict[str, tuple[int, str]] = {}
        for line in self._path.read_text("ascii", errors="replace").split("\n")[:-1]:
            if not (parts := _LINE.fullmatch(line)):
                continue
            game, version, link = parts[1], int(parts[2]), parts[3]
            if version == 0:
                noted.pop(game, None)
            elif version >= noted.get(game, (0, ""))[0]:
                noted[game] = (version, link)
        return noted

    def _compact(self) -> None:
        """Replace the file by one line for each game, whole or not at all."""
        with self._held(fcntl.LOCK_EX):
            text = "".join(f"{game} {version} {link}\n" for game, (version, link) in self._read().items())
            fresh = self._path.with_name(f"{self._path.name}.new")
            with fresh.open("w", encoding="ascii") as file:
                fresh.chmod(0o600)
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
