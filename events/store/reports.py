"""The last audit of each game, next to its stream; opaque bytes here."""

from events.store.keys import report_key
from events.store.wire import Wire


class Reports:
    """Stores one report for each game."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def save(self, game: str, report: bytes) -> None:
        """Store a report in place of the one before it.

        Raises:
            StoreFull: The store is at its memory limit.
        """
        self._wire.ask("SET", report_key(game), report)

    def last(self, game: str) -> bytes | None:
        """Return the last report; None when there is none."""
        found: bytes | None = self._wire.ask("GET", report_key(game))
        return found
