"""Whether what an event says fits what is true before it: numbers that go up by one, blocks that are left.

These are no rules, only what a full event repeats of the state; so a changed event is found even in a chain that was
made again. What has to do with chance is checked in `draws`. Each check yields (what, expected, found) for the values
that must agree. Here is what both games share; the modules named for a game hold its own.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from events.base import Envelope, Event
from events.forks import GameForked
from events.lobby import OptionsChanged, SeatReady, SeatTaken, SecretRevealed
from events.play import (
    ActionTaken,
    BooksAttested,
    MoneyMoved,
    PromptClosed,
    PromptOpened,
    TurnEnded,
)
from projections.evolve import AnyState
from projections.ledger.books import Books
from projections.ledger.chart import digest_of
from projections.state.base import GameState
from projections.state.public_assistance import PublicAssistanceState
from projections.state.social_justice import SocialJusticeState
from service.audit.verify import (
    consistency_clocks,
    consistency_deals,
    consistency_public_assistance,
    consistency_social_justice,
)

Claims: TypeAlias = Iterator[tuple[str, object, object]]


SEATED = frozenset({"seat", "bot"})
"""Actors that are a seat: its number stands after the colon."""

HOSTED = frozenset({"leave", "hand_over"})
"""Actions that the host may take for a seat: leave before the start, or hand it to a bot in play."""


def claims(state: AnyState, books: Books, envelope: Envelope[Event]) -> Claims:
    """Compare what an event repeats with state and books right before it."""
    check = CHECKS[type(state)].get(type(envelope.data))
    return check(state, books, envelope) if check else iter(())


def _taken(state: AnyState, _books: Books, envelope: Envelope[SeatTaken]) -> Claims:
    yield "a free seat, that is", False, envelope.data.seat in state.seats


def _forked(state: AnyState, _books: Books, envelope: Envelope[GameForked]) -> Claims:
    event = envelope.data
    if envelope.version > state.copied():  # not one that the parent began with itself
        yield "a fork of", state.parent, f"{event.parent}@{event.version}"
        yield "the actor", "system", envelope.actor
        yield "a known secret in the first event, that is", bool(event.chance), state.known_secret
    yield "version before it", state.version, event.version
    if event.chance:  # a free choice of it would be a choice of outcomes
        yield "the chance of game", state.chance_of or event.parent, event.chance


def _ready(state: AnyState, _books: Books, envelope: Envelope[SeatReady]) -> Claims:
    yield "edition", state.edition, envelope.data.number


def _edition(state: AnyState, _books: Books, envelope: Envelope[OptionsChanged]) -> Claims:
    yield "edition", state.edition + 1, envelope.data.number


def _acted(state: AnyState, _books: Books, envelope: Envelope[ActionTaken]) -> Claims:
    event, (who, _, number) = envelope.data, envelope.actor.partition(":")
    if who in SEATED:
        yield f"an action of {envelope.actor}, that is, of seat", number, str(event.seat)
    elif who != "host" or event.name not in HOSTED:
        yield f"an action of {envelope.actor}, that is, of seat", 0, event.seat
    yield "a receipt before it was recorded, that is", True, event.received <= envelope.at
    if event.prompt:
        yield f"an open prompt {event.prompt}, that is", True, event.prompt in state.prompts
    kind, _, seat = envelope.actor.partition(":")
    if kind == "bot":
        yield "the seat that the bot acts for", seat, str(event.seat)
        yield f"a bot in seat {seat}, that is", True, event.seat in state.seats and bool(state.seats[event.seat].bot)


def _turn_ended(state: AnyState, _books: Books, envelope: Envelope[TurnEnded]) -> Claims:
    yield "the active seat", state.active, envelope.data.seat


def _opened(_state: AnyState, _books: Books, envelope: Envelope[PromptOpened]) -> Claims:
    yield "prompt", f"p{envelope.version}", envelope.data.prompt


def _closed(state: AnyState, _books: Books, envelope: Envelope[PromptClosed]) -> Claims:
    yield f"an open prompt {envelope.data.prompt}, that is", True, envelope.data.prompt in state.prompts


def _paid(_state: AnyState, _books: Books, envelope: Envelope[MoneyMoved]) -> Claims:
    event = envelope.data
    yield "another payee, that is", True, event.payer != event.payee
    if event.breakdown:
        yield "the sum of the shares", sum(part.amount for part in event.breakdown), event.amount


def _attested(state: AnyState, books: Books, envelope: Envelope[BooksAttested]) -> Claims:
    """Check that the custodian attested what the ledger holds."""
    event = envelope.data
    yield "the custodian of record", state.custodian, event.seat
    yield "version", state.version, event.version
    yield "the digest of the books", digest_of(books.cash()), event.digest


def _revealed(state: AnyState, _books: Books, _envelope: Envelope[SecretRevealed]) -> Claims:
    yield "a game that is", "finished", state.status


SHARED: Mapping[type[Event], Callable[[Any, Books, Any], Claims]] = {
    ActionTaken: _acted,
    BooksAttested: _attested,
    MoneyMoved: _paid,
    OptionsChanged: _edition,
    PromptClosed: _closed,
    PromptOpened: _opened,
    SeatReady: _ready,
    SeatTaken: _taken,
    GameForked: _forked,
    SecretRevealed: _revealed,
    TurnEnded: _turn_ended,
    **consistency_clocks.CHECKS,
}

CHECKS: Mapping[type[GameState], Mapping[type[Event], Callable[[Any, Books, Any], Claims]]] = {
    PublicAssistanceState: {**SHARED, **consistency_public_assistance.CHECKS},
    SocialJusticeState: {**SHARED, **consistency_social_justice.CHECKS, **consistency_deals.CHECKS},
}
"""By the kind of state."""
