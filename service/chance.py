"""Chance: every outcome follows from a committed secret, the seats' nonces and a coordinate.

The bytes of an outcome are HMAC-SHA-256(secret; domain, game, inputs, coordinate, block number), taken byte by byte
with rejection, so that each face is equally likely. A retry, a crash or a restart meets the same faces; no future is
stored.
`docs/fairness.md` gives the format to the byte.
"""

import hmac
import secrets
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

COMMIT_DOMAIN = b"rollbook/commit/v1"
CHANCE_DOMAIN = b"rollbook/chance/v1"
NONCE_DOMAIN = b"rollbook/nonce/v1"
SECRET_BYTES = 32


def new_secret() -> bytes:
    """Draw a game's secret from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(game: str, secret: bytes) -> str:
    """Commit to a secret before any seat sits down; hex. Never an input of an outcome."""
    return sha256(b"\x00".join((COMMIT_DOMAIN, game.encode(), secret))).hexdigest()


def nonce_commitment(nonce: bytes) -> str:
    """Give what a seat hands in when it sits down: SHA-256 of its nonce; hex."""
    return sha256(nonce).hexdigest()


def nonce_input(seat: int, nonce: bytes) -> str:
    """Give what an opened nonce adds to every outcome; hex. The nonce itself can be erased without harm to the dice."""
    return sha256(b"\x00".join((NONCE_DOMAIN, str(seat).encode(), nonce))).hexdigest()


def outcome_bytes(secret: bytes, game: str, inputs: Sequence[str], coordinate: str) -> Iterator[int]:
    """Give the endless stream of bytes at a coordinate."""
    block = 0
    while True:
        parts = (CHANCE_DOMAIN, game.encode(), ",".join(inputs).encode(), coordinate.encode(), str(block).encode())
        yield from hmac.digest(secret, b"\n".join(parts), "sha256")
        block += 1


def below(stream: Iterator[int], sides: int) -> int:
    """Take a number from 0 to `sides` - 1 without bias; at most 256 sides."""
    assert 1 <= sides <= 256, "one byte decides"
    limit = 256 - 256 % sides
    return next(byte for byte in stream if byte < limit) % sides


class SecretDice:
    """The dice of a real game."""

    def __init__(self, secret: bytes, game: str, inputs: Sequence[str]) -> None:
        self._secret = secret
        self._game = game
        self._inputs = tuple(inputs)

    def _stream(self, coordinate: str) -> Iterator[int]:
        return outcome_bytes(self._secret, self._game, self._inputs, coordinate)

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        """Throw dice at a coordinate; see `service.rules.dice.Dice`."""
        stream = self._stream(coordinate)
        return tuple(below(stream, sides) + 1 for _ in range(count))

    def pick(self, coordinate: str, *, among: int) -> int:
        """Choose one of several things at a coordinate; see `service.rules.dice.Dice`."""
        return below(self._stream(coordinate), among)


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
        """Give the recorded faces."""
        faces = self._faces[coordinate]
        assert len(faces) == count and all(1 <= face <= sides for face in faces), coordinate  # noqa: PT018 # one claim
        return faces

    def pick(self, coordinate: str, *, among: int) -> int:
        """Give the recorded index."""
        index = self._picks[coordinate]
        assert 0 <= index < among, coordinate
        return index
