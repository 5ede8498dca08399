"""Keyframes: state and books at a version as one blob, and a rebuild from the nearest one.

A keyframe only ever saves time. It carries a fingerprint of the code that made it and is ignored when that differs,
when it does not load, and when the stream has another link at its version. It is trusted as the store is: an audit
replays from the first event. `events.store` keeps the blobs.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from typing import TypeAlias

import msgspec
from msgspec import Struct

from events.sources import fingerprint_of, sources
from projections.evolve import AnyState
from projections.ledger.books import Books
from projections.replay import Batches, Replayed, begin, replay

NAME = "game"
"""Name of this projection among a game's keyframes."""

EVERY = 1_000
"""A keyframe is worth making every so many events."""

Read: TypeAlias = Callable[[int, int | None], Batches]
"""`read(after, upto)`: a game's entries above `after`, up to and with `upto` (all for None), in batches. It may raise
an error of its own when the stream ends earlier."""


class Keyframe(Struct, frozen=True, kw_only=True):
    """What a blob holds.

    Attributes:
        made_by: Fingerprint of the code that made it.
        link: The chain's link at its version: what comes after must continue it.
        state: The game.
        books: The ledger, at the same version.
    """

    made_by: str
    link: bytes
    state: AnyState
    books: Books


@cache
def fingerprint() -> str:
    """Return the fingerprint of the code and data that projections depend on.

    Covered are `events` but for its store, and `projections`: paths and bytes. Read once a process.
    """
    return fingerprint_of(covered())


def covered() -> Iterator[tuple[str, bytes]]:
    """List path and bytes of every file that the fingerprint covers."""
    return chain(sources("events", without="store"), sources("projections"))


def pack(state: AnyState, books: Books, link: bytes) -> bytes:
    """Return a keyframe's blob; state and books stay the caller's."""
    assert state.version == books.version, "state and books of one version"
    return _encoder.encode(Keyframe(made_by=fingerprint(), link=link, state=state, books=books))


def unpack(blob: bytes) -> Replayed | None:
    """Read a keyframe's blob; None when other code made it or it is damaged."""
    try:
        keyframe = _decoder.decode(blob)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if keyframe.made_by != fingerprint() or keyframe.state.version != keyframe.books.version:
        return None
    return Replayed(keyframe.state, keyframe.books, keyframe.link)


def rebuild(read: Read, game: str, *, upto: int | None = None, keyframe: bytes | None = None) -> Replayed:
    """Return a game's state and books at a version, from a keyframe and the entries after it.

    Args:
        read: Reads the game's stream.
        game: Its id.
        upto: The version wanted; the newest for None.
        keyframe: A blob at or below that version, best the nearest; one of no use is ignored.

    Raises:
        BrokenChain: What was read does not fit the hash chain. Entries before the keyframe are not read.
        codec.DamagedEntry: Stored bytes are no event.
        game.UnknownEvent: An event of a type that this release does not know.
    """
    start = unpack(keyframe) if keyframe else None
    if start is None or not _fits(start, read, game, upto):
        start = begin(game)
    return replay(read(start.version, upto), *start)


def _fits(start: Replayed, read: Read, game: str, upto: int | None) -> bool:
    """Return whether a keyframe is of use: this game, early enough, and on the stream as it is now."""
    version = start.version
    if start.state is None or start.state.game != game or (upto is not None and version > upto):
        return False
    # A store that lost its tail and went on has another link here, though game and version agree.
    return [link for batch in read(version - 1, version) for _, link in batch] == [start.link]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Keyframe)
