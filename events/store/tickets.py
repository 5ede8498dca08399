"""Tickets for browsers' `EventSource`, which can send no token: each opens one stream of one game once.

So a URL, which logs and histories keep, never holds a token that is valid for long. Only hashes are stored.
"""

import secrets
from hashlib import sha256

from events.store.keys import ticket_key
from events.store.wire import Wire

SECONDS = 30
"""A ticket is good for so long."""


class Tickets:
    """Stores tickets until they are used, or over."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def issue(self, game: str) -> str:
        """Issue a ticket for a game, to a caller who may watch it.

        Raises:
            StoreFull: The store is at its memory limit.
        """
        ticket = secrets.token_urlsafe(32)
        self._wire.ask("SET", _key(game, ticket), "1", "PX", SECONDS * 1000)
        return ticket

    def take(self, game: str, ticket: str) -> bool:
        """Use up a ticket; return whether it was good."""
        return self._wire.ask("GETDEL", _key(game, ticket)) is not None


def _key(game: str, ticket: str) -> str:
    return ticket_key(game, sha256(ticket.encode()).hexdigest())
