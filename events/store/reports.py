"""The last audit of each game, beside its stream: what it said is for the service to know."""

from events.store.keys import report_key
from events.store.wire import PATIENCE, Client, Wire


class Reports:
    """Keeps one report for each game."""

    def __init__(self, client: Client, *, patience: float = PATIENCE) -> None:
        self._wire = Wire(client, patience=patience)

    def save(self, game: str, report: bytes) -> None:
        """Store a report in place of the one before it.

        Raises:
            StoreFull: The store is at its memory limit.
        """
        self._wire.run(lambda client: client.execute_command("SET", report_key(game), report))

    def last(self, game: str) -> bytes | None:
        """Give the last report; None when there is none."""
        found: bytes | None = self._wire.run(lambda client: client.execute_command("GET", report_key(game)))
        return found
