"""Tickets for browsers' `EventSource`, which can send no token: each opens one stream once, within half a minute.

So nothing that is good for longer ever stands in a URL, where logs and histories keep it.
"""

import secrets

from events.store import Tickets

SECONDS = 30


def issue(tickets: Tickets, game: str) -> str:
    """Issue a ticket for a game to somebody who may watch it.

    Raises:
        StoreFull: The store is at its memory limit.
    """
    ticket = secrets.token_urlsafe(32)
    tickets.keep(game, ticket, milliseconds=SECONDS * 1000)
    return ticket
