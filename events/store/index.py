"""The index of games: the list of all games, what it shows of each, and the feed of appends.

It is kept by bucket and written by the script that appends, so it cannot lag behind the streams.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from events.store.due import scored
from events.store.keys import BUCKETS, bucket_keys, bucket_of, game_keys
from events.store.records import Head, Listed
from events.store.streams import Streams
from events.store.wire import Wire

BATCH = 500


class GameIndex:
    """Lists games.

    Args:
        wire: The way to the store.
        streams: Where each game is.
    """

    def __init__(self, wire: Wire, streams: Streams) -> None:
        self._wire = wire
        self._streams = streams

    def games(self, *, before: tuple[int, str] | None = None, limit: int = 50) -> list[Listed]:
        """List games, the newest first; of those made in one millisecond the greater id first.

        Args:
            before: (created, game) of the last one seen; None begins with the newest.
            limit: Most games in the answer.
        """
        found: set[tuple[int, str]] = set()
        for answer in self._wire.ask_many(_newest(before, limit)):
            found.update((int(score), game.decode()) for score, game in scored(answer))
        page = sorted((place for place in found if before is None or place < before), reverse=True)[:limit]
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


def _newest(before: tuple[int, str] | None, limit: int) -> list[tuple[Any, ...]]:
    """Ask each bucket for its newest games below a place; games of that very millisecond are asked for whole."""
    below = "+inf" if before is None else f"({before[0]}"
    commands: list[tuple[Any, ...]] = []
    for bucket in range(BUCKETS):
        key = bucket_keys(bucket).games
        commands.append(("ZREVRANGEBYSCORE", key, below, "-inf", "WITHSCORES", "LIMIT", 0, limit))
        if before is not None:
            commands.append(("ZRANGEBYSCORE", key, before[0], before[0], "WITHSCORES"))
    return commands
