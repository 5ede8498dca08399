"""How the events of Public Assistance change its state."""

from events.base import CUSTODIAN, ESCROW
from events.lobby import GameCreated, GameStarted, SeatLeft
from events.play import CardKept, CardReturned, DiceRolled, TurnStarted
from events.public_assistance import events as pa
from events.public_assistance.board import public_assistance_board, public_assistance_deck
from projections.evolve.lobby import game_started as play_begins
from projections.evolve.lobby import pinned
from projections.evolve.lobby import seat_left as place_left
from projections.evolve.play import Handlers, nothing, put_back, without
from projections.state.base import DeckState
from projections.state.public_assistance import BetsOffer, Player, PublicAssistanceState

State = PublicAssistanceState


def begin(created: GameCreated) -> State:
    """Return the state of a new game: full decks, empty table."""
    versions = {pin.name: pin.version for pin in created.pins}
    # Loaded so that a board that this release lacks is missed here already.
    public_assistance_board(versions["public_assistance_board"])
    decks = {}
    for name in ("benefit", "burden"):
        cards = public_assistance_deck(name, versions[f"public_assistance_{name}"])
        decks[name] = DeckState(unseen={card.id: card.count for card in cards.values()})
    return State(**pinned(created), cash={CUSTODIAN: 0, ESCROW: 0}, decks=decks)


def game_started(state: State, event: GameStarted) -> None:
    """Every piece stands on the 1st of the Month, without money (PA-6)."""
    play_begins(state, event)
    state.players = {seat: Player() for seat in event.seats}


def seat_left(state: State, event: SeatLeft) -> None:
    """The seat's offers end; what it owned has events of its own."""
    place_left(state, event)
    if event.playing:
        state.players[event.seat].offer = None


def turn_started(state: State, event: TurnStarted) -> None:
    """A seat is active."""
    state.active = event.seat
    state.turn = event.turn
    state.faces = ()
    player = state.players[event.seat]
    player.own = event.own
    if player.note_age >= 0:
        player.note_age += 1


def dice_rolled(state: State, event: DiceRolled) -> None:
    """Keep the faces of the movement roll: after doubles the partner may roll (PA-46)."""
    if event.purpose == "movement":
        state.faces = event.faces


def piece_moved(state: State, event: pa.PieceMoved) -> None:
    """A piece stands elsewhere."""
    player = state.players[event.seat]
    player.track = event.to_track
    player.block = event.to_block


def month_counted(state: State, event: pa.MonthCounted) -> None:
    """A marker advanced."""
    state.players[event.seat].month = event.month


def child_gained(state: State, event: pa.ChildGained) -> None:
    """A household grew."""
    state.players[event.seat].children = event.children


def children_turned_in(state: State, event: pa.ChildrenTurnedIn) -> None:
    """A household has no children."""
    state.players[event.seat].children = 0


def card_kept(state: State, event: CardKept) -> None:
    """A card stays with the seat."""
    state.players[event.seat].kept += (event.card,)


def card_returned(state: State, event: CardReturned) -> None:
    """A card lies at the bottom of its deck, perhaps one that the seat had kept."""
    if event.kept:
        player = state.players[event.seat]
        player.kept = without(player.kept, event.card)
    put_back(state, event)


def cheat_granted(state: State, event: pa.CheatGranted) -> None:
    """The seat names its next block."""
    state.players[event.seat].cheat = True


def cheat_ended(state: State, event: pa.CheatEnded) -> None:
    """The seat rolls again."""
    state.players[event.seat].cheat = False


def skip_added(state: State, event: pa.SkipAdded) -> None:
    """One more turn is to be missed."""
    state.players[event.seat].skips = event.skips


def turn_skipped(state: State, event: pa.TurnSkipped) -> None:
    """The turn that began is missed."""
    player = state.players[event.seat]
    player.skips = event.skips
    if player.note_age > 0:
        player.note_age -= 1


def notes_written(state: State, event: pa.NotesWritten) -> None:
    """A seat owes more notes."""
    player = state.players[event.seat]
    player.notes += event.notes
    player.note_age = 0


def loan_repaid(state: State, event: pa.LoanRepaid) -> None:
    """A seat owes fewer notes."""
    state.players[event.seat].notes -= event.notes


def partner_placed(state: State, event: pa.PartnerPlaced) -> None:
    """The partner stands at the start of the walk."""
    player = state.players[event.seat]
    player.partner = 0
    player.partner_own = player.own


def partner_moved(state: State, event: pa.PartnerMoved) -> None:
    """The partner stands elsewhere on the walk."""
    state.players[event.seat].partner = event.to_block


def partner_removed(state: State, event: pa.PartnerRemoved) -> None:
    """The partner is off the walk."""
    state.players[event.seat].partner = -1


def bet_placed(state: State, event: pa.BetPlaced) -> None:
    """The one bet of this turn is made."""
    player = state.players[event.seat]
    player.bet_own = player.own


def bets_offered(state: State, event: pa.BetsOffered) -> None:
    """A bookmaker's offer stands."""
    state.players[event.seat].offer = BetsOffer(horses=event.horses, lottery=event.lottery, max_stake=event.max_stake)


def bets_withdrawn(state: State, event: pa.BetsWithdrawn) -> None:
    """A bookmaker's offer is gone."""
    state.players[event.seat].offer = None


def end_reached(state: State, event: pa.EndReached) -> None:
    """The agreed months are done."""
    state.end_reached = event.seat


HANDLERS: Handlers = {
    GameStarted: game_started,
    SeatLeft: seat_left,
    TurnStarted: turn_started,
    DiceRolled: dice_rolled,
    pa.PieceMoved: piece_moved,
    pa.MonthCounted: month_counted,
    pa.ChildGained: child_gained,
    pa.ChildrenTurnedIn: children_turned_in,
    CardKept: card_kept,
    CardReturned: card_returned,
    pa.CheatGranted: cheat_granted,
    pa.CheatEnded: cheat_ended,
    pa.SkipAdded: skip_added,
    pa.TurnSkipped: turn_skipped,
    pa.NotesWritten: notes_written,
    pa.LoanRepaid: loan_repaid,
    pa.PartnerPlaced: partner_placed,
    pa.PartnerMoved: partner_moved,
    pa.PartnerRemoved: partner_removed,
    pa.BetPlaced: bet_placed,
    pa.BetSettled: nothing,
    pa.BetsOffered: bets_offered,
    pa.BetsWithdrawn: bets_withdrawn,
    pa.Bumped: nothing,
    pa.EndReached: end_reached,
    pa.SideTrackEntered: nothing,
    pa.SideTrackMoved: nothing,
    pa.SideTrackLeft: nothing,
    pa.WaiverUsed: nothing,
}
