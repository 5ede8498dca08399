"""Entries and appends for the tests of the store, which cares for bytes alone."""

from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from events.store import Appended, Entry, SidecarUpdate, Store

START = bytes(32)
_games = count(1)


def new_game() -> str:
    """Return an id that no other test uses."""
    return f"game{next(_games)}"


def chained(texts: Sequence[bytes], *, previous: bytes = START) -> list[Entry]:
    """Link entries to a previous link."""
    entries = []
    for text in texts:
        previous = sha256(b"\x02" + previous + text).digest()
        entries.append(Entry(text, previous))
    return entries


def add(store: Store, game: str, *texts: bytes, **other: Any) -> Appended:
    """Append at the head as a well-behaved writer would; `other` replaces any part of the call."""
    head = store.streams.head(game)
    previous = other.get("previous", head.link if head else START)
    call: dict[str, Any] = {
        "action": sha256(b"".join(texts) + previous).hexdigest(),
        "request": "asked",
        "expected": head.version if head else 0,
        "previous": previous,
        "sidecar": SidecarUpdate(),
    }
    return store.streams.append(game, chained(texts, previous=previous), **{**call, **other})


def fill(store: Store, game: str, versions: int) -> None:
    """Append so many entries, 500 to an action."""
    for start in range(1, versions + 1, 500):
        add(store, game, *(b"event %d" % number for number in range(start, min(start + 500, versions + 1))))
