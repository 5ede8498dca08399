"""The due index: which game waits for what moment. The script that appends writes it; here it is read and corrected."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, cast, get_args

from events.store.keys import BUCKETS, bucket_keys, bucket_of, game_keys
from events.store.wire import Script, Wire

_SCHEDULE = Script("schedule.lua")
_RESCHEDULE = Script("reschedule.lua")

Scheduled = Literal["right", "corrected", "overtaken"]
"""`overtaken`: an append was faster, and has written the moment itself."""


class Overdue(NamedTuple):
    """An entry of the due index.

    Attributes:
        at: When something is to be done (UTC, ms).
        member: What stands there: the id of a game, or garbage.
        bucket: Where it stands.
    """

    at: float
    member: bytes
    bucket: int

    @property
    def game(self) -> str | None:
        """The game; None for what cannot be one, or not in this bucket."""
        name = self.member.decode(errors="replace")
        try:
            return name if bucket_of(name) == self.bucket else None
        except ValueError:
            return None


class DueIndex:
    """Reads the due index, and corrects it."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def overdue(self, *, until: int, limit: int = 1000) -> list[Overdue]:
        """List entries up to and with `until`, the earliest first; what is no game is among them.

        At most `limit`, so that a night's worth is done in parts.
        """
        commands = [
            ("ZRANGEBYSCORE", bucket_keys(bucket).due, "-inf", until, "WITHSCORES", "LIMIT", 0, limit)
            for bucket in range(BUCKETS)
        ]
        found = [
            Overdue(score, member, bucket)
            for bucket, answer in enumerate(self._wire.ask_many(commands, lenient=True))
            for score, member in scored(answer or [])
        ]
        return sorted(found)[:limit]

    def quarantine(self, entry: Overdue) -> None:
        """Take an entry that is no game's off the index, and keep it aside for a person to look at."""
        keys = bucket_keys(entry.bucket)
        self._wire.ask("HSET", keys.parked, entry.member, str(entry.at))
        self._wire.ask("ZREM", keys.due, entry.member)

    def quarantined(self) -> list[Overdue]:
        """List what was taken off the index."""
        answers = self._wire.ask_many([("HGETALL", bucket_keys(bucket).parked) for bucket in range(BUCKETS)])
        found = []
        for bucket, answer in enumerate(answers):
            pairs = answer.items() if isinstance(answer, dict) else zip(answer[::2], answer[1::2], strict=True)
            found += [Overdue(float(score), member, bucket) for member, score in pairs]
        return sorted(found)

    def reschedule(self, entry: Overdue, due: int | None) -> bool:
        """Write the right moment of an entry that was read before; False when an append was faster."""
        args = [entry.member, repr(entry.at), "" if due is None else due]
        return bool(self._wire.run(_RESCHEDULE, [bucket_keys(entry.bucket).due], args))

    def schedule(self, game: str, *, version: int, due: int | None) -> Scheduled:
        """Write the moment that a game waits for at a version; None takes it off the index."""
        keys = game_keys(game)
        answer: bytes = self._wire.run(_SCHEDULE, [keys.head, keys.due], [game, version, "" if due is None else due])
        found = answer.decode()
        assert found in get_args(Scheduled), found
        return cast("Scheduled", found)


def scored(answer: list[Any]) -> Iterator[tuple[float, bytes]]:
    """Read scores and members, which come as a flat list by RESP2 and in pairs by RESP3."""
    pairs = answer if answer and isinstance(answer[0], list | tuple) else zip(answer[::2], answer[1::2], strict=True)
    return ((float(score), member) for member, score in pairs)
