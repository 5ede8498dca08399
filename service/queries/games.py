"""The list of games: filtered, paged, in either order, and silent about private games."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from events.store import GameIndex, Listed, Place

BATCH = 200
MOST_SCANNED = 2000
"""Games read for one page, and those of the last one's millisecond."""

LAST_ID = "~"
"""Comes after every id."""


class GameFilter(Struct, frozen=True):
    """Which games to list, and in which order.

    Attributes:
        rulebook: Only games of this one; empty for all.
        status: Only games with this status; empty for all.
        parent: Only forks and rematches of this game; empty for all.
        seats: Only games with so many seats; None for all.
        since: Only games opened at this moment or later (UTC, ms).
        until: Only games opened before this moment (UTC, ms); None for all.
        order: `newest` or `oldest` first.
        private: Private ones too.
    """

    rulebook: str = ""
    status: str = ""
    parent: str = ""
    seats: int | None = None
    since: int = 0
    until: int | None = None
    order: str = "newest"
    private: bool = False

    def passes(self, line: dict[str, Any]) -> bool:
        """Return whether a game of the time wanted is to be listed."""
        if line["private"] and not self.private:
            return False
        return (
            self.rulebook in ("", line["rulebook"])
            and self.status in ("", line["status"])
            and self.parent in ("", line["parent"].partition("@")[0])
            and self.seats in (None, line["seats"])
        )

    def begin(self) -> Place | None:
        """Return the place after which the games of the time wanted begin; None for the end of the list."""
        if self.order == "oldest":
            return (self.since - 1, LAST_ID)
        return None if self.until is None else (self.until, "")

    def ends_before(self, created: int) -> bool:
        """Return whether no game from this moment on, in the order of the list, is of the time wanted."""
        if self.order == "oldest":
            return self.until is not None and created >= self.until
        return created < self.since


def page(
    index: GameIndex, wanted: GameFilter, *, after: Place | None, limit: int
) -> tuple[list[dict[str, Any]], Place | None]:
    """List games after a place; return them and the place to go on from, None at the end.

    A page may be short, or empty. Its end is a game that it shows, or all that was opened in one millisecond, so that
    a place never names a hidden game.
    """
    shown: list[dict[str, Any]] = []
    oldest_first = wanted.order == "oldest"
    seen = 0
    for scanned, listed in enumerate(_walk(index, after or wanted.begin(), oldest_first=oldest_first)):
        if wanted.ends_before(listed.created):
            break
        if scanned >= MOST_SCANNED and listed.created != seen:
            return shown, (seen, LAST_ID if oldest_first else "")
        seen = listed.created
        line = msgspec.json.decode(listed.about, type=dict[str, Any]) if listed.about else None
        if line is not None and wanted.passes(line):
            if len(shown) == limit:
                return shown, (shown[-1]["created"], shown[-1]["game"])
            # A fork's own line says when its story began: in the game that it goes on from.
            shown.append({**line, "game": listed.game, "created": listed.created})
    return shown, None


def all_games(index: GameIndex) -> Iterator[str]:
    """Return the id of every game, private ones too, newest first."""
    return (listed.game for listed in _walk(index, None, oldest_first=False))


def _walk(index: GameIndex, after: Place | None, *, oldest_first: bool) -> Iterator[Listed]:
    while found := index.games(after=after, limit=BATCH, oldest_first=oldest_first):
        yield from found
        after = (found[-1].created, found[-1].game)
