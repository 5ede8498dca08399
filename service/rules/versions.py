"""Versions of the rules: which ones this program can play, and a fingerprint of the code that is one.

A change of behaviour raises `NEWEST`, joins `SUPPORTED`, and is a branch on `play.state.rules` in the module of its
subject. New games take the newest; a running game goes on under its own number and is executed again under it. The
golden games (`tests/golden`) fail when a behaviour changes without a new number.

A game goes on with the very code that opened it: another release reads it, and does not add to it.
"""

from collections.abc import Iterator
from functools import cache, lru_cache

from events.sources import fingerprint_of, sources

NEWEST = 1
SUPPORTED = frozenset({1})


@cache
def fingerprint() -> str:
    """Hash the rules' code and the data files, in hex; recorded in `game_created` for the audit."""
    return fingerprint_of(covered())


@lru_cache
def plays_on(rules: int, code: str) -> bool:
    """Return whether games under these rules, opened by code of this fingerprint, are played on by this release.

    Other code under the same number may decide otherwise, and then no one could execute the game again.
    """
    return rules in SUPPORTED and code == fingerprint()


def covered() -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of every file that the fingerprint covers."""
    yield from sources("service.rules")
    yield from ((name, data) for name, data in sources("events", without="store") if name.endswith(".json"))
