"""Whether what an event says fits what is true before it: numbers that go up by one, blocks that are left.

These are no rules, only what a full event repeats of the state; so a changed event betrays itself even in a chain that
was made anew. What has to do with chance is checked in `draws`. Each check gives (what, expected, found) for the values
that must agree.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from events.base import Envelope, Event
from events.lobby import GameFinished, GameStarted, OptionsChanged, SeatReady, SeatTaken, SecretRevealed
from events.play import (
    ActionTaken,
    BooksAttested,
    CardReturned,
    MoneyMoved,
    PromptClosed,
    PromptOpened,
    TurnEnded,
    TurnStarted,
)
from events.public_assistance import (
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
from projections.game import AnyState
from projections.ledger import Books
from projections.ledger_chart import digest_of, loan_account
from service.chance import inputs_of
from service.verify import facts_deals

Claims: TypeAlias = Iterator[tuple[str, object, object]]


def claims(state: AnyState, books: Books, envelope: Envelope[Event]) -> Claims:
    """Compare what an event repeats with state and books right before it."""
    check = CHECKS.get(type(envelope.data))
    return check(state, books, envelope) if check else iter(())


def _started(state: AnyState, _books: Books, envelope: Envelope[GameStarted]) -> Claims:
    yield "the seats", tuple(sorted(state.seats)), envelope.data.seats
    yield "their shares in chance", inputs_of(state), envelope.data.inputs
    months = envelope.data.options.get("months") or 0
    yield "the options agreed on", {**state.options, "months": state.options["months"] or months}, envelope.data.options


def _taken(state: AnyState, _books: Books, envelope: Envelope[SeatTaken]) -> Claims:
    yield "a free seat, that is", False, envelope.data.seat in state.seats


def _ready(state: AnyState, _books: Books, envelope: Envelope[SeatReady]) -> Claims:
    yield "edition", state.edition, envelope.data.number


def _edition(state: AnyState, _books: Books, envelope: Envelope[OptionsChanged]) -> Claims:
    yield "edition", state.edition + 1, envelope.data.number


def _acted(state: AnyState, _books: Books, envelope: Envelope[ActionTaken]) -> Claims:
    event = envelope.data
    if event.prompt:
        yield f"an open prompt {event.prompt}, that is", True, event.prompt in state.prompts


def _turn(state: AnyState, _books: Books, envelope: Envelope[TurnStarted]) -> Claims:
    event = envelope.data
    yield "turn", state.turn + 1, event.turn
    yield "own turn", state.players[event.seat].own + 1, event.own


def _turn_ended(state: AnyState, _books: Books, envelope: Envelope[TurnEnded]) -> Claims:
    yield "the active seat", state.active, envelope.data.seat


def _opened(_state: AnyState, _books: Books, envelope: Envelope[PromptOpened]) -> Claims:
    yield "prompt", f"p{envelope.version}", envelope.data.prompt


def _closed(state: AnyState, _books: Books, envelope: Envelope[PromptClosed]) -> Claims:
    yield f"an open prompt {envelope.data.prompt}, that is", True, envelope.data.prompt in state.prompts


def _returned(state: AnyState, _books: Books, envelope: Envelope[CardReturned]) -> Claims:
    event = envelope.data
    if event.kept:
        yield "a card that the seat kept, that is", True, event.card in state.players[event.seat].kept


def _paid(_state: AnyState, _books: Books, envelope: Envelope[MoneyMoved]) -> Claims:
    event = envelope.data
    yield "another payee, that is", True, event.payer != event.payee
    if event.breakdown:
        yield "the sum of the shares", sum(part.amount for part in event.breakdown), event.amount


def _price(state: AnyState) -> tuple[int, int]:
    unit, percent = state.options["loan_unit"], state.options["loan_pct"]
    assert isinstance(unit, int)
    assert isinstance(percent, int)
    return unit, unit * (100 + percent) // 100


def _notes(state: AnyState, _books: Books, envelope: Envelope[NotesWritten]) -> Claims:
    event, (unit, price) = envelope.data, _price(state)
    yield "principal", event.notes * unit, event.principal
    yield "price of redeeming", event.notes * price, event.due


def _repaid(state: AnyState, _books: Books, envelope: Envelope[LoanRepaid]) -> Claims:
    yield "whole notes", envelope.data.amount // _price(state)[1], envelope.data.notes


def _moved(state: AnyState, _books: Books, envelope: Envelope[PieceMoved]) -> Claims:
    event = envelope.data
    player = state.players[event.seat]
    yield "a piece on", (player.track, player.block), (event.from_track, event.from_block)


def _month(state: AnyState, _books: Books, envelope: Envelope[MonthCounted]) -> Claims:
    yield "month", state.players[envelope.data.seat].month + 1, envelope.data.month


def _child(state: AnyState, _books: Books, envelope: Envelope[ChildGained]) -> Claims:
    yield "children", state.players[envelope.data.seat].children + 1, envelope.data.children


def _turned_in(state: AnyState, _books: Books, envelope: Envelope[ChildrenTurnedIn]) -> Claims:
    yield "children", state.players[envelope.data.seat].children, envelope.data.children


def _skip(state: AnyState, _books: Books, envelope: Envelope[SkipAdded]) -> Claims:
    yield "pending skips", state.players[envelope.data.seat].skips + 1, envelope.data.skips


def _skipped(state: AnyState, _books: Books, envelope: Envelope[TurnSkipped]) -> Claims:
    yield "pending skips", state.players[envelope.data.seat].skips - 1, envelope.data.skips


def _cheated(state: AnyState, _books: Books, envelope: Envelope[CheatEnded]) -> Claims:
    yield "a right to name a block, that is", True, state.players[envelope.data.seat].cheat


def _reached(state: AnyState, _books: Books, envelope: Envelope[EndReached]) -> Claims:
    yield "month", state.players[envelope.data.seat].month, envelope.data.month


def _partner(state: AnyState, _books: Books, envelope: Envelope[PartnerMoved]) -> Claims:
    yield "a partner on block", state.players[envelope.data.seat].partner, envelope.data.from_block


def _attested(state: AnyState, books: Books, envelope: Envelope[BooksAttested]) -> Claims:
    """See that what the custodian gave his word for is what the ledger holds."""
    event = envelope.data
    yield "the custodian of record", state.custodian, event.seat
    yield "version", state.version, event.version
    yield "the digest of the books", digest_of(books.cash()), event.digest


def _finished(state: AnyState, books: Books, envelope: Envelope[GameFinished]) -> Claims:
    """See that the result is what the books hold: cash less what is still owed on notes."""
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


def _revealed(state: AnyState, _books: Books, _envelope: Envelope[SecretRevealed]) -> Claims:
    yield "a game that is", "finished", state.status


CHECKS: Mapping[type[Event], Callable[[Any, Books, Any], Claims]] = {
    **facts_deals.CHECKS,
    ActionTaken: _acted,
    BooksAttested: _attested,
    CardReturned: _returned,
    CheatEnded: _cheated,
    ChildGained: _child,
    ChildrenTurnedIn: _turned_in,
    EndReached: _reached,
    GameFinished: _finished,
    GameStarted: _started,
    LoanRepaid: _repaid,
    MoneyMoved: _paid,
    MonthCounted: _month,
    NotesWritten: _notes,
    OptionsChanged: _edition,
    PartnerMoved: _partner,
    PieceMoved: _moved,
    PromptClosed: _closed,
    PromptOpened: _opened,
    SeatReady: _ready,
    SeatTaken: _taken,
    SecretRevealed: _revealed,
    SkipAdded: _skip,
    TurnEnded: _turn_ended,
    TurnSkipped: _skipped,
    TurnStarted: _turn,
}
