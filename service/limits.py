"""How much of everything one API process takes at once: one frozen record, read with the settings.

Every field is a setting `ROLLBOOK_LIMIT_<NAME>`; docs/configuration.md says what is answered beyond it. A limit is a
process's own: two processes take twice as much. Limits by address are wide, since a school may stand behind one; those
by token are narrow, since a token is one person's.
"""

from dataclasses import dataclass

IDLE = 500
"""Connections on which nothing is asked just now, beyond those that the limits below add up to."""

SPARE = 500
"""Connections that are taken on only to be refused in words."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of one process.

    Attributes:
        requests: Requests in flight, but for live streams and long polls.
        requests_per_game: Of these, to one game.
        requests_per_address: Of these, from one address; an IPv6 network of 64 bits counts as one.
        requests_per_token: Of these, with one token.
        streams: Live streams.
        streams_per_game: Of these, of one game.
        streams_per_address: Of these, to one address.
        streams_per_token: Of these, with one token.
        polls: Requests that wait for an event (`wait`).
        polls_per_game: Of these, for one game.
        polls_per_address: Of these, from one address.
        polls_per_token: Of these, with one token.
        heavy: Reads of a whole game at a time; the next waits its turn, but not for long.
        connections_per_address: Connections from one address.
        rate_per_address: Requests in ten seconds from one address; 0 for any number.
        rate_per_token: Requests in ten seconds with one token; 0 for any number.
        body_seconds: In which a body must have come.
        send_seconds: In which a client must take each 64 kB of an answer.
        store_connections: Connections to the store.
    """

    requests: int = 1000
    requests_per_game: int = 250
    requests_per_address: int = 500
    requests_per_token: int = 50
    streams: int = 2000
    streams_per_game: int = 1000
    streams_per_address: int = 1000
    streams_per_token: int = 10
    polls: int = 500
    polls_per_game: int = 250
    polls_per_address: int = 250
    polls_per_token: int = 10
    heavy: int = 4
    connections_per_address: int = 2000
    rate_per_address: int = 5000
    rate_per_token: int = 1000
    body_seconds: int = 10
    send_seconds: int = 20
    store_connections: int = 100

    @property
    def connections(self) -> int:
        """Return how many connections are served at once."""
        return self.requests + self.streams + self.polls + IDLE

    def of(self, kind: str) -> dict[str, int]:
        """Return the limits of a kind, by scope: `process`, `game`, `address`, `token`."""
        scopes = {scope: getattr(self, f"{kind}_per_{scope}", None) for scope in ("game", "address", "token")}
        return {"process": getattr(self, kind)} | {scope: most for scope, most in scopes.items() if most is not None}
