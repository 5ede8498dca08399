"""Whether each draw has the coordinate that it must have: a free choice of coordinates would be a choice of outcomes.

Every part of a coordinate, and which deck or side track it is, follows from the state and from the events just before.
Kept here is what the state does not hold: first rolls, the bet that is open, the side track that is run.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from events.base import Envelope, Event
from events.lobby import GameStarted
from events.play import ActionTaken, CardDrawn, DiceRolled, OrderDecided, PromptClosed, PromptOpened, TurnStarted
from events.public_assistance.board import Block, Card, public_assistance_board, public_assistance_deck
from events.public_assistance.events import BetPlaced, PartnerPlaced, SideTrackEntered, SideTrackLeft
from projections.state.public_assistance import PublicAssistanceState as State

Claims: TypeAlias = Iterator[tuple[str, object, object]]

DICE_OF = {"horses": 2, "lottery": 3, "jail": 1, "side_track": 1, "partner": 1}
"""How many dice a purpose takes; as many as the game moves with where it is not listed."""

NOWHERE = "no throw here"


@dataclass
class FirstRolls:
    """Who rolls for the first turn: all in seat order, then the tied ones again (PA-9)."""

    waiting: list[int] = field(default_factory=list)
    round: int = 1
    sums: dict[int, int] = field(default_factory=dict)
    first: int = 0

    def roll(self, faces: tuple[int, ...]) -> None:
        """Take the roll of the seat that is next."""
        if not self.waiting:
            return
        self.sums[self.waiting.pop(0)] = sum(faces)
        if not self.waiting:
            self._end_round()

    def _end_round(self) -> None:
        best = [seat for seat, total in self.sums.items() if total == max(self.sums.values())]
        self.sums = {}
        if len(best) == 1:
            self.first = best[0]
        else:
            self.waiting, self.round = best, self.round + 1


@dataclass
class Draws:
    """What the next draws must be, kept up to date by `note`.

    Attributes:
        first: First rolls.
        last: Seat whose turn was the last to start; 0 before the first.
        starts: A start prompt was answered, and the throw that moves the piece comes next.
        bet: What is bet on and not thrown for yet.
        side_track: The side track that is run.
        rolls: Throws on it so far.
        card: The card drawn in this action.
        partner: Why the partner rolls next; empty when it does not.
        asked: This turn the partner was asked to roll for a Gov't Job.
    """

    first: FirstRolls = field(default_factory=FirstRolls)
    last: int = 0
    starts: bool = False
    bet: str = ""
    side_track: str = ""
    rolls: int = 0
    card: Card | None = None
    partner: str = ""
    asked: bool = False

    def claims(self, state: State, envelope: Envelope[Event]) -> Claims:
        """Compare an event with what it must be, right before it happens: (what, expected, found)."""
        check = CHECKS.get(type(envelope.data))
        return check(self, state, envelope.data) if check else iter(())

    def note(self, state: State, envelope: Envelope[Event]) -> None:
        """Note an event; the state is the one right before it."""
        noting = NOTES.get(type(envelope.data))
        if noting:
            noting(self, state, envelope.data)

    def tail_of(self, state: State, purpose: str) -> tuple[object, ...] | None:
        """Return what must follow seat and own turn in the coordinate of a throw; None when there can be none."""
        jailed = state.players[state.active].track == "jail"
        possible: dict[str, tuple[bool, tuple[object, ...]]] = {
            "movement": (self.starts and not jailed, ()),
            "jail": (self.starts and jailed, ()),
            "horses": (self.bet == "horses", ()),
            "lottery": (self.bet == "lottery", ()),
            "side_track": (bool(self.side_track), (self.side_track, self.rolls + 1)),
            "partner": (bool(self.partner), (self.partner,)),
        }
        may, tail = possible.get(purpose, (False, ()))
        return tail if may else None


def _coordinate(draws: Draws, state: State, event: DiceRolled) -> str:
    first = draws.first
    if event.purpose == "first_roll":
        return f"first_roll/{first.waiting[0]}/{first.round}" if first.waiting else NOWHERE
    tail = draws.tail_of(state, event.purpose) if state.active else None
    if tail is None:
        return NOWHERE
    parts = (event.purpose, state.active, state.players[state.active].own, *tail)
    return "/".join(str(part) for part in parts)


def _rolled(draws: Draws, state: State, event: DiceRolled) -> Claims:
    seat = draws.first.waiting[:1] if event.purpose == "first_roll" else [state.active]
    yield "the coordinate", _coordinate(draws, state, event), event.coordinate
    yield "a throw of seat", seat, [event.seat]
    yield "dice", DICE_OF.get(event.purpose, state.options.get("dice")), len(event.faces)
    yield "sides", 6, event.sides


def _drawn(_draws: Draws, state: State, event: CardDrawn) -> Claims:
    deck = state.decks[event.deck]
    card = _card(state, event)
    yield "a draw of seat", state.active, event.seat
    yield "the deck of the block", _block_under(state).type, event.deck
    yield "draw", deck.draws + 1, event.draw
    yield "coordinate", f"{event.deck}/{deck.draws + 1}" if deck.unseen else "", event.coordinate
    yield "text", card.text if card else "of a card of the deck", event.text
    if deck.unseen:
        yield "an unseen card, that is", True, event.card in deck.unseen
    else:
        yield "the front of the returned cards", list(deck.returned[:1]), [event.card]


def _entered(draws: Draws, state: State, event: SideTrackEntered) -> Claims:
    block, card = _block_under(state), draws.card
    on_block = block.track if block.type == "saturday" else block.type
    by_card = (card.track if card.kind == "go_track" else card.kind) if card else ""
    yield "a side track of seat", state.active, event.seat
    yield "the side track of block or card", by_card or on_block, event.track


def _opened(draws: Draws, state: State, event: PromptOpened) -> Claims:
    """Check why the partner may roll: the block or the card, once a turn, before the doubles."""
    if event.kind == "partner_roll":
        there = _block_under(state).type == "govt_job" or (draws.card is not None and draws.card.kind == "govt_job")
        doubles = "doubles" if len(set(state.faces)) < len(state.faces) else "no roll of the partner"
        yield "a partner that rolls for", "govt_job" if there and not draws.asked else doubles, event.why
    yield "a prompt of seat", state.custodian if event.kind == "attest" else state.active, event.seat


def _ordered(draws: Draws, state: State, event: OrderDecided) -> Claims:
    seats, first = sorted(state.players), draws.first.first
    order = [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
    yield "the order from the highest first roll on", order, list(event.order)


def _turn(draws: Draws, state: State, event: TurnStarted) -> Claims:
    yield "the turn of seat", next_seat(state.order, draws.last, state.staying()), event.seat


def next_seat(order: Sequence[int], last: int, playing: Collection[int]) -> int:
    """Return the seat after the last one in the order of turns that is still playing; `last` is 0 before the first."""
    at = order.index(last) + 1 if last else 0
    return next(seat for seat in (*order[at:], *order[:at]) if seat in playing)


def _block_under(state: State) -> Block:
    player = state.players[state.active]
    return public_assistance_board(_version(state, "board")).tracks[player.track][player.block]


def _card(state: State, event: CardDrawn) -> Card | None:
    return public_assistance_deck(event.deck, _version(state, event.deck)).get(event.card)


def _version(state: State, name: str) -> int:
    return next(pin.version for pin in state.pins if pin.name == f"public_assistance_{name}")


def _note_start(draws: Draws, _state: State, event: GameStarted) -> None:
    draws.first = FirstRolls(waiting=list(event.seats))


def _note_action(draws: Draws, _state: State, _event: ActionTaken) -> None:
    draws.card, draws.partner, draws.starts = None, "", False


def _note_turn(draws: Draws, _state: State, event: TurnStarted) -> None:
    draws.last, draws.asked = event.seat, False


def _note_roll(draws: Draws, _state: State, event: DiceRolled) -> None:
    if event.purpose == "first_roll":
        draws.first.roll(event.faces)
    elif event.purpose == "side_track":
        draws.rolls += 1
    draws.starts, draws.bet, draws.partner = False, "", ""


def _note_bet(draws: Draws, _state: State, event: BetPlaced) -> None:
    draws.bet = event.game


def _note_entered(draws: Draws, _state: State, event: SideTrackEntered) -> None:
    draws.side_track, draws.rolls = event.track, 0


def _note_left(draws: Draws, _state: State, _event: SideTrackLeft) -> None:
    draws.side_track = ""


def _note_card(draws: Draws, state: State, event: CardDrawn) -> None:
    draws.card = _card(state, event)


def _note_placed(draws: Draws, _state: State, _event: PartnerPlaced) -> None:
    draws.partner = "placed"


def _note_opened(draws: Draws, _state: State, event: PromptOpened) -> None:
    draws.asked = draws.asked or event.why == "govt_job"


def _note_closed(draws: Draws, state: State, event: PromptClosed) -> None:
    prompt = state.prompts[event.prompt]
    if event.how != "void":
        draws.starts = prompt.kind == "turn_start"
        draws.partner = prompt.why if prompt.kind == "partner_roll" else ""


CHECKS: Mapping[type[Event], Callable[[Draws, State, Any], Claims]] = {
    CardDrawn: _drawn,
    DiceRolled: _rolled,
    OrderDecided: _ordered,
    PromptOpened: _opened,
    SideTrackEntered: _entered,
    TurnStarted: _turn,
}

NOTES: Mapping[type[Event], Callable[[Draws, State, Any], None]] = {
    ActionTaken: _note_action,
    BetPlaced: _note_bet,
    CardDrawn: _note_card,
    DiceRolled: _note_roll,
    GameStarted: _note_start,
    PartnerPlaced: _note_placed,
    PromptClosed: _note_closed,
    PromptOpened: _note_opened,
    SideTrackEntered: _note_entered,
    SideTrackLeft: _note_left,
    TurnStarted: _note_turn,
}
