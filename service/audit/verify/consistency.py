"""What an event says that executing its action again does not show: actor, receipt, attested books, a fork's header.

Executing every action again compares every other event as a whole. Each check yields (what, expected, found) for the
values that must agree.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from events.base import Envelope, Event
from events.forks import GameForked
from events.lobby import SecretRevealed
from events.play import ActionTaken, BooksAttested
from projections.evolve import AnyState
from projections.ledger.books import Books
from projections.ledger.chart import digest_of

Claims: TypeAlias = Iterator[tuple[str, object, object]]


SEATED = frozenset({"seat", "bot"})
"""Actors that are a seat: its number stands after the colon."""

HOSTED = frozenset({"leave", "hand_over"})
"""Actions that the host may take for a seat: leave before the start, or hand it to a bot in play."""


def claims(state: AnyState, books: Books, envelope: Envelope[Event]) -> Claims:
    """Compare what an event says with state and books right before it."""
    check = CHECKS.get(type(envelope.data))
    return check(state, books, envelope) if check else iter(())


def _forked(state: AnyState, _books: Books, envelope: Envelope[GameForked]) -> Claims:
    event = envelope.data
    if envelope.version > state.copied():  # not one that the parent began with itself
        yield "a fork of", state.parent, f"{event.parent}@{event.version}"
        yield "the actor", "system", envelope.actor
        yield "a known secret in the first event, that is", bool(event.chance), state.known_secret
    yield "version before it", state.version, event.version
    if event.chance:  # a free choice of it would be a choice of outcomes
        yield "the chance of game", state.chance_of or event.parent, event.chance


def _acted(state: AnyState, _books: Books, envelope: Envelope[ActionTaken]) -> Claims:
    event, (who, _, number) = envelope.data, envelope.actor.partition(":")
    if who in SEATED:
        yield f"an action of {envelope.actor}, that is, of seat", number, str(event.seat)
    elif who != "host" or event.name not in HOSTED:
        yield f"an action of {envelope.actor}, that is, of seat", 0, event.seat
    yield "a receipt before it was recorded, that is", True, event.received <= envelope.at
    if who == "bot":
        yield (
            f"a bot in seat {event.seat}, that is",
            True,
            event.seat in state.seats and bool(state.seats[event.seat].bot),
        )


def _attested(state: AnyState, books: Books, envelope: Envelope[BooksAttested]) -> Claims:
    """Check that the custodian attested what the ledger holds."""
    event = envelope.data
    yield "the custodian of record", state.custodian, event.seat
    yield "version", state.version, event.version
    yield "the digest of the books", digest_of(books.cash()), event.digest


def _revealed(state: AnyState, _books: Books, _envelope: Envelope[SecretRevealed]) -> Claims:
    yield "a game that is", "finished", state.status


CHECKS: Mapping[type[Event], Callable[[Any, Books, Any], Claims]] = {
    ActionTaken: _acted,
    BooksAttested: _attested,
    GameForked: _forked,
    SecretRevealed: _revealed,
}
