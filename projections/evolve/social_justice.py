"""How the events of The Social Justice Game change its state; politics and deals have modules of their own."""

from msgspec.structs import replace

from events.base import BANK
from events.lobby import GameCreated, GameFinished, GameStarted
from events.play import CardKept, CardReturned, DiceRolled, TurnStarted
from events.social_justice import events as sjg
from events.social_justice.board import change_deck, social_justice_board
from events.social_justice.tasks import AgendaSet
from projections.evolve.lobby import game_finished as result_stands
from projections.evolve.lobby import game_started as play_begins
from projections.evolve.lobby import pinned
from projections.evolve.play import Handlers, nothing, put_back, without
from projections.state.base import DeckState
from projections.state.social_justice import Citizen, SocialJusticeState, Title

State = SocialJusticeState
DECK = "change"


def begin(created: GameCreated) -> State:
    """Return the state of a new game: a full deck, every title at the bank, no seat taken."""
    versions = {pin.name: pin.version for pin in created.pins}
    cards = change_deck(versions["social_justice_change"])
    board = social_justice_board(versions["social_justice_board"])
    return State(
        **pinned(created),
        cash={BANK: 0},
        decks={DECK: DeckState(unseen={card.id: card.count for card in cards.values()})},
        titles={square.i: Title() for square in board.titles()},
    )


def game_started(state: State, event: GameStarted) -> None:
    """Every token stands on Payday, without money."""
    play_begins(state, event)
    state.citizens = {seat: Citizen() for seat in event.seats}


def game_finished(state: State, event: GameFinished) -> None:
    """The result stands, and nothing is left to do."""
    result_stands(state, event)
    # Where the event has one word for both games, the state has two.
    state.standings = tuple(replace(line, track="", role=line.track) for line in state.standings)
    state.agenda = ()


def agenda_set(state: State, event: AgendaSet) -> None:
    """Keep what is left of the turn."""
    state.agenda = event.tasks


def role_taken(state: State, event: sjg.RoleTaken) -> None:
    """A seat has its first role."""
    citizen = state.citizens[event.seat]
    citizen.role = event.role
    citizen.roles = (sjg.RoleHeld(turn=state.turn, role=event.role),)


def role_changed(state: State, event: sjg.RoleChanged) -> None:
    """A seat has another role."""
    citizen = state.citizens[event.seat]
    citizen.role = event.role
    citizen.role_floor = event.floor
    citizen.roles += (sjg.RoleHeld(turn=state.turn, role=event.role),)


def round_started(state: State, event: sjg.RoundStarted) -> None:
    """A round began."""
    state.round = event.round


def turn_started(state: State, event: TurnStarted) -> None:
    """A seat is active."""
    state.active = event.seat
    state.turn = event.turn
    citizen = state.citizens[event.seat]
    citizen.own = event.own
    citizen.aid_charge = 100


def token_moved(state: State, event: sjg.TokenMoved) -> None:
    """A token stands elsewhere."""
    state.citizens[event.seat].square = event.to_square


def title_passed(state: State, event: sjg.TitlePassed) -> None:
    """A title has another holder; the bank forgets what the holder had set (SJG-66)."""
    state.titles[event.square].holder = event.holder
    if not event.holder:
        board = social_justice_board(next(pin.version for pin in state.pins if pin.name == "social_justice_board"))
        key = board.squares[event.square].key
        for name in [name for name in state.rates if name.partition(".")[0] == key]:
            del state.rates[name]


def house_added(state: State, event: sjg.HouseAdded) -> None:
    """A property has one house more; a donor is exempt there for good (SJG-28)."""
    title = state.titles[event.square]
    title.houses = event.houses
    if event.why == "donated" and event.seat not in title.donors:
        title.donors.append(event.seat)


def houses_removed(state: State, event: sjg.HousesRemoved) -> None:
    """A property is unimproved again."""
    state.titles[event.square].houses = 0


def rate_set(state: State, event: sjg.RateSet) -> None:
    """A holder's rate stands."""
    state.rates[event.name] = event.rate


def aid_answered(state: State, event: sjg.AidAnswered) -> None:
    """An application is used up."""
    citizen = state.citizens[event.seat]
    citizen.aid_used = event.used
    citizen.aid_charge = event.charge


def enlisted(state: State, event: sjg.Enlisted) -> None:
    """A seat serves."""
    citizen = state.citizens[event.seat]
    citizen.serving = citizen.harms_way = citizen.veteran = True


def tour_ended(state: State, event: sjg.TourEnded) -> None:
    """A seat serves no longer."""
    citizen = state.citizens[event.seat]
    citizen.serving = citizen.harms_way = False


def jailed(state: State, event: sjg.Jailed) -> None:
    """A seat is in jail."""
    citizen = state.citizens[event.seat]
    citizen.jailed = True
    citizen.jail_turns = event.turns


def turn_missed(state: State, event: sjg.TurnMissed) -> None:
    """A prisoner has one turn less to miss."""
    state.citizens[event.seat].jail_turns = event.left


def jail_left(state: State, event: sjg.JailLeft) -> None:
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


def citizen_out(state: State, event: sjg.CitizenOut) -> None:
    """A seat is out of the game."""
    citizen = state.citizens[event.seat]
    citizen.out = event.why
    citizen.serving = citizen.harms_way = citizen.jailed = False
    citizen.jail_turns = 0


HANDLERS: Handlers = {
    AgendaSet: agenda_set,
    sjg.AidAnswered: aid_answered,
    sjg.CardIgnored: nothing,
    CardKept: card_kept,
    CardReturned: card_returned,
    sjg.CitizenOut: citizen_out,
    sjg.DebtArose: nothing,
    DiceRolled: nothing,
    sjg.Enlisted: enlisted,
    GameFinished: game_finished,
    GameStarted: game_started,
    sjg.HouseAdded: house_added,
    sjg.HousesRemoved: houses_removed,
    sjg.JailAvoided: nothing,
    sjg.JailLeft: jail_left,
    sjg.Jailed: jailed,
    sjg.RateSet: rate_set,
    sjg.RoleChanged: role_changed,
    sjg.RoleTaken: role_taken,
    sjg.RoundStarted: round_started,
    sjg.TitlePassed: title_passed,
    sjg.TokenMoved: token_moved,
    sjg.TourEnded: tour_ended,
    sjg.TurnMissed: turn_missed,
    TurnStarted: turn_started,
    sjg.WorthCounted: nothing,
}
