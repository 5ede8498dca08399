"""Tickets: each opens one stream of one game, once, and lives for seconds. Only their hashes are kept."""

from hashlib import sha256

from events.store.keys import ticket_key
from events.store.wire import Wire


class Tickets:
    """Stores tickets until they are used, or over."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def keep(self, game: str, ticket: str, *, milliseconds: int) -> None:
        """Store a ticket that is good for a game, once, for a while.

        Raises:
            StoreFull: The store is at its memory limit.
        """
        key = _key(game, ticket)
        self._wire.ask("SET", key, "1", "PX", milliseconds)

    def take(self, game: str, ticket: str) -> bool:
        """Use up a ticket; return whether it was good."""
        key = _key(game, ticket)
        return self._wire.ask("GETDEL", key) is not None


def _key(game: str, ticket: str) -> str:
    return ticket_key(game, sha256(ticket.encode()).hexdigest())
