"""Whether the events of Public Assistance repeat what is true before them; see `consistency`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from events.base import Envelope, Event
from events.lobby import GameFinished, GameStarted
from events.play import CardReturned, TurnStarted
from events.public_assistance.events import (
    CheatEnded,
    ChildGained,
    ChildrenTurnedIn,
    EndReached,
    LoanRepaid,
    MonthCounted,
    NotesWritten,
    PartnerMoved,
    PieceMoved,
    SkipAdded,
    TurnSkipped,
)
from projections.ledger.books import Books
from projections.ledger.chart import loan_account
from projections.state.public_assistance import PublicAssistanceState as State
from service.games.chance import inputs_of

Claims: TypeAlias = Iterator[tuple[str, object, object]]


def _started(state: State, _books: Books, envelope: Envelope[GameStarted]) -> Claims:
    yield "the seats", tuple(sorted(state.seats)), envelope.data.seats
    yield "their shares in chance", inputs_of(state), envelope.data.inputs
    months = envelope.data.options.get("months") or 0
    yield "the options agreed on", {**state.options, "months": state.options["months"] or months}, envelope.data.options


def _turn(state: State, _books: Books, envelope: Envelope[TurnStarted]) -> Claims:
    event = envelope.data
    yield "turn", state.turn + 1, event.turn
    yield "own turn", state.players[event.seat].own + 1, event.own


def _returned(state: State, _books: Books, envelope: Envelope[CardReturned]) -> Claims:
    event = envelope.data
    if event.kept:
        yield "a card that the seat kept, that is", True, event.card in state.players[event.seat].kept


def _price(state: State) -> tuple[int, int]:
    unit, percent = state.options["loan_unit"], state.options["loan_pct"]
    assert isinstance(unit, int)
    assert isinstance(percent, int)
    return unit, unit * (100 + percent) // 100


def _notes(state: State, _books: Books, envelope: Envelope[NotesWritten]) -> Claims:
    event, (unit, price) = envelope.data, _price(state)
    yield "principal", event.notes * unit, event.principal
    yield "price of redeeming", event.notes * price, event.due


def _repaid(state: State, _books: Books, envelope: Envelope[LoanRepaid]) -> Claims:
    yield "whole notes", envelope.data.amount // _price(state)[1], envelope.data.notes


def _moved(state: State, _books: Books, envelope: Envelope[PieceMoved]) -> Claims:
    event = envelope.data
    player = state.players[event.seat]
    yield "a piece on", (player.track, player.block), (event.from_track, event.from_block)


def _month(state: State, _books: Books, envelope: Envelope[MonthCounted]) -> Claims:
    yield "month", state.players[envelope.data.seat].month + 1, envelope.data.month


def _child(state: State, _books: Books, envelope: Envelope[ChildGained]) -> Claims:
    yield "children", state.players[envelope.data.seat].children + 1, envelope.data.children


def _turned_in(state: State, _books: Books, envelope: Envelope[ChildrenTurnedIn]) -> Claims:
    yield "children", state.players[envelope.data.seat].children, envelope.data.children


def _skip(state: State, _books: Books, envelope: Envelope[SkipAdded]) -> Claims:
    yield "pending skips", state.players[envelope.data.seat].skips + 1, envelope.data.skips


def _skipped(state: State, _books: Books, envelope: Envelope[TurnSkipped]) -> Claims:
    yield "pending skips", state.players[envelope.data.seat].skips - 1, envelope.data.skips


def _cheated(state: State, _books: Books, envelope: Envelope[CheatEnded]) -> Claims:
    yield "a right to name a block, that is", True, state.players[envelope.data.seat].cheat


def _reached(state: State, _books: Books, envelope: Envelope[EndReached]) -> Claims:
    yield "month", state.players[envelope.data.seat].month, envelope.data.month


def _partner(state: State, _books: Books, envelope: Envelope[PartnerMoved]) -> Claims:
    yield "a partner on block", state.players[envelope.data.seat].partner, envelope.data.from_block


def _finished(state: State, books: Books, envelope: Envelope[GameFinished]) -> Claims:
    """Check that the result is what the books hold: cash less what is still owed on notes."""
    event = envelope.data
    yield "a line for each seat", sorted(state.players), sorted(line.seat for line in event.standings)
    yield "as winners those of rank 1", [s.seat for s in event.standings if s.rank == 1], list(event.winners)
    for line in event.standings:
        held = books.balances.get(f"seat:{line.seat}", 0) + books.balances.get(loan_account(line.seat), 0)
        yield f"as score of seat {line.seat}", held, line.score
        yield f"as total less tax of seat {line.seat}", line.total - line.tax, line.score
        yield f"as rank of seat {line.seat}", _rank(event, line.seat) if line.rank else 0, line.rank
        yield f"the track of seat {line.seat}", state.players[line.seat].track, line.track


def _rank(event: GameFinished, seat: int) -> int:
    scores = {line.seat: line.score for line in event.standings if line.rank}
    return 1 + sum(score > scores[seat] for score in scores.values())


CHECKS: Mapping[type[Event], Callable[[Any, Books, Any], Claims]] = {
    CardReturned: _returned,
    CheatEnded: _cheated,
    ChildGained: _child,
    ChildrenTurnedIn: _turned_in,
    EndReached: _reached,
    GameFinished: _finished,
    GameStarted: _started,
    LoanRepaid: _repaid,
    MonthCounted: _month,
    NotesWritten: _notes,
    PartnerMoved: _partner,
    PieceMoved: _moved,
    SkipAdded: _skip,
    TurnSkipped: _skipped,
    TurnStarted: _turn,
}
