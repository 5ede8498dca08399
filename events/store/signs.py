"""Signs of life: when processes of a kind were last there, and the outages in which none was."""

from events.store.due import DueStreams
from events.store.keys import SIGNS_KEYS
from events.store.wire import Script

_BEAT = Script("beat.lua")
MOST_OUTAGES = 1000


class SignsOfLife(DueStreams):
    """Writes and reads signs of life."""

    def beat(self, kind: str, now: int, *, least: int = 0) -> list[tuple[int, int]]:
        """Note that a process of a kind is there; gives all outages on record, as (since, until) in order.

        Args:
            kind: Of process, such as `api` or `clock`.
            now: UTC, ms. An earlier moment than the last noted changes nothing.
            least: A gap of so many milliseconds before `now` is an outage, and is put on record; 0 for no gap.
        """
        args = (kind, now, least, MOST_OUTAGES)
        return _outages(self._wire.run(lambda client: _BEAT(client, SIGNS_KEYS, args)))

    def outages(self) -> list[tuple[int, int]]:
        """Give all outages on record, as (since, until) in order."""
        return _outages(self._ask("ZRANGE", SIGNS_KEYS[1], 0, -1))

    def last_sign(self, kind: str) -> int | None:
        """Tell when a process of a kind was last there (UTC, ms); None for never."""
        found = self._ask("HGET", SIGNS_KEYS[0], kind)
        return int(found) if found is not None else None


def _outages(members: list[bytes]) -> list[tuple[int, int]]:
    spans = (member.decode().partition(":") for member in members)
    return [(int(since), int(until)) for since, _, until in spans]
