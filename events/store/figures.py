"""Where statistics over games are kept, by bucket, and how far the feed of appends has been counted.

What is counted is the affair of `projections.statistics`; here counts are words and numbers. They are changed by one
script alone (`count.lua`), together with the place in the feed, so that nothing is counted twice or lost.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from events.store import errors
from events.store.keys import BUCKETS, bucket_keys
from events.store.wire import PATIENCE, Client, Script, Wire

NOWHERE = "0-0"
"""Position in a feed that holds nothing."""

_COUNT = Script("count.lua")
Counts = Mapping[str, int]


class Mark(NamedTuple):
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


class Added(NamedTuple):
    """What is to be added.

    Attributes:
        counted: Game → version up to which it is counted now.
        figures: What → how often.
        days: The same, of what is told by day.
    """

    counted: Counts
    figures: Counts
    days: Counts


class Kept(NamedTuple):
    """What was counted in one bucket; of `days` those that were asked for."""

    mark: Mark
    figures: dict[str, int]
    days: dict[str, int]


class Figures:
    """Keeps the counts of each bucket.

    Args:
        client: From `connect`.
        patience: Seconds in which a safe command is sent again after a failure that passes.
    """

    def __init__(self, client: Client, *, patience: float = PATIENCE) -> None:
        self._wire = Wire(client, patience=patience)

    def marks(self) -> list[Mark]:
        """Say of each bucket how far it is counted."""
        commands = [command for bucket in range(BUCKETS) for command in _mark_commands(bucket)]
        answers = self._many(commands)
        return [_mark(*pair) for pair in zip(answers[::2], answers[1::2], strict=True)]

    def mark(self, bucket: int) -> Mark:
        """Say how far a bucket is counted."""
        return _mark(*self._many(_mark_commands(bucket)))

    def appends(self, bucket: int, *, after: str, count: int) -> list[tuple[str, str, int]] | None:
        """List (position, game, version) of the appends behind a position; None when some may be missing.

        The feed is trimmed. What stands at the position itself is read with them: while that is still there, so is
        everything behind it.
        """
        answer: Sequence[Any] = self._many([("XRANGE", bucket_keys(bucket).feed, after, "+", "COUNT", count + 1)])[0]
        rows = [(place.decode(), _fields(fields)) for place, fields in answer]
        if not rows or rows[0][0] != after:
            return None
        return [(place, fields[b"g"].decode(), int(fields[b"v"])) for place, fields in rows[1:]]

    def counted(self, bucket: int, games: Sequence[str]) -> list[int]:
        """Say up to which version each game is counted; 0 for not at all."""
        if not games:
            return []
        found = self._many([("HMGET", bucket_keys(bucket).counted, *games)])[0]
        return [int(version or 0) for version in found]

    def add(self, bucket: int, added: Added, *, mark: Mark, position: str) -> bool:
        """Add counts that follow from what stood there at a mark; false when somebody else was faster."""
        return self._count(bucket, added, str(mark.number), edition=mark.edition, position=position)

    def replace(self, bucket: int, added: Added, *, edition: int, position: str) -> None:
        """Put counts in the place of all that is there; the feed is to be counted on from a position."""
        self._count(bucket, added, "", edition=edition, position=position)

    def kept(self, days: Sequence[str]) -> Iterator[Kept]:
        """Give all figures, bucket by bucket, and of what is told by day these words; there is at least one."""
        commands: list[tuple[Any, ...]] = []
        for bucket in range(BUCKETS):
            keys = bucket_keys(bucket)
            commands += [*_mark_commands(bucket), ("HGETALL", keys.figures), ("HMGET", keys.days, *days)]
        answers = iter(self._many(commands))
        for found, newest, figures, by_day in zip(answers, answers, answers, answers, strict=True):
            told = {day: int(times) for day, times in zip(days, by_day, strict=True) if times is not None}
            yield Kept(_mark(found, newest), {k.decode(): int(v) for k, v in _fields(figures).items()}, told)

    def _count(self, bucket: int, added: Added, follows: str, *, edition: int, position: str) -> bool:
        keys = bucket_keys(bucket)
        args: list[str | bytes | int] = [follows, edition, position, *map(len, added)]
        args += chain.from_iterable(pair for counts in added for pair in counts.items())
        answer = self._wire.run(lambda client: _COUNT(client, (keys.mark, keys.counted, keys.figures, keys.days), args))
        match answer:
            case [b"counted"]:
                return True
            case [b"overtaken", _]:
                return False
            case [b"wrongtype", key, found, wanted]:
                message = f"key {key.decode()} is a {found.decode()}, not a {wanted.decode()}"
                raise errors.StreamDamaged(message)
            case [b"denied", command, key]:
                raise errors.StoreError(f"the store's user may not {command.decode()} {key.decode()}")
        raise AssertionError(answer)

    def _many(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        def send(client: Client) -> list[Any]:
            pipeline = client.pipeline(transaction=False)
            for command in commands:
                pipeline.execute_command(*command)
            return list(pipeline.execute())

        return self._wire.run(send)


def _mark_commands(bucket: int) -> list[tuple[Any, ...]]:
    keys = bucket_keys(bucket)
    return [("HMGET", keys.mark, "e", "n", "p"), ("XREVRANGE", keys.feed, "+", "-", "COUNT", 1)]


def _mark(found: Sequence[bytes | None], newest: Sequence[Any]) -> Mark:
    edition, number, position = found
    last = newest[0][0].decode() if newest else NOWHERE
    return Mark(int(edition or 0), int(number or 0), position.decode() if position else NOWHERE, last)


def _fields(answer: Any) -> dict[bytes, bytes]:
    """Read a hash, or the fields of an entry: a flat list by the wire, a dict where the client has made one."""
    return answer if isinstance(answer, dict) else dict(zip(answer[::2], answer[1::2], strict=True))
