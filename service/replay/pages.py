"""Pages that were made, kept in the queue's store for an hour, in pieces: any process of the API can serve them.

A page holds what people typed. So it is valid only for the number of texts that were erased when it was made: once
there are more, it is not served, and `forget` removes it.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import redis

from service.errors import QueueUnavailable
from service.jobs import JobQueue

KEPT_SECONDS = 3600
PIECE = 256 * 1024  # bytes, or a step more


class Pages:
    """Keeps one page for each game and version, with the number of texts that were erased when it was made.

    Args:
        connection: To the Redis of background jobs.
    """

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def save(self, game: str, version: int, erased: int, pieces: Iterable[bytes]) -> None:
        """Keep a page; it is there whole or not at all."""
        key, part = _key(game, version), f"{_key(game, version)}:part"
        self._connection.sadd(_all(game), key, part)
        self._connection.expire(_all(game), 2 * KEPT_SECONDS)
        self._connection.delete(part)
        for piece in _gathered(pieces):
            self._connection.rpush(part, piece)
            self._connection.expire(part, KEPT_SECONDS)
        self._connection.rename(part, key)
        self._connection.set(_newest(game), f"{version}:{erased}", ex=KEPT_SECONDS)

    def forget(self, game: str) -> None:
        """Remove every page of a game, and what is there of one that is being made.

        Raises:
            QueueUnavailable: The queue's store does not answer.
        """
        try:
            self._connection.delete(_newest(game), *self._connection.smembers(_all(game)))
        except redis.RedisError as error:
            raise QueueUnavailable("The store of pages does not answer; send the request again.") from error

    def newest(self, game: str, erased: int) -> int:
        """Return the version that the newest page ends with; 0 when there is none, or texts were erased since.

        Raises:
            QueueUnavailable: The queue's store does not answer.
        """
        try:
            version, _, then = (self._connection.get(_newest(game)) or b"0:0").partition(b":")
            valid = int(then or 0) == erased and self._connection.exists(_key(game, int(version)))
            return int(version) if valid else 0
        except redis.RedisError as error:
            raise QueueUnavailable("The store of pages does not answer; send the request again.") from error

    def read(self, game: str, version: int) -> Iterator[bytes]:
        """Yield a page that is there, piece by piece."""
        key, place = _key(game, version), 0
        while piece := self._connection.lindex(key, place):
            yield piece
            place += 1


def forget_pages(jobs: JobQueue | None, game: str) -> bool:
    """Remove the pages of a game, which hold what was typed in; return whether they are gone.

    Where the queue does not answer, they are not served any more, and expire within the hour.
    """
    try:
        if jobs is not None:
            Pages(jobs.connection).forget(game)
    except QueueUnavailable:
        return False
    return True


def _key(game: str, version: int) -> str:
    return f"rollbook:page:{game}:{version}"


def _newest(game: str) -> str:
    return f"rollbook:page:{game}"


def _all(game: str) -> str:
    return f"rollbook:pages:{game}"


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join small pieces."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= PIECE:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)
