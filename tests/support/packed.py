"""States and books as bytes: for comparisons, and for tests that read them again."""

from msgspec import Struct, msgpack

from projections.evolve import AnyState
from projections.ledger.books import Books


def packed(value: Struct) -> bytes:
    """A state or books as bytes; equal bytes are equal values."""
    return msgpack.encode(value)


def state_from(blob: bytes) -> AnyState:
    """The state that was packed."""
    return msgpack.decode(blob, type=AnyState)


def books_from(blob: bytes) -> Books:
    """The books that were packed."""
    return msgpack.decode(blob, type=Books)
