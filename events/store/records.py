"""The values that go into the event store and come out of it.

Bytes are opaque here: `events.codec` knows what an event means, `events.chain` how links are made.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from msgspec import Struct, field


class Entry(NamedTuple):
    """One entry of a stream; its version is its place, counted from 1.

    Attributes:
        data: The event's canonical bytes.
        link: The 32-byte chain link over it.
    """

    data: bytes
    link: bytes


entry_of: Callable[[tuple[bytes, bytes]], Entry] = partial(tuple.__new__, Entry)
"""Make an entry of (data, link): a third cheaper than `Entry(data, link)`, and reading is mostly this."""


class Head(Struct, frozen=True):
    """Where a stream is.

    Attributes:
        version: Version of the last entry.
        link: Its chain link.
        sealed: No append may follow.
    """

    version: int
    link: bytes
    sealed: bool


class SidecarUpdate(Struct, frozen=True):
    """What an append writes next to its entries: all of it or nothing, as with the entries.

    Attributes:
        about: New value of the games index for this game; None leaves it.
        created: Milliseconds since 1970, the score in the games index. Used by the first append only.
        due: Milliseconds since 1970 of the next deadline; None takes the game off the due index.
        seal: No append after this one.
        texts: Typed-in text: hex digest on the stream -> salt and text.
        tokens: Credential name -> SHA-256 of the credential; an older one of that name is replaced.
        secret: The game's secret. Used by the first append only.
    """

    about: bytes | None = None
    created: int | None = None
    due: int | None = None
    seal: bool = False
    texts: Mapping[str, bytes] = field(default_factory=dict)
    tokens: Mapping[str, bytes] = field(default_factory=dict)
    secret: bytes | None = None


class Appended(Struct, frozen=True):
    """The versions that an action was given.

    Attributes:
        first: Version of its first entry.
        last: Version of its last entry.
        repeated: The action id was known; the entries are those of its first time. Also after a lost reply.
    """

    first: int
    last: int
    repeated: bool


class Tail(Struct, frozen=True):
    """The end of a stream, read in one round trip.

    Attributes:
        known: What the action id was given before, if it was.
        head: None while the game has no stream.
        entries: Entries after the version asked for, at most 1,000.
        complete: Whether `entries` reaches the head. False too when the version asked for lies beyond it.
        tokens: Of a sealed stream: the SHA-256 of each credential by its name. They may change without an entry.
    """

    known: Appended | None
    head: Head | None
    entries: list[Entry]
    complete: bool
    tokens: Mapping[str, bytes] | None = None


class Listed(Struct, frozen=True):
    """One line of the games index."""

    created: int
    game: str
    about: bytes
