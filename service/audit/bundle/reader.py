"""A bundle as a game's history, read from a file without a store.

Two passes: the first checks the form of the lines and notes their places, the second is the
verification's own. Kept in memory are places in the file, never what stands there.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import BinaryIO

from events.store import Entry, Head, StreamDamaged
from service.audit.bundle.lines import (
    FORMAT,
    MOST_LINE,
    BadBundle,
    Data,
    End,
    Header,
    Odd,
    Text,
    is_line,
    read_entry,
    read_line,
)
from service.audit.verify.report import Findings
from service.games.texts import digests_in_bytes

CRLF = "its lines end with a carriage return too (CRLF); a bundle is to be copied as it is, byte for byte"
DISGUISES = {
    b"\xef\xbb\xbf": "a byte order mark stands before it",
    b"\x1f\x8b": "it is compressed (gzip); decompress it first",
    b"(\xb5/\xfd": "it is compressed (zstd); decompress it first",
    b"PK\x03\x04": "it is a zip archive; take the file out of it first",
}
"""What a file begins with that may hold a bundle → why it is none."""

EVERY = 1_000
"""The place of one event in so many is kept."""

MOST_DATA = 100
MOST_BESIDE = 1_000_000
"""Data files and texts of one game; no game has so many."""


class Bundle:
    """One game in a file; a `service.audit.verify.History`.

    Args:
        file: Open for reading at any place, from the bundle's first byte on.

    Attributes:
        findings: What is wrong with the lines; each is passed over, and what it held is missed later.
        data: Name and version of each data file → SHA-256 of its content, in hex.
        last: The last line; None where the bundle was cut.
        unnamed: Digests of texts that no event has named so far.

    Raises:
        BadBundle: It is no bundle at all.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.findings = Findings()
        self.data: dict[tuple[str, int], str] = {}
        self.last: End | None = None
        self.unnamed: set[str] = set()
        self.events = 0
        self._file = file
        self._texts: dict[str, int] = {}
        self._named: set[bytes] = set()
        self._waiting: list[tuple[int, str]] = []  # number of the line, and digest, of texts that await their event
        self._places: list[int] = []
        self._at = (0, 0)  # version after which to read on, and the place there
        self.header = self._index()

    def _index(self) -> Header:
        lines = self._lines(0)
        header = self._header(lines)
        for number, (place, line) in enumerate(lines, start=2):
            try:
                self._note(number, place, line)
            except BadBundle as error:
                self._add(number, str(error))
        self._end_texts()
        if self.last is None:
            self.findings.add(
                self.events, "bundle", "a last line that says how many events there are", "a bundle cut off"
            )
        return header

    def _add(self, number: int, what: str) -> None:
        self.findings.add(self.events + 1, "bundle", f"line {number} as it should be", what)

    def _header(self, lines: Iterator[tuple[int, bytes]]) -> Header:
        line = next(lines, (0, b""))[1]
        try:
            header = read_line(line)
        except BadBundle as error:
            why = "it is empty" if not line else CRLF if line.endswith(b"\r") else str(error)
            why = next((why for bytes_of, why in DISGUISES.items() if line.startswith(bytes_of)), why)
            raise BadBundle(f"this is no bundle of a game: {why}") from None
        if not isinstance(header, Header):
            raise BadBundle("this is no bundle of a game: its first line is not the first of a bundle")
        if header.bundle != FORMAT:
            raise BadBundle(f"the format {header.bundle[:80]!r} is none that this release reads ({FORMAT})")
        return header

    def _note(self, number: int, place: int, line: bytes) -> None:
        """Note the place of a line, and refuse one that is out of order."""
        if self.last is not None:
            raise BadBundle("it stands after the last line")
        read = read_entry(line) or read_line(line)
        if isinstance(read, Entry | Odd):
            self._note_event(number, place, read)
        elif isinstance(read, Text) and len(self._texts) < MOST_BESIDE:
            if read.text in self._texts:  # only one of them is read, and the other might say anything
                raise BadBundle(f"the text {read.text} stands there twice")
            self._texts[read.text] = place
            self._waiting.append((number, read.text))
            self.unnamed.add(read.text)
        elif isinstance(read, Data) and not self.events and not self._texts and len(self.data) < MOST_DATA:
            self._note_data(read)
        elif isinstance(read, End):
            self.last = read
        else:
            raise BadBundle("it stands in the wrong place, or there are too many")

    def _note_event(self, number: int, place: int, read: Entry | Odd) -> None:
        """Note an event; the texts before it are those that it is the first to name."""
        data = read.data if isinstance(read, Entry) else read.bytes
        named = {bytes.fromhex(digest)[:16] for digest in digests_in_bytes(data)}
        for line, digest in self._waiting:
            if bytes.fromhex(digest)[:16] not in named - self._named:
                self._add(line, "it is a text, and the event after it is not the first that names it")
        if isinstance(read, Odd) and is_line(data):
            self._add(number, "the event in it is sound, and stands there as bytes")
        self._waiting = []
        self._named |= named
        if self.events % EVERY == 0:
            self._places.append(place)
        self.events += 1

    def _end_texts(self) -> None:
        for number, _ in self._waiting:
            self._add(number, "it is a text, and no event comes after it")
        self._waiting, self._named = [], set()

    def _note_data(self, data: Data) -> None:
        if (data.data, data.version) in self.data:
            raise BadBundle(f"the data file {data.data} v{data.version} stands there twice")
        digest = self.data[data.data, data.version] = sha256(data.content.encode()).hexdigest()
        if digest != data.sha256:
            raise BadBundle(f"its content has the digest {digest}, and not {data.sha256}")

    def _lines(self, place: int) -> Iterator[tuple[int, bytes]]:
        """Yield the lines from a place on, each with its own place and without its end."""
        self._file.seek(place)
        while line := self._file.readline(MOST_LINE + 1):
            if len(line) > MOST_LINE:
                raise BadBundle(f"a line from byte {place + 1} on has more than {MOST_LINE:,} bytes")
            # A line that does not end as a line keeps one byte too many, so that it is not read as a whole one.
            yield place, line[:-1] if line.endswith(b"\n") else line + b"\n"
            place += len(line)

    def head(self, game: str, /) -> Head | None:
        """Return the head that the first line claims."""
        if game != self.header.game:
            return None
        return Head(self.header.version, bytes.fromhex(self.header.head), sealed=self.header.sealed)

    def read(self, game: str, /, *, after: int, upto: int | None = None, count: int) -> list[Entry]:
        """Read at most `count` entries after the first `after`, up to and with `upto`."""
        assert game == self.header.game, "one game in a bundle"
        count = count if upto is None else min(count, upto - after)
        entries: list[Entry] = []
        if count <= 0:
            return entries
        version, place = self._start(after)
        for here, line in self._lines(place):
            entry = _entry(line)
            if entry is None:
                continue
            if version >= after:
                if len(entries) == count:
                    break
                entries.append(entry)
            version, self._at = version + 1, (version + 1, here + len(line) + 1)
        return entries

    def _start(self, after: int) -> tuple[int, int]:
        """Return the nearest known place: where the last read ended, or that of an earlier event."""
        block = min(after // EVERY, len(self._places) - 1)
        if block < 0:
            return 0, 0
        return self._at if block * EVERY <= self._at[0] <= after else (block * EVERY, self._places[block])

    def tail(self, game: str, /, *, action: None, request: None, after: int) -> None:
        """Check that nothing comes after the events that the first line counts.

        Raises:
            StreamDamaged: There are more events.
        """
        del game, action, request
        if self.events > after:
            raise StreamDamaged(f"{self.events:,} events in the bundle")

    def texts(self, game: str, digests: Iterable[str], /) -> dict[str, bytes]:
        """Read the texts of these digests that the bundle has."""
        assert game == self.header.game, "one game in a bundle"
        found: dict[str, bytes] = {}
        for digest in digests:
            self.unnamed.discard(digest)
            if digest in self._texts:
                _, line = next(self._lines(self._texts[digest]))
                text = read_line(line)
                assert isinstance(text, Text), "its place was noted"
                found[digest] = text.record
        return found

    def erased(self, game: str, /) -> None:
        """Return None: a bundle holds no record of erasures."""
        assert game == self.header.game, "one game in a bundle"


def _entry(line: bytes) -> Entry | None:
    """Read an entry of either form; None for any other line."""
    entry = read_entry(line)
    if entry is None and line.startswith(b'{"bytes":'):
        try:
            odd = read_line(line)
        except BadBundle:
            return None
        return Entry(odd.bytes, bytes.fromhex(odd.link)) if isinstance(odd, Odd) else None
    return entry
