"""Where statistics over games are stored, by bucket, and how far the feed of appends has been counted.

What is counted is known to `projections.statistics`; here counts are words and numbers. They are changed by one
script alone (`count.lua`), together with the place in the feed, so that nothing is counted twice or lost.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from events.store import errors
from events.store.keys import BUCKETS, bucket_keys
from events.store.wire import Script, Wire

NOWHERE = "0-0"
"""Position in a feed that holds nothing."""

_COUNT = Script("count.lua")
Counts = Mapping[str, int]


class Offset(NamedTuple):
    """How far a bucket is counted.

    Attributes:
        edition: Which way of counting its figures come of; 0 when it was never counted.
        number: Number of the last change.
        position: Of the last append that was counted, in the feed.
        newest: Position of the newest append there is; `NOWHERE` without any.
    """

    edition: int
    number: int
    position: str
    newest: str


class Delta(NamedTuple):
    """What is to be added.

    Attributes:
        counted: Game → version up to which it is counted now.
        figures: What → how often.
        days: The same, of what is counted by day.
    """

    counted: Counts
    figures: Counts
    days: Counts


class StoredFigures(NamedTuple):
    """What was counted in one bucket; of `days` those that were asked for."""

    offset: Offset
    figures: dict[str, int]
    days: dict[str, int]


class Figures:
    """Stores the counts of each bucket."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def offsets(self) -> list[Offset]:
        """Return of each bucket how far it is counted."""
        answers = self._wire.ask_many([command for bucket in range(BUCKETS) for command in _offset_commands(bucket)])
        return [_offset(*pair) for pair in zip(answers[::2], answers[1::2], strict=True)]

    def offset(self, bucket: int) -> Offset:
        """Return how far a bucket is counted."""
        return _offset(*self._wire.ask_many(_offset_commands(bucket)))

    def appends(self, bucket: int, *, after: str, count: int) -> list[tuple[str, str, int]] | None:
        """List (position, game, version) of the appends after a position; None when some may be missing.

        The feed is trimmed. What stands at the position itself is read with them: while that is still there, so is
        everything after it.
        """
        answer: Sequence[Any] = self._wire.ask("XRANGE", bucket_keys(bucket).feed, after, "+", "COUNT", count + 1)
        rows = [(place.decode(), _fields(fields)) for place, fields in answer]
        if not rows or rows[0][0] != after:
            return None
        return [(place, fields[b"g"].decode(), int(fields[b"v"])) for place, fields in rows[1:]]

    def counted(self, bucket: int, games: Sequence[str]) -> list[int]:
        """Return up to which version each game is counted; 0 for not at all."""
        found = self._wire.ask("HMGET", bucket_keys(bucket).counted, *games) if games else []
        return [int(version or 0) for version in found]

    def add(self, bucket: int, delta: Delta, *, offset: Offset, position: str) -> bool:
        """Add counts that follow from what was stored at an offset; False when another process was faster."""
        return self._count(bucket, delta, str(offset.number), edition=offset.edition, position=position)

    def replace(self, bucket: int, delta: Delta, *, edition: int, position: str) -> None:
        """Put counts in the place of all that is there; counting goes on from a position of the feed."""
        self._count(bucket, delta, "", edition=edition, position=position)

    def stored(self, days: Sequence[str]) -> Iterator[StoredFigures]:
        """Return all figures, bucket by bucket, and these words of what is counted by day; there is at least one."""
        commands: list[tuple[Any, ...]] = []
        for bucket in range(BUCKETS):
            keys = bucket_keys(bucket)
            commands += [*_offset_commands(bucket), ("HGETALL", keys.figures), ("HMGET", keys.days, *days)]
        answers = iter(self._wire.ask_many(commands))
        for found, newest, figures, by_day in zip(answers, answers, answers, answers, strict=True):
            counted = {day: int(times) for day, times in zip(days, by_day, strict=True) if times is not None}
            by_word = {word.decode(): int(times) for word, times in _fields(figures).items()}
            yield StoredFigures(_offset(found, newest), by_word, counted)

    def _count(self, bucket: int, delta: Delta, follows: str, *, edition: int, position: str) -> bool:
        keys = bucket_keys(bucket)
        args: list[str | bytes | int] = [follows, edition, position, *map(len, delta)]
        args += chain.from_iterable(pair for counts in delta for pair in counts.items())
        match answer := self._wire.run(_COUNT, (keys.mark, keys.counted, keys.figures, keys.days), args):
            case [b"counted"]:
                return True
            case [b"overtaken", _]:
                return False
        raise errors.refusal(answer)


def _offset_commands(bucket: int) -> list[tuple[Any, ...]]:
    keys = bucket_keys(bucket)
    return [("HMGET", keys.mark, "e", "n", "p"), ("XREVRANGE", keys.feed, "+", "-", "COUNT", 1)]


def _offset(found: Sequence[bytes | None], newest: Sequence[Any]) -> Offset:
    edition, number, position = found
    last = newest[0][0].decode() if newest else NOWHERE
    return Offset(int(edition or 0), int(number or 0), position.decode() if position else NOWHERE, last)


def _fields(answer: Any) -> dict[bytes, bytes]:
    """Read a hash, or the fields of an entry: a flat list by the wire, a dict where the client has made one."""
    return answer if isinstance(answer, dict) else dict(zip(answer[::2], answer[1::2], strict=True))
