"""A clock that a test sets, and tables that are played by it."""

import secrets
from typing import Any

from events import codec
from events.base import Envelope, Event
from events.store import Client
from projections.state.base import Prompt
from service.games.clock import Clock
from service.games.games import Games
from service.games.records import NewGame, NewSeat, RequestContext
from service.rules.actions import Start
from service.rules.timing import expires_at, last_moment
from tests.support.played import Table, empty, games_on

BEGIN = 1_767_225_600_000


class SetClock(Clock):
    """A clock that shows what it was set to, in milliseconds; like the real one it never goes back."""

    def __init__(self, at: int = BEGIN) -> None:
        super().__init__(lambda: self.at, lambda: 0)
        self.at = at

    def now(self) -> int:
        self._last = max(self._last, self.at)
        return self._last


def clocked(client: Client | None = None, *, at: int = BEGIN, **options: Any) -> tuple[Games, SetClock]:
    """Games on a store, by a clock that is set."""
    clock = SetClock(at)
    return games_on(client or empty(), clock=clock, **options), clock


def table(
    games: Games,
    rulebook: str = "public_assistance",
    *,
    persons: int = 2,
    bots: tuple[str, ...] = (),
    key: str = "",
    **options: Any,
) -> Table:
    """A game in which play has begun: so many persons, then bots of these levels."""
    key = key or secrets.token_hex(16)
    new = NewGame(rulebook, options=options, secret=b"s" * 32)  # type: ignore[arg-type] # one of the two
    created = games.opening.create(new, RequestContext(key=key))
    made = Table(games, created.answer.game, created.host_token, {})
    for number in range(1, persons + 1):
        made.tokens[number] = games.seats.sit(
            made.game, NewSeat(), RequestContext(created.join_code, key=f"{number}")
        ).token
    for number, level in enumerate(bots, persons + 1):
        games.seats.sit(
            made.game, NewSeat(kind="bot", level=level), RequestContext(created.host_token, key=f"{number}")
        )
    for token in made.tokens.values():
        games.actions.ready(made.game, 1, None, RequestContext(token))
    games.actions.perform(made.game, Start(), RequestContext(made.host))
    return made


def only_prompt(table: Table) -> Prompt:
    (prompt,) = table.state.prompts.values()
    return prompt


def left(table: Table, now: int) -> int:
    """Milliseconds until the deadline of the one open prompt, as a reader works it out from the state."""
    prompt = only_prompt(table)
    assert prompt.deadline is not None
    return prompt.deadline - (table.state.paused or now)


def last(table: Table) -> int:
    """The last moment at which a move for the one open prompt is in time."""
    moment = last_moment(table.state, only_prompt(table))
    assert moment is not None
    return moment


def expiry(table: Table) -> int:
    """When the default of the one open prompt may be taken."""
    moment = expires_at(table.state, only_prompt(table))
    assert moment is not None
    return moment


def history(table: Table) -> list[Envelope[Event]]:
    return codec.decode_all(entry.data for batch in table.store.streams.stream(table.game) for entry in batch)


def happened(table: Table, kind: type[Event]) -> list[Envelope[Event]]:
    return [envelope for envelope in history(table) if isinstance(envelope.data, kind)]
