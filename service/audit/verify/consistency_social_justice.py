"""Whether the events of The Social Justice Game repeat what is true before them; see `consistency`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from events.base import Envelope, Event
from events.lobby import GameFinished, GameStarted
from events.play import CardReturned, TurnStarted
from events.social_justice.board import social_justice_board
from events.social_justice.events import (
    AidAnswered,
    DebtArose,
    HouseAdded,
    HousesRemoved,
    Jailed,
    JailLeft,
    RateSet,
    RoleChanged,
    RoundStarted,
    TitlePassed,
    TokenMoved,
    TourEnded,
    TurnMissed,
    WorthCounted,
)
from projections.ledger.books import Books
from projections.state.social_justice import SocialJusticeState as State
from service.games.chance import inputs_of

Claims: TypeAlias = Iterator[tuple[str, object, object]]


def _started(state: State, _books: Books, envelope: Envelope[GameStarted]) -> Claims:
    options = envelope.data.options
    limit = {"utility.rate_max": options.get("utility.rate_max")} if "utility.rate_max" in options else {}
    yield "the seats", tuple(sorted(state.seats)), envelope.data.seats
    yield "their shares in chance", inputs_of(state), envelope.data.inputs
    yield "the options agreed on", {**limit, **state.options}, dict(options)


def _turn(state: State, _books: Books, envelope: Envelope[TurnStarted]) -> Claims:
    event = envelope.data
    yield "turn", state.turn + 1, event.turn
    yield "own turn", state.citizens[event.seat].own + 1, event.own
    yield "a seat that is in, that is", "", state.citizens[event.seat].out


def _round(state: State, _books: Books, envelope: Envelope[RoundStarted]) -> Claims:
    yield "round", state.round + 1, envelope.data.round


def _moved(state: State, _books: Books, envelope: Envelope[TokenMoved]) -> Claims:
    yield "a token on square", state.citizens[envelope.data.seat].square, envelope.data.from_square


def _role(state: State, _books: Books, envelope: Envelope[RoleChanged]) -> Claims:
    yield "the role before", state.citizens[envelope.data.seat].role, envelope.data.before


def _passed(state: State, _books: Books, envelope: Envelope[TitlePassed]) -> Claims:
    event = envelope.data
    yield "the holder before", state.titles[event.square].holder, event.seller
    yield "another holder, that is", True, event.holder != event.seller


def _house(state: State, _books: Books, envelope: Envelope[HouseAdded]) -> Claims:
    yield "houses", state.titles[envelope.data.square].houses + 1, envelope.data.houses


def _torn_down(state: State, _books: Books, envelope: Envelope[HousesRemoved]) -> Claims:
    yield "houses", state.titles[envelope.data.square].houses, envelope.data.houses


def _aid(state: State, _books: Books, envelope: Envelope[AidAnswered]) -> Claims:
    yield "applications", state.citizens[envelope.data.seat].aid_used + 1, envelope.data.used


def _jailed(state: State, _books: Books, envelope: Envelope[Jailed]) -> Claims:
    yield "a seat in jail", False, state.citizens[envelope.data.seat].jailed


def _missed(state: State, _books: Books, envelope: Envelope[TurnMissed]) -> Claims:
    yield "turns to be missed", state.citizens[envelope.data.seat].jail_turns - 1, envelope.data.left


def _freed(state: State, _books: Books, envelope: Envelope[JailLeft]) -> Claims:
    yield "a seat in jail", True, state.citizens[envelope.data.seat].jailed


def _tour(state: State, _books: Books, envelope: Envelope[TourEnded]) -> Claims:
    yield "a seat that serves, that is", True, state.citizens[envelope.data.seat].serving


def _returned(state: State, _books: Books, envelope: Envelope[CardReturned]) -> Claims:
    event = envelope.data
    if event.kept:
        yield "a card that the seat kept, that is", True, event.card in state.citizens[event.seat].kept


def _rate(state: State, _books: Books, envelope: Envelope[RateSet]) -> Claims:
    event = envelope.data
    version = next(pin.version for pin in state.pins if pin.name == "social_justice_board")
    square = social_justice_board(version).utility(event.name.partition(".")[0])
    yield "the holder of the utility", state.titles[square.i].holder, event.seat


def _debt(_state: State, books: Books, envelope: Envelope[DebtArose]) -> Claims:
    event = envelope.data
    held = books.balances.get(f"seat:{event.seat}", 0)
    yield "more than the cash at hand, that is", True, event.amount > held


def _counted(state: State, books: Books, envelope: Envelope[WorthCounted]) -> Claims:
    """Check that cash and loans are those of the books, and that the items add up."""
    lines = envelope.data.lines
    yield "a line for each seat", sorted(state.citizens), [line.seat for line in lines]
    for line in lines:
        seat = line.seat
        yield f"as cash of seat {seat}", books.balances.get(f"seat:{seat}", 0), line.cash
        owed = -sum(b for account, b in books.balances.items() if account.startswith(f"loan:{seat}:"))
        yield f"as loans of seat {seat}", owed, line.owed
        yield f"as receivable of seat {seat}", books.balances.get(f"claims:{seat}", 0), line.receivable
        total = line.cash + line.titles + line.houses - line.owed + line.receivable
        yield f"as worth of seat {seat}", total, line.worth
        yield f"the roles of seat {seat}", state.citizens[seat].roles, line.roles
        yield f"why seat {seat} is out", state.citizens[seat].out, line.out


def _finished(state: State, _books: Books, envelope: Envelope[GameFinished]) -> Claims:
    event = envelope.data
    alive = state.alive()
    scores = {line.seat: line.score for line in event.standings}
    yield "a line for each seat", sorted(state.citizens), sorted(scores)
    yield "no winners", (), event.winners
    for line in event.standings:
        better = sum(scores[seat] > line.score for seat in alive)
        yield f"as rank of seat {line.seat}", better + 1 if line.seat in alive else 0, line.rank
        yield f"the role of seat {line.seat}", state.citizens[line.seat].role, line.track


CHECKS: Mapping[type[Event], Callable[[Any, Books, Any], Claims]] = {
    AidAnswered: _aid,
    CardReturned: _returned,
    DebtArose: _debt,
    GameFinished: _finished,
    GameStarted: _started,
    HouseAdded: _house,
    HousesRemoved: _torn_down,
    JailLeft: _freed,
    Jailed: _jailed,
    RateSet: _rate,
    RoleChanged: _role,
    RoundStarted: _round,
    TitlePassed: _passed,
    TokenMoved: _moved,
    TourEnded: _tour,
    TurnMissed: _missed,
    TurnStarted: _turn,
    WorthCounted: _counted,
}
