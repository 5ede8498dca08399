"""The game state, folded from events: `advance` for one entry, `fold` for many.

Folding works in place, so a fold owns its state; take a `copy` of a shared one first. Nothing here asks a rule, draws a
number or reads a clock: the same events give the same state under every later release.
"""

from collections.abc import Iterable
from typing import TypeAlias

from events.base import Envelope, Event, Opaque
from events.lobby import GameCreated
from projections.evolve import (
    clocks as evolve_clocks,
)
from projections.evolve import (
    deals as evolve_deals,
)
from projections.evolve import (
    forks as evolve_forks,
)
from projections.evolve import (
    lobby as evolve_lobby,
)
from projections.evolve import (
    play as evolve_play,
)
from projections.evolve import (
    politics as evolve_politics,
)
from projections.evolve import (
    public_assistance as evolve_public_assistance,
)
from projections.evolve import (
    social_justice as evolve_social_justice,
)
from projections.evolve.play import Handlers
from projections.state.base import GameState
from projections.state.public_assistance import PublicAssistanceState
from projections.state.social_justice import SocialJusticeState

AnyState: TypeAlias = PublicAssistanceState | SocialJusticeState
"""Every state there is: one kind for each rulebook."""

_SHARED: Handlers = {**evolve_lobby.HANDLERS, **evolve_play.HANDLERS, **evolve_clocks.HANDLERS, **evolve_forks.HANDLERS}
HANDLERS: dict[type[GameState], Handlers] = {
    PublicAssistanceState: {**_SHARED, **evolve_public_assistance.HANDLERS},
    SocialJusticeState: {
        **_SHARED,
        **evolve_social_justice.HANDLERS,
        **evolve_politics.HANDLERS,
        **evolve_deals.HANDLERS,
    },
}
"""What each event does to each kind of state, in place."""

UNFIT = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What a handler may raise when the event cannot have happened."""


class UnknownEvent(Exception):
    """The stream holds an event type of a later release.

    Attributes:
        version: Where it stands; everything before it is good.
        name: Its wire name.
    """

    def __init__(self, version: int, name: str) -> None:
        super().__init__(f"event {version} has the type {name}, which this release does not know")
        self.version = version
        self.name = name


class UnfitEvent(Exception):
    """The stream holds an event that cannot have followed the events before it; the state must not be used.

    Attributes:
        version: Where it stands; everything before it is good.
    """

    def __init__(self, version: int, why: Exception | str) -> None:
        super().__init__(f"event {version} does not fit the game before it ({why!r})")
        self.version = version


def begin(created: GameCreated) -> AnyState:
    """Return the state that a game's first event begins; its version is still 0."""
    if created.rulebook == "social_justice":
        return evolve_social_justice.begin(created)
    return evolve_public_assistance.begin(created)


def advance(state: AnyState | None, envelope: Envelope[Event]) -> AnyState:
    """Fold one entry of the stream into the state, in place.

    Raises:
        UnknownEvent: Its type is not known; the state is as it was.
        UnfitEvent: It cannot have happened; the state must not be used any more.
    """
    event = envelope.data
    if state is None:
        if not isinstance(event, GameCreated):
            raise UnfitEvent(envelope.version, "a stream begins with game_created")
        if envelope.version != 1:
            raise UnfitEvent(envelope.version, "a stream begins with version 1")
        try:
            state = begin(event)
        except (OSError, KeyError) as error:
            raise UnfitEvent(envelope.version, "this release lacks a board or deck that it pins") from error
        state.created, state.steps = envelope.at, 1
    else:
        if envelope.version != state.version + 1:
            raise UnfitEvent(envelope.version, f"it follows {state.version}")
        handler = HANDLERS[type(state)].get(type(event))
        if isinstance(event, Opaque):
            raise UnknownEvent(envelope.version, event.name)
        if handler is None:
            raise UnfitEvent(envelope.version, f"a {type(event).__name__} belongs to another rulebook")
        state.at = envelope.at
        try:
            handler(state, event)
        except UNFIT as error:
            raise UnfitEvent(envelope.version, error) from error
    state.version = envelope.version
    state.at = envelope.at
    return state


def fold(envelopes: Iterable[Envelope[Event]], state: AnyState | None = None) -> AnyState:
    """Fold entries in order, from the first or onto a state that is given away.

    Raises:
        UnknownEvent: At the first entry of an unknown type; the state is as it was before that one.
        UnfitEvent: At the first that cannot have happened; the state must not be used any more.
    """
    handlers: Handlers = {}
    for envelope in envelopes:
        handler = handlers.get(type(envelope.data))
        if state is None or handler is None or envelope.version != state.version + 1:
            # The first of these, or one that does not fit: `advance` raises the error.
            state = advance(state, envelope)
            handlers = HANDLERS[type(state)]
            continue
        # `advance`, written out: a call for every event would cost a rebuild a twentieth.
        state.at = envelope.at
        try:
            handler(state, envelope.data)
        except UNFIT as error:
            raise UnfitEvent(envelope.version, error) from error
        state.version = envelope.version
    assert state is not None, "no events, no game"
    return state
