"""The due index as a list of games, for tests."""

from events.store import Store


def waiting(store: Store, *, until: int, limit: int = 1000) -> list[tuple[int, str]]:
    """List (milliseconds, game) of all that is due up to and with `until`, the earliest first."""
    entries = store.due_index.overdue(until=until, limit=limit)
    return [(int(entry.at), entry.game) for entry in entries if entry.game is not None]
