"""The list of games, newest first: filtered, paged, and silent about private games."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from events.store import GameIndex, Listed

BATCH = 200
MOST_SCANNED = 2000
"""Games read for one page, when at least one of them is to be shown."""

Place: TypeAlias = tuple[int, str]
"""Where a page begins: creation time (ms) and id of the last game shown."""


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games to list.

    Attributes:
        rulebook: Only games of this one; empty for all.
        status: Only games with this status; empty for all.
        private: Private ones too.
    """

    rulebook: str = ""
    status: str = ""
    private: bool = False

    def passes(self, line: dict[str, Any]) -> bool:
        """Return whether a game is to be listed."""
        if line["private"] and not self.private:
            return False
        return self.rulebook in ("", line["rulebook"]) and self.status in ("", line["status"])


def page(
    index: GameIndex, wanted: GameFilter, *, before: Place | None, limit: int
) -> tuple[list[dict[str, Any]], Place | None]:
    """List games after a place; return them and the place to go on from, None at the end.

    A page may be short. Its end is always a game that it shows, so that a place never names a hidden one.
    """
    shown: list[dict[str, Any]] = []
    for scanned, listed in enumerate(_newest(index, before), start=1):
        line = msgspec.json.decode(listed.about, type=dict[str, Any]) if listed.about else None
        if line is not None and wanted.passes(line):
            if len(shown) == limit:
                return shown, _place(shown)
            shown.append({"game": listed.game, **line})
        if scanned >= MOST_SCANNED and shown:
            return shown, _place(shown)
    return shown, None


def all_games(index: GameIndex) -> Iterator[str]:
    """Return the id of every game, private ones too, newest first."""
    return (listed.game for listed in _newest(index, None))


def _place(shown: list[dict[str, Any]]) -> Place:
    return shown[-1]["created"], shown[-1]["game"]


def _newest(index: GameIndex, before: Place | None) -> Iterator[Listed]:
    while found := index.games(before=before, limit=BATCH):
        yield from found
        before = (found[-1].created, found[-1].game)
