"""Tickets for browsers' `EventSource`, which can send no token: each opens one stream once, within half a minute.

So a URL, which logs and histories keep, never holds a token that is valid for longer.
"""

import secrets

from events.store import Tickets

SECONDS = 30


def issue(tickets: Tickets, game: str) -> str:
    """Issue a ticket for a game to a caller who may watch it.

    Raises:
        StoreFull: The store is at its memory limit.
    """
    ticket = secrets.token_urlsafe(32)
    tickets.keep(game, ticket, milliseconds=SECONDS * 1000)
    return ticket
