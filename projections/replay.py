"""Replay: stored entries to state and books in one pass, with the hash chain verified on the way."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from events import chain, codec
from projections import evolve as game
from projections.evolve import AnyState
from projections.ledger.books import Books

Stored: TypeAlias = tuple[bytes, bytes]
"""An entry's canonical bytes and the 32-byte link over them, as they are stored."""

Batches: TypeAlias = Iterable[Sequence[Stored]]


class Replayed(NamedTuple):
    """Where a replay stands.

    Attributes:
        state: The game at this version; None before the first event.
        books: The ledger at the same version.
        link: The chain's link there: the head hash.
    """

    state: AnyState | None
    books: Books
    link: bytes

    @property
    def version(self) -> int:
        """Version of the last event replayed; 0 before the first."""
        return self.books.version


class BrokenChain(Exception):
    """A stored link does not follow from the bytes before it: an entry was changed, lost or put in.

    Attributes:
        version: The first version whose link is wrong; everything before it is good.
    """

    def __init__(self, version: int) -> None:
        super().__init__(f"event {version} does not fit the hash chain")
        self.version = version


def begin(game_id: str) -> Replayed:
    """Return the replay before the first event of a game."""
    return Replayed(None, Books(), chain.genesis(game_id))


def replay(batches: Batches, state: AnyState | None, books: Books, link: bytes) -> Replayed:
    """Verify, decode and fold entries in order; state and books are given away and changed in place.

    A batch is verified whole before anything of it is folded.

    Args:
        batches: The entries after the version of `books`, in order.
        state: The game at that version.
        books: The ledger at that version.
        link: The chain's link at that version.

    Raises:
        BrokenChain: The first entry whose link is wrong.
        codec.DamagedEntry: Stored bytes are no event.
        game.UnknownEvent: An event of a type that this release does not know.
        game.UnfitEvent: An event that cannot have followed those before it.

    After any of these, state and books may be at different versions.
    """
    for batch in batches:
        stored = [data for data, _ in batch]
        links = chain.links(link, stored)
        _check(batch, links, books.version)
        envelopes = codec.decode_all(stored)
        if envelopes:
            state, link = game.fold(envelopes, state), links[-1]
            books.fold(*envelopes)
    return Replayed(state, books, link)


def _check(batch: Sequence[Stored], links: list[bytes], version: int) -> None:
    """Raise `BrokenChain` at the first entry whose stored link is not the one that follows from its bytes."""
    if [link for _, link in batch] == links:
        return
    wrong = next(place for place, ((_, stored), link) in enumerate(zip(batch, links, strict=True), 1) if stored != link)
    raise BrokenChain(version + wrong)
