"""A log outside the store of every head that was acknowledged.

A store whose append-only file was cut, or that was set back to an old copy, starts without a word. Compared with
this log it names the games that lost their tail. One line for each append, `game version link`; a line is one write
to a file opened for appending, so several processes may write. A line `game 0 -` accepts what was lost before it.

Of each game the newest head is kept, and every one after which a lower one was noted: a store that fell back and went
on has other entries there, however long it has grown since.
"""

import contextlib
import errno
import fcntl
import os
import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from events.store.streams import Streams

BATCH = 500
CHUNK = 1 << 20
CONTRADICTED = "0" * 64  # two links were noted for one version: no stream agrees with this
Heads = dict[str, dict[int, str]]
"""Game → version → link in hex, of the heads that are kept."""

_LINE = re.compile(r"([0-9a-z]{1,40}) ([0-9]{1,16}) ([0-9a-f]{64}|-)", re.ASCII)


@dataclass(frozen=True, slots=True)
class LostTail:
    """A game of which the store holds less, or other, than was acknowledged.

    Attributes:
        game: Its id.
        logged: Version that was acknowledged.
        found: Entries that the store holds. Not below `logged` when some of them are missing or others.
    """

    game: str
    logged: int
    found: int


class HeadLog:
    """Notes heads and compares them with a store. Opening it drops the lines that newer ones outdate.

    Args:
        path: The file; made if it is missing, in a folder that exists.
        reading: Only `compare`, `newest` and the attributes are used: nothing is written, and the file must exist.
        only: The only game that is compared; None for all.

    Attributes:
        damaged: Lines that cannot be read, other than a last one that was cut off.
        aside: Where the file with those lines was kept when they were dropped; None if there were none.
    """

    def __init__(self, path: Path | str, *, reading: bool = False, only: str | None = None) -> None:
        self._path = Path(path)
        self._reading = reading
        self._only = only
        self._lock = threading.Lock()
        self._file = self._open()
        self._known: Heads = {}
        self._read_to = 0
        self.damaged = 0
        self.aside: Path | None = None
        if reading:
            with self._held(fcntl.LOCK_SH):
                self._read_on(os.fstat(self._file).st_size)
        else:
            self._compact()

    def count(self) -> int:
        """Count the games that are known."""
        return len(self._known)

    def note(self, game: str, version: int, link: bytes) -> None:
        """Write down an acknowledged head. Not synced: it guards against the store's losses, not the machine's."""
        self._write(f"{game} {version} {link.hex()}\n")

    def forget(self, game: str) -> None:
        """Accept what the store holds of a game: earlier notes count no more."""
        self._write(f"{game} 0 -\n")

    def newest(self, game: str) -> int:
        """Return the highest version that any process on this machine has noted of a game; 0 for none."""
        with self._lock:  # without the file's lock: a half line is passed over, and whatever replaced the file is found
            status = os.fstat(self._file)
            if not status.st_nlink and self._has_successor():
                self._reopen()
                status = os.fstat(self._file)
            self._read_on(status.st_size)
            heads = self._known.get(game)
            return max(heads) if heads else 0

    def compare(self, streams: Streams, game: str | None = None) -> list[LostTail]:
        """List each game whose stream is shorter than its note, has gaps, or has another link at a noted version.

        Args:
            streams: Of the store.
            game: Look at this game alone.
        """
        game = game or self._only
        with self._held(fcntl.LOCK_SH):
            self._read_on(os.fstat(self._file).st_size)
            noted = {name: dict(heads) for name, heads in self._known.items() if game in (None, name)}
        lost: list[LostTail] = []
        games = iter(noted)
        while part := list(islice(games, BATCH)):
            found = streams.heads_of(part)
            lengths = streams.lengths_of(part)  # after the heads: of a game that goes on, never shorter
            places = [(name, version) for name in part for version in noted[name]]
            links = dict(zip(places, streams.links_at(places), strict=True))
            for name, head, length in zip(part, found, lengths, strict=True):
                wrong = [v for v, link in noted[name].items() if (links[name, v] or b"").hex() != link]
                version = head.version if head else 0
                if wrong or version < max(noted[name]) or length < version:
                    lost.append(LostTail(name, max(noted[name]), length))
        return lost

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _write(self, line: str) -> None:
        with self._lock:
            self._hold(fcntl.LOCK_SH)
            try:
                written = os.write(self._file, line.encode())
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)
        if written < len(line):  # a full disk; the half line is passed over by readers
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))

    @contextlib.contextmanager
    def _held(self, kind: int) -> Iterator[None]:
        """Do something while the file is held."""
        with self._lock:
            self._hold(kind)
            try:
                yield
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def _hold(self, kind: int) -> None:
        """Lock the file that bears the name now: another process may have put a compacted one in its place."""
        fcntl.flock(self._file, kind)
        while not os.fstat(self._file).st_nlink and self._has_successor():
            self._reopen()
            fcntl.flock(self._file, kind)

    def _has_successor(self) -> bool:
        """Return whether to turn to another file, now that the open one has lost its name."""
        return not self._reading or self._path.exists()  # without another one, what was open can still be read

    def _reopen(self) -> None:
        """Turn to the file that bears the name now, from its beginning."""
        os.close(self._file)
        self._file, self._read_to, self._known, self.damaged = self._open(), 0, {}, 0

    def _open(self) -> int:
        if self._reading:
            return os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        return os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def _read_on(self, size: int) -> None:
        """Take in the lines that came since the last look. A line that was cut off is passed over."""
        while self._read_to < size:
            part = os.pread(self._file, min(CHUNK, size - self._read_to), self._read_to)
            whole = part.rfind(b"\n") + 1
            if not whole:
                return
            for line in part[:whole].decode("ascii", errors="replace").splitlines():
                if parts := _LINE.fullmatch(line):
                    heads = self._known.setdefault(parts[1], {})
                    version, link = int(parts[2]), parts[3]
                    last = next(reversed(heads), 0)
                    if version == 0:
                        del self._known[parts[1]]
                        continue
                    if version > last and last:
                        del heads[last]
                    heads[version] = link if heads.get(version, link) == link else CONTRADICTED
                else:
                    self.damaged += 1
            self._read_to += whole

    def _compact(self) -> None:
        """Replace the file by one line for each game, whole or not at all: on a full disk it stays as it is."""
        with self._held(fcntl.LOCK_EX):
            self._read_on(os.fstat(self._file).st_size)
            kept = [(game, version, link) for game, heads in self._known.items() for version, link in heads.items()]
            text = "".join(f"{game} {version} {link}\n" for game, version, link in kept)
            fresh = self._path.with_name(f"{self._path.name}.new")
            try:
                with fresh.open("w", encoding="ascii") as file:
                    fresh.chmod(0o600)
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
            except OSError:
                fresh.unlink(missing_ok=True)
                return
            if self.damaged:
                self.aside = self._keep_aside()
            fresh.replace(self._path)

    def _keep_aside(self) -> Path:
        """Copy the file. Not by a second link: readers notice that the old file lost its only name."""
        for number in count(1):
            aside = self._path.with_name(f"{self._path.name}.damaged-{number}")
            with contextlib.suppress(FileExistsError), aside.open("xb") as copy, self._path.open("rb") as damaged:
                aside.chmod(0o600)
                shutil.copyfileobj(damaged, copy)
                return aside
        raise AssertionError("there is always another number")
