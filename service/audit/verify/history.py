"""What a verification reads: a game's head, its entries and its texts, from a store or from a bundle."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Protocol

from events.store import Entry, Erased, Head, Store
from service.games import chance

MOST_SEATS = 8


class History(Protocol):
    """A game to be verified."""

    def head(self, game: str, /) -> Head | None:
        """Return the head record; None when there is no such game."""

    def read(self, game: str, /, *, after: int, upto: int | None = None, count: int) -> list[Entry]:
        """Read at most `count` entries of the versions above `after`, up to and with `upto`.

        Raises:
            StreamDamaged: A version among them is missing.
        """

    def tail(self, game: str, /, *, action: None, request: None, after: int) -> object:
        """Read what came after a version.

        Raises:
            StreamDamaged: There are entries after the head.
        """

    def texts(self, game: str, digests: Iterable[str], /) -> Mapping[str, bytes]:
        """Return the texts and nonces with these digests; an erased one is missing."""

    def erased(self, game: str, /) -> Mapping[str, Erased] | None:
        """Return when texts were erased and by whom; None where no record of it is kept."""


class StoredHistory:
    """A game in a store as a `History`."""

    def __init__(self, store: Store) -> None:
        self.head = store.streams.head
        self.read = store.streams.read
        self.tail = store.streams.tail
        self.texts = store.sidecar.texts
        self.erased = store.sidecar.erased


def is_of(digest: str, record: bytes) -> bool:
    """Return whether a record has this digest: as a salted text, or as an opened nonce of any seat."""
    if sha256(record).hexdigest() == digest:
        return True
    return any(chance.nonce_input(seat, record) == digest for seat in range(1, MOST_SEATS + 1))
