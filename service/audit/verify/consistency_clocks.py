"""Whether what events about time and presence repeat fits the game before them; see `consistency`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from events.base import Envelope, Event
from events.clocks import (
    BotTookOver,
    GamePaused,
    GameResumed,
    OutageCredited,
    SeatHandedBack,
    SeatReopened,
    SeatRetaken,
)
from projections.evolve import AnyState
from projections.ledger.books import Books
from service.rules.timing import credits_of

Claims = Iterator[tuple[str, object, object]]


def _paused(state: AnyState, _books: Books, envelope: Envelope[GamePaused]) -> Claims:
    left = {p.prompt: p.deadline - envelope.at for p in state.prompts.values() if p.deadline is not None}
    yield "clocks that run, since", 0, state.paused
    yield "what is left", left, dict(envelope.data.left)


def _resumed(state: AnyState, _books: Books, envelope: Envelope[GameResumed]) -> Claims:
    span = envelope.at - state.paused
    moved = {p.prompt: p.deadline + span for p in state.prompts.values() if p.deadline is not None}
    yield "clocks that stand still, that is", True, bool(state.paused)
    yield "the length of the pause", span, envelope.data.paused_for
    yield "deadlines", moved, dict(envelope.data.deadlines)


def _credited(state: AnyState, _books: Books, envelope: Envelope[OutageCredited]) -> Claims:
    event = envelope.data
    yield "deadlines", dict(credits_of(state, since=event.since, until=event.until)), dict(event.deadlines)


def _took_over(state: AnyState, _books: Books, envelope: Envelope[BotTookOver]) -> Claims:
    yield "the bot that kept the seat before", "", state.seats[envelope.data.seat].bot


def _kept(state: AnyState, _books: Books, envelope: Envelope[SeatHandedBack | SeatReopened]) -> Claims:
    yield "a seat that a bot keeps, that is", True, bool(state.seats[envelope.data.seat].keeper)


def _retaken(state: AnyState, _books: Books, envelope: Envelope[SeatRetaken]) -> Claims:
    yield "an open seat, that is", True, state.seats[envelope.data.seat].reopened


CHECKS: Mapping[type[Event], Callable[[Any, Books, Any], Claims]] = {
    BotTookOver: _took_over,
    GamePaused: _paused,
    GameResumed: _resumed,
    OutageCredited: _credited,
    SeatHandedBack: _kept,
    SeatReopened: _kept,
    SeatRetaken: _retaken,
}
