"""The index of games: the list of all games, what it shows of each, and the feed of appends.

It is kept by bucket and written by the script that appends, so it cannot lag behind the streams.
"""

import operator
from collections.abc import Iterator
from itertools import groupby
from typing import Any, TypeAlias

from events.store.due import scored
from events.store.keys import BUCKETS, bucket_keys, bucket_of, game_keys
from events.store.records import Head, Listed
from events.store.streams import Streams
from events.store.wire import Wire

BATCH = 500

Place: TypeAlias = tuple[int, str]
"""Where a game is in the list: when it was opened (ms), and its id."""


class GameIndex:
    """Lists games.

    Args:
        wire: The way to the store.
        streams: Where each game is.
    """

    def __init__(self, wire: Wire, streams: Streams) -> None:
        self._wire = wire
        self._streams = streams

    def games(self, *, after: Place | None = None, limit: int = 50, oldest_first: bool = False) -> list[Listed]:
        """List games in the order of (created, id), from the newest or from the oldest.

        Args:
            after: (created, game) of the last one seen; None begins at the end of the list.
            limit: Most games in the answer. It may hold fewer; it is empty only where the list ends.
            oldest_first: Begin with the oldest.
        """
        # Enough that few rows are read in vain, for ids are spread evenly over the buckets.
        rows = 2 * limit // BUCKETS + 4
        commands = [*_next(after, rows, oldest_first=oldest_first), *_same_moment(after)]
        parts = [
            [(int(score), game.decode()) for score, game in scored(answer)] for answer in self._wire.ask_many(commands)
        ]
        beyond, nearest = (operator.gt, min) if oldest_first else (operator.lt, max)
        # Where a bucket has more than was asked for, what other buckets have beyond its last row is not next.
        horizon = nearest((part[-1] for part in parts[:BUCKETS] if len(part) == rows), default=None)
        page = [
            place
            for place in {place for part in parts for place in part}
            if (after is None or beyond(place, after)) and (horizon is None or not beyond(place, horizon))
        ]
        page = sorted(page, reverse=not oldest_first)[:limit]
        about = self._about([game for _, game in page])
        return [Listed(created, game, about[game]) for created, game in page]

    def heads(self) -> Iterator[tuple[str, Head]]:
        """Return all games and where they are, bucket by bucket; games begun meanwhile may be left out."""
        for bucket in range(BUCKETS):
            yield from self.heads_in(bucket)

    def heads_in(self, bucket: int) -> Iterator[tuple[str, Head]]:
        """Return the games of a bucket and where they are; one without a head record is left out."""
        names = self.games_in(bucket)
        for start in range(0, len(names), BATCH):
            part = names[start : start + BATCH]
            yield from ((game, head) for game, head in zip(part, self._streams.heads_of(part), strict=True) if head)

    def games_in(self, bucket: int) -> list[str]:
        """List all games of a bucket, the oldest first."""
        return [game.decode() for game in self._wire.ask("ZRANGE", bucket_keys(bucket).games, 0, -1)]

    def count(self) -> int:
        """Count all games."""
        return sum(self._wire.ask_many([("ZCARD", bucket_keys(bucket).games) for bucket in range(BUCKETS)]))

    def feed(self, bucket: int, *, after: str = "0-0", count: int = 1000) -> list[tuple[str, str, int]]:
        """List (position, game, version) of the appends in a bucket after a position. Trimmed: a hint, not a record."""
        rows = self._wire.ask("XRANGE", bucket_keys(bucket).feed, f"({after}", "+", "COUNT", count)
        return [(place.decode(), fields[b"g"].decode(), int(fields[b"v"])) for place, fields in rows]

    def about(self, game: str) -> bytes:
        """Return what lists show of a game; empty when there is nothing."""
        found: bytes | None = self._wire.ask("HGET", game_keys(game).about, game)
        return found or b""

    def _about(self, games: list[str]) -> dict[str, bytes]:
        """Read what lists show of these games, by one command for each bucket."""
        parts = [list(part) for _, part in groupby(sorted(games, key=bucket_of), key=bucket_of)]
        answers = self._wire.ask_many([("HMGET", bucket_keys(bucket_of(part[0])).about, *part) for part in parts])
        return {
            game: about or b""
            for part, answer in zip(parts, answers, strict=True)
            for game, about in zip(part, answer, strict=True)
        }


def _next(after: Place | None, rows: int, *, oldest_first: bool) -> list[tuple[Any, ...]]:
    """Ask each bucket for its next games, without those of the very millisecond of the last one seen."""
    edge = "-inf" if oldest_first else "+inf"
    begin = edge if after is None else f"({after[0]}"
    name, end = ("ZRANGEBYSCORE", "+inf") if oldest_first else ("ZREVRANGEBYSCORE", "-inf")
    keys = [bucket_keys(bucket).games for bucket in range(BUCKETS)]
    return [(name, key, begin, end, "WITHSCORES", "LIMIT", 0, rows) for key in keys]


def _same_moment(after: Place | None) -> list[tuple[Any, ...]]:
    """Ask each bucket for all games of the millisecond of the last one seen."""
    if after is None:
        return []
    keys = [bucket_keys(bucket).games for bucket in range(BUCKETS)]
    return [("ZRANGEBYSCORE", key, after[0], after[0], "WITHSCORES") for key in keys]
