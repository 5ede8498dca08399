"""The indexes over many games: the list of games, the due times, the feed of appends, the store's clock.

Each is kept by bucket and written by the script that appends, so none can lag behind the streams.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from events.store.erasing import ErasingStreams
from events.store.keys import BUCKETS, BUCKETS_KEY, bucket_keys, bucket_of, game_keys
from events.store.records import Head, Listed
from events.store.signs import SignsOfLife

BATCH = 500


class EventStore(ErasingStreams, SignsOfLife):
    """The whole store: streams, what lies beside them, and the indexes over all games.

    Args:
        client: From `connect`. The store sends nothing twice that may not be sent twice.
        patience: Seconds in which a safe command is sent again after a failure that passes.
    """

    def games(self, *, before: tuple[int, str] | None = None, limit: int = 50) -> list[Listed]:
        """List games, the newest first; of those made in one millisecond the greater id first.

        Args:
            before: (created, game) of the last one seen; None begins with the newest.
            limit: Most games in the answer.
        """
        found: set[tuple[int, str]] = set()
        for answer in self._many(_newest(before, limit)):
            found.update(_scored(answer))
        page = sorted((place for place in found if before is None or place < before), reverse=True)[:limit]
        about = self._about([game for _, game in page])
        return [Listed(created, game, about[game]) for created, game in page]

    def heads(self) -> Iterator[tuple[str, Head]]:
        """Go through all games and where they are, bucket by bucket; games begun meanwhile may be left out."""
        for bucket in range(BUCKETS):
            yield from self.heads_in(bucket)

    def heads_in(self, bucket: int) -> Iterator[tuple[str, Head]]:
        """Go through the games of a bucket and where they are; one without a head record is left out."""
        names = self.games_in(bucket)
        for start in range(0, len(names), BATCH):
            part = names[start : start + BATCH]
            yield from ((game, head) for game, head in zip(part, self.heads_of(part), strict=True) if head)

    def games_in(self, bucket: int) -> list[str]:
        """Name all games of a bucket, the oldest first."""
        return [game.decode() for game in self._ask("ZRANGE", bucket_keys(bucket).games, 0, -1)]

    def count(self) -> int:
        """Count all games."""
        return sum(self._many([("ZCARD", bucket_keys(bucket).games) for bucket in range(BUCKETS)]))

    def due(self, *, until: int, limit: int = 1000) -> list[tuple[int, str]]:
        """List (milliseconds, game) of all deadlines up to and with `until`, the earliest first.

        At most `limit`, so that a night's worth is done in parts.
        """
        entries = self.overdue(until=until, limit=limit)
        return [(int(entry.at), entry.game) for entry in entries if entry.game is not None]

    def feed(self, bucket: int, *, after: str = "0-0", count: int = 1000) -> list[tuple[str, str, int]]:
        """List (position, game, version) of the appends in a bucket after a position. Trimmed: a hint, not a record."""
        rows = self._ask("XRANGE", bucket_keys(bucket).feed, f"({after}", "+", "COUNT", count)
        return [(place.decode(), fields[b"g"].decode(), int(fields[b"v"])) for place, fields in rows]

    def now(self) -> int:
        """Read the store's clock, in milliseconds since 1970."""
        seconds, micros = self._ask("TIME", **self._node_of(BUCKETS_KEY))
        return int(seconds) * 1000 + int(micros) // 1000

    def about(self, game: str) -> bytes:
        """Give what lists show of a game; empty when there is nothing."""
        found: bytes | None = self._ask("HGET", game_keys(game).about, game)
        return found or b""

    def _about(self, games: list[str]) -> dict[str, bytes]:
        """Read what lists show of these games, by one command for each bucket."""
        parts = [list(part) for _, part in groupby(sorted(games, key=bucket_of), key=bucket_of)]
        answers = self._many([("HMGET", bucket_keys(bucket_of(part[0])).about, *part) for part in parts])
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


def _scored(answer: list[Any]) -> Iterator[tuple[int, str]]:
    """Read members and scores, which come as a flat list by RESP2 and in pairs by RESP3."""
    pairs = answer if answer and isinstance(answer[0], list | tuple) else zip(answer[::2], answer[1::2], strict=True)
    return ((int(float(score)), game.decode()) for game, score in pairs)
