"""Chance: every outcome follows from a committed secret, the seats' nonces and a coordinate.

The bytes of an outcome are HMAC-SHA-256(secret; domain, game, inputs, coordinate, block number), taken byte by byte
with rejection, so that each face is equally likely. A retry, a crash or a restart meets the same faces; no future is
stored.
`docs/fairness.md` gives the format to the byte.
"""

import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256

from projections.state.base import GameState

COMMIT_DOMAIN = b"rollbook/commit/v2"
CHANCE_DOMAIN = b"rollbook/chance/v1"
NONCE_DOMAIN = b"rollbook/nonce/v1"
SECRET_BYTES = 32
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
"""The two halves of HMAC (RFC 2104). They are written out so that the secret and the head are hashed once in a game:
the library's own object can be copied, too, but at twice the price."""


def new_secret() -> bytes:
    """Draw a game's secret from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(game: str, secret: bytes, *, known: bool) -> str:
    """Commit to a secret, and to whether it is known, before any seat sits down; hex. Never an input of an outcome."""
    origin = b"known" if known else b"drawn"
    return sha256(b"\x00".join((COMMIT_DOMAIN, game.encode(), origin, secret))).hexdigest()


def earlier_commitment(game: str, secret: bytes) -> str:
    """Commit to a secret as games of earlier releases did, which are only read now; hex."""
    return sha256(b"\x00".join((b"rollbook/commit/v1", game.encode(), secret))).hexdigest()


def nonce_commitment(nonce: bytes) -> str:
    """Return what a seat hands in when it sits down: SHA-256 of its nonce; hex."""
    return sha256(nonce).hexdigest()


def nonce_input(seat: int, nonce: bytes) -> str:
    """Return what an opened nonce adds to every outcome; hex. The nonce itself can be erased without harm to them."""
    return sha256(b"\x00".join((NONCE_DOMAIN, str(seat).encode(), nonce))).hexdigest()


def inputs_of(state: GameState) -> tuple[str, ...]:
    """Return what the seats add to chance: fixed at the start; before it, what has been handed in so far."""
    if state.status != "lobby":
        return state.inputs
    seats = [state.seats[seat] for seat in sorted(state.seats)]
    return tuple(seat.nonce_input or seat.nonce_commitment for seat in seats)


class SecretDice:
    """The dice of a real game."""

    def __init__(self, secret: bytes, game: str, inputs: Sequence[str]) -> None:
        head = b"\n".join((CHANCE_DOMAIN, game.encode(), ",".join(inputs).encode(), b""))
        assert len(secret) == SECRET_BYTES, "longer keys than a block would be hashed first"
        key = secret.ljust(sha256().block_size, b"\x00")
        self._inner, self._outer = sha256(key.translate(_INNER) + head), sha256(key.translate(_OUTER))

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        """Throw dice at a coordinate; see `service.rules.dice.Dice`."""
        return tuple([number + 1 for number in self._numbers(coordinate, count=count, below=sides)])

    def pick(self, coordinate: str, *, among: int) -> int:
        """Choose one of several things at a coordinate; see `service.rules.dice.Dice`."""
        return self._numbers(coordinate, count=1, below=among)[0]

    def _numbers(self, coordinate: str, *, count: int, below: int) -> bytes:
        """Take numbers from 0 to `below` - 1 from the bytes at a coordinate, in order and without bias."""
        remainders, passed_over = _reading(below)
        found, block = b"", 0
        while len(found) < count:
            found += self._block(coordinate, block).translate(remainders, passed_over)
            block += 1
        return found[:count]

    def _block(self, coordinate: str, number: int) -> bytes:
        """Return a block of bytes of the stream at a coordinate, from 0."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(f"{coordinate}\n{number}".encode())
        outer.update(inner.digest())
        return outer.digest()


@cache
def _reading(below: int) -> tuple[bytes, bytes]:
    """Return what each byte comes to, its remainder, and the bytes beyond the last whole multiple, passed over."""
    assert 1 <= below <= 256, "one byte decides"
    return bytes(byte % below for byte in range(256)), bytes(range(256 - 256 % below, 256))


class NotRecorded(Exception):
    """What is executed again needs an outcome that the stream does not have.

    Attributes:
        coordinate: Its coordinate.
    """

    def __init__(self, coordinate: str) -> None:
        super().__init__(coordinate)
        self.coordinate = coordinate


class RecordedDice:
    """The dice of an execution again: what the stream says came up, and nothing else.

    Args:
        faces: Coordinate → faces of each recorded roll.
        picks: Coordinate → index of each recorded draw.
    """

    def __init__(self, faces: Mapping[str, tuple[int, ...]], picks: Mapping[str, int]) -> None:
        self._faces = faces
        self._picks = picks

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        """Return the recorded faces.

        Raises:
            NotRecorded: There are none of such dice.
        """
        faces = self._faces.get(coordinate, ())
        if len(faces) != count or not all(1 <= face <= sides for face in faces):
            raise NotRecorded(coordinate)
        return faces

    def pick(self, coordinate: str, *, among: int) -> int:
        """Return the recorded index.

        Raises:
            NotRecorded: There is none among so many.
        """
        index = self._picks.get(coordinate, -1)
        if not 0 <= index < among:
            raise NotRecorded(coordinate)
        return index
