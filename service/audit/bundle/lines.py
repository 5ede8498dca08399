"""The lines of a bundle, written and read.

Each line is one JSON object, and one of its keys names its kind. Lines of events are read as bytes and never as JSON,
for their bytes were hashed: they stand between a fixed beginning and an end of fixed length.
"""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from events.base import Digest
from events.store import Entry

FORMAT = "rollbook-bundle/1"
MOST_LINE = 4 * 1024 * 1024
"""Bytes of the longest line; data files and typed-in texts are far below it."""

Whole: TypeAlias = Annotated[int, Meta(ge=0, lt=2**53)]
GameId: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-z]{1,40}(?![\s\S])")]


class BadBundle(Exception):
    """The input is no bundle, or none that this release can read; the message is one line."""


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line: which game the bundle holds.

    Attributes:
        bundle: Name of the format.
        game: Id of the game.
        head: Chain link of the last event, as the head record had it.
        sealed: The game takes no more events.
        version: Version of the last event, which is how many there are.
    """

    bundle: str
    game: GameId
    head: Digest
    sealed: bool
    version: Whole


class Data(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A board or deck that the game is played on.

    Attributes:
        content: The file, as text.
        data: Its name.
        sha256: Of the file's bytes.
        version: Its version.
    """

    content: str
    data: str
    sha256: Digest
    version: Whole


class Text(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text or a nonce, right before the first event that names it.

    Attributes:
        record: Salt and text, or a nonce; in Base64.
        text: The digest that events name it by.
    """

    record: bytes
    text: Digest


class Odd(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry whose bytes are not one line of JSON.

    Attributes:
        bytes: As they are stored; in Base64.
        link: Its chain link.
    """

    bytes: bytes
    link: Digest


class End(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line, without which a bundle was cut off.

    Attributes:
        checkpoint: Signed note over the tree's root at this size; empty where it was not signed.
        end: How many events there were.
        tree: Root of the RFC 9162 tree over them.
    """

    checkpoint: str
    end: Whole
    tree: Digest


Line: TypeAlias = Header | Data | Text | Odd | End
KINDS: tuple[tuple[str, type[Line]], ...] = (
    ("bundle", Header),
    ("data", Data),
    ("text", Text),
    ("bytes", Odd),
    ("end", End),
)
"""Each kind of line but that of events, by the key that only it has."""

_encoder = msgspec.json.Encoder(order="sorted")
_decoders = {kind: msgspec.json.Decoder(kind) for _, kind in KINDS}
_bare = msgspec.json.Decoder(dict[str, msgspec.Raw])
_BEGIN, _MIDDLE, _END = b'{"event":', b',"link":"', b'"}'
_TAIL = len(_MIDDLE) + 64 + len(_END)


def write_line(line: Line) -> bytes:
    """Write a line, with its end."""
    return _encoder.encode(line) + b"\n"


def write_entry(entry: Entry) -> bytes:
    """Write an entry: its very bytes, or in Base64 when they are not one line of JSON."""
    if not is_line(entry.data):
        return write_line(Odd(bytes=entry.data, link=entry.link.hex()))
    return b"".join((_BEGIN, entry.data, _MIDDLE, entry.link.hex().encode(), _END, b"\n"))


def read_entry(line: bytes) -> Entry | None:
    """Read the line of an event, without its end; None when it is another kind of line or none."""
    middle, tail = line[-_TAIL:-66], line[-66:]
    if not line.startswith(_BEGIN) or middle != _MIDDLE or tail[64:] != _END or len(line) < len(_BEGIN) + _TAIL:
        return None
    link = tail[:64]
    if link.strip(b"0123456789abcdef"):
        return None
    return Entry(line[len(_BEGIN) : -_TAIL], bytes.fromhex(link.decode()))


def read_line(line: bytes) -> Line:
    """Read any other line, without its end.

    Raises:
        BadBundle: It is none of a bundle, or not written as one.
    """
    try:
        names = _bare.decode(line)
        kind = next((kind for name, kind in KINDS if name in names), None)
        read = _decoders[kind].decode(line) if kind else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadBundle(f"it is no line of a bundle: {_why(error)}") from None
    if read is None:
        raise BadBundle("it is no line of a bundle")
    if _encoder.encode(read) != line:
        raise BadBundle("it is not written as a bundle is: its keys, its white space or its escapes are others")
    return read


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)


def is_line(data: bytes) -> bool:
    """Return whether an entry's bytes are one line of JSON."""
    if b"\n" in data:
        return False
    try:
        msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True
