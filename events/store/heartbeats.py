"""Heartbeats: when processes of a kind were last there, and the outages in which none was."""

from events.store.keys import HEARTBEAT_KEYS
from events.store.wire import Script, Wire

_BEAT = Script("beat.lua")
MOST_OUTAGES = 1000


class Heartbeats:
    """Writes and reads heartbeats."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def beat(self, kind: str, now: int, *, least: int = 0, after: int = 0) -> list[tuple[int, int]]:
        """Note that a process of a kind is there; return outages on record, as (since, until) in order.

        Args:
            kind: Of process, such as `api` or `clock`.
            now: UTC, ms. An earlier moment than the last noted changes nothing.
            least: A gap of so many milliseconds before `now` is an outage, and is put on record; 0 for no gap.
            after: Return those alone that ended after this moment (UTC, ms).
        """
        return _spans(self._wire.run(_BEAT, HEARTBEAT_KEYS, (kind, now, least, MOST_OUTAGES, after)))

    def outages(self, *, after: int = 0) -> list[tuple[int, int]]:
        """Return the outages on record that ended after a moment (UTC, ms), as (since, until) in order."""
        return _spans(self._wire.ask("ZRANGEBYSCORE", HEARTBEAT_KEYS[1], f"({after}", "+inf"))

    def newest(self) -> int:
        """Return when a process of any kind was last there (UTC, ms); 0 for never."""
        return max(map(int, self._wire.ask("HVALS", HEARTBEAT_KEYS[0])), default=0)

    def last(self, kind: str) -> int | None:
        """Return when a process of a kind was last there (UTC, ms); None for never."""
        found = self._wire.ask("HGET", HEARTBEAT_KEYS[0], kind)
        return int(found) if found is not None else None


def _spans(members: list[bytes]) -> list[tuple[int, int]]:
    spans = (member.decode().partition(":") for member in members)
    return [(int(since), int(until)) for since, _, until in spans]
