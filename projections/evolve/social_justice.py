"""How the events of The Social Justice Game change its state; politics and deals have modules of their own."""

from collections.abc import Callable
from typing import Any

from events.base import BANK, Event, seat_account
from events.lobby import GameCreated, GameFinished, GameStarted
from events.play import CardKept, CardReturned, DiceRolled, OrderDecided, TurnStarted
from events.social_justice.board import change_deck, social_justice_board
from events.social_justice.events import (
    AidAnswered,
    CardIgnored,
    CitizenOut,
    DebtArose,
    Enlisted,
    HouseAdded,
    HousesRemoved,
    JailAvoided,
    Jailed,
    JailLeft,
    RateSet,
    RoleChanged,
    RoleHeld,
    RoleTaken,
    RoundStarted,
    TitlePassed,
    TokenMoved,
    TourEnded,
    TurnMissed,
    WorthCounted,
)
from events.social_justice.tasks import AgendaSet
from projections.evolve.lobby import game_finished as result_stands
from projections.evolve.play import nothing, put_back, without
from projections.state.base import DeckState
from projections.state.social_justice import Citizen, SocialJusticeState, Title

State = SocialJusticeState
DECK = "change"


def begin(created: GameCreated) -> State:
    """Open a game: a full deck, every title at the bank, nobody at the table."""
    versions = {pin.name: pin.version for pin in created.pins}
    cards = change_deck(versions["social_justice_change"])
    board = social_justice_board(versions["social_justice_board"])
    return State(
        game=created.game,
        rules=created.rules,
        code=created.code,
        pins=created.pins,
        options=dict(created.options),
        places=created.places,
        private=created.private,
        commitment=created.commitment,
        known_secret=created.known_secret,
        parent=created.parent,
        cash={BANK: 0},
        decks={DECK: DeckState(unseen={card.id: card.count for card in cards.values()})},
        titles={square.i: Title() for square in board.titles()},
    )


def game_started(state: State, event: GameStarted) -> None:
    """Everybody stands on Payday with nothing yet."""
    state.status = "playing"
    state.options = dict(event.options)
    state.inputs = event.inputs
    for seat in event.seats:
        state.citizens[seat] = Citizen()
        state.cash[seat_account(seat)] = 0


def game_finished(state: State, event: GameFinished) -> None:
    """The result stands, and nothing is left to do."""
    result_stands(state, event)
    state.agenda = ()


def order_decided(state: State, event: OrderDecided) -> None:
    """The order of turns is known."""
    state.order = event.order


def agenda_set(state: State, event: AgendaSet) -> None:
    """It is known what is left of the turn."""
    state.agenda = event.tasks


def role_taken(state: State, event: RoleTaken) -> None:
    """A seat has its first role; one that is dealt in place of a chosen one is the first."""
    citizen = state.citizens[event.seat]
    citizen.role = event.role
    citizen.roles = (RoleHeld(turn=state.turn, role=event.role),)


def role_changed(state: State, event: RoleChanged) -> None:
    """A seat has another role."""
    citizen = state.citizens[event.seat]
    citizen.role = event.role
    citizen.role_floor = event.floor
    citizen.roles += (RoleHeld(turn=state.turn, role=event.role),)


def round_started(state: State, event: RoundStarted) -> None:
    """A round began."""
    state.round = event.round


def turn_started(state: State, event: TurnStarted) -> None:
    """A seat is active."""
    state.active = event.seat
    state.turn = event.turn
    citizen = state.citizens[event.seat]
    citizen.own = event.own
    citizen.aid_charge = 100


def token_moved(state: State, event: TokenMoved) -> None:
    """A token stands elsewhere."""
    state.citizens[event.seat].square = event.to_square


def title_passed(state: State, event: TitlePassed) -> None:
    """A title has another holder; the bank forgets what the holder had set (SJG-66)."""
    state.titles[event.square].holder = event.holder
    if not event.holder:
        board = social_justice_board(next(pin.version for pin in state.pins if pin.name == "social_justice_board"))
        key = board.squares[event.square].key
        for name in [name for name in state.rates if name.partition(".")[0] == key]:
            del state.rates[name]


def house_added(state: State, event: HouseAdded) -> None:
    """A property has one house more; a donor is exempt there for good (SJG-28)."""
    title = state.titles[event.square]
    title.houses = event.houses
    if event.why == "donated" and event.seat not in title.donors:
        title.donors.append(event.seat)


def houses_removed(state: State, event: HousesRemoved) -> None:
    """A property is unimproved again."""
    state.titles[event.square].houses = 0


def rate_set(state: State, event: RateSet) -> None:
    """A holder's rate stands."""
    state.rates[event.name] = event.rate


def aid_answered(state: State, event: AidAnswered) -> None:
    """An application is used up."""
    citizen = state.citizens[event.seat]
    citizen.aid_used = event.used
    citizen.aid_charge = event.charge


def enlisted(state: State, event: Enlisted) -> None:
    """A seat serves."""
    citizen = state.citizens[event.seat]
    citizen.serving = citizen.harms_way = citizen.veteran = True


def tour_ended(state: State, event: TourEnded) -> None:
    """A seat serves no longer."""
    citizen = state.citizens[event.seat]
    citizen.serving = citizen.harms_way = False


def jailed(state: State, event: Jailed) -> None:
    """A seat is in jail."""
    citizen = state.citizens[event.seat]
    citizen.jailed = True
    citizen.jail_turns = event.turns


def turn_missed(state: State, event: TurnMissed) -> None:
    """A prisoner has one turn less to miss."""
    state.citizens[event.seat].jail_turns = event.left


def jail_left(state: State, event: JailLeft) -> None:
    """A prisoner stands on Payday."""
    citizen = state.citizens[event.seat]
    citizen.jailed = False
    citizen.jail_turns = 0
    citizen.square = 0


def card_kept(state: State, event: CardKept) -> None:
    """A card stays with the seat."""
    state.citizens[event.seat].kept += (event.card,)


def card_returned(state: State, event: CardReturned) -> None:
    """A card lies at the bottom of its deck, perhaps one that the seat had kept."""
    if event.kept:
        citizen = state.citizens[event.seat]
        citizen.kept = without(citizen.kept, event.card)
    put_back(state, event)


def citizen_out(state: State, event: CitizenOut) -> None:
    """A seat is out of the game."""
    citizen = state.citizens[event.seat]
    citizen.out = event.why
    citizen.serving = citizen.harms_way = citizen.jailed = False
    citizen.jail_turns = 0


HANDLERS: dict[type[Event], Callable[[Any, Any], None]] = {
    AgendaSet: agenda_set,
    AidAnswered: aid_answered,
    CardIgnored: nothing,
    CardKept: card_kept,
    CardReturned: card_returned,
    CitizenOut: citizen_out,
    DebtArose: nothing,
    DiceRolled: nothing,
    Enlisted: enlisted,
    GameFinished: game_finished,
    GameStarted: game_started,
    HouseAdded: house_added,
    HousesRemoved: houses_removed,
    JailAvoided: nothing,
    JailLeft: jail_left,
    Jailed: jailed,
    OrderDecided: order_decided,
    RateSet: rate_set,
    RoleChanged: role_changed,
    RoleTaken: role_taken,
    RoundStarted: round_started,
    TitlePassed: title_passed,
    TokenMoved: token_moved,
    TourEnded: tour_ended,
    TurnMissed: turn_missed,
    TurnStarted: turn_started,
    WorthCounted: nothing,
}
