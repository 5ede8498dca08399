"""Who sits at the table of a scenario, and how a game in the middle of play is laid out."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, cast

from events.base import CUSTODIAN, ESCROW, Envelope, Event, seat_account
from events.lobby import CustodianNamed, GameCreated, GameStarted, SeatTaken
from events.play import OrderDecided, PromptOpened, TurnStarted
from events.public_assistance import board as boards
from projections import evolve as game
from projections.state.public_assistance import BetsOffer, Player, PublicAssistanceState
from service.rules import options as agreed
from tests.support.kinds import pa
from tests.support.planting import plant_deck, plant_seat, without_copy

ZERO = "0" * 64
NOW = 1_767_225_600_000
State: TypeAlias = PublicAssistanceState


@dataclass(frozen=True)
class At:
    """Where a seat stands and what it has."""

    place: str = "promenade:0"
    cash: int = 500
    month: int = 0
    children: int = 0
    kept: tuple[str, ...] = ()
    skips: int = 0
    cheat: bool = False
    partner: int = -1
    notes: int = 0
    note_age: int = -1
    own: int = 1
    offer: BetsOffer | None = None
    left: bool = False


def at(place: str, **things: Any) -> At:
    """Lay out a seat: `at("rut:3", cash=0, notes=1)`."""
    return At(place, **things)


SEATS = {"ann": 1, "bob": 2, "cid": 3, "dee": 4}


@dataclass(frozen=True)
class Told:
    """A position as a scenario tells it."""

    seats: dict[int, At]
    options: dict[str, Any]
    turn: int = 1
    order: tuple[int, ...] = ()
    prompt: tuple[str, str] = ("turn_start", "")
    unseen: dict[str, tuple[str, ...]] = field(default_factory=dict)
    returned: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def with_turn(self, seat: int) -> "Told":
        """Make it another seat's turn."""
        return replace(self, turn=seat)


def public_assistance(**told: Any) -> Told:
    """Return a position: seats by name (`ann="rut:3"` or `at(…)`), and options by theirs; ann is to move.

    Besides: `turn` (whose turn it is), `order`, `prompt` (kind, why), `unseen` and `returned` cards by deck.
    """
    seats = {SEATS[name]: _at(told.pop(name)) for name in SEATS if name in told}
    extra = {name: told.pop(name) for name in ("turn", "order", "prompt", "unseen", "returned") if name in told}
    return Told(seats=seats, options=told, **extra)


def _at(where: At | str) -> At:
    return where if isinstance(where, At) else At(where)


def lay_out(told: Told) -> State:
    """Build the state: a real opening by events, the things of each seat, then a turn by events."""
    state = _opened(told)
    for seat, where in told.seats.items():
        _seat(state, seat, where)
    state.cash[CUSTODIAN] = -sum(where.cash for where in told.seats.values())
    for deck, cards in told.unseen.items():
        _only_unseen(state, deck, cards)
    for deck, cards in told.returned.items():
        _returned(state, deck, cards)
    kind, why = told.prompt
    seconds = told.options.get("turn_seconds", 0)
    deadline = NOW + 1000 * seconds if seconds else None
    return _fold(
        state,
        [
            TurnStarted(seat=told.turn, turn=5, own=state.players[told.turn].own + 1),
            PromptOpened(prompt=f"p{state.version + 2}", seat=told.turn, kind=kind, why=why, deadline=deadline),
        ],
    )


def _opened(told: Told) -> State:
    seats = tuple(sorted(told.seats))
    options = agreed.settle_months(agreed.agree(told.options, agreed.defaults()), len(seats))
    taken = [
        SeatTaken(seat=seat, kind="person", level="", name=ZERO, nonce_commitment="", host=seat == 1) for seat in seats
    ]
    created = GameCreated(
        game="g_told", rulebook="public_assistance", rules=1, code=ZERO, pins=boards.public_assistance_pins(),
        options=options, places=4, private=False, commitment=ZERO, known_secret=True, parent="",
    )  # fmt: skip
    order = told.order or (*[s for s in seats if s >= told.turn], *[s for s in seats if s < told.turn])
    return _fold(
        None,
        [
            created,
            *taken,
            GameStarted(seats=seats, inputs=("",) * len(seats), options=options),
            CustodianNamed(seat=seats[0], why="start"),
            OrderDecided(order=order),
        ],
    )


def _fold(state: State | None, events: list[Event]) -> State:
    first = state.version + 1 if state else 1
    return pa(
        game.fold(
            [
                Envelope(version=version, at=NOW, turn=0, actor="host", action=ZERO, data=event)
                for version, event in enumerate(events, first)
            ],
            state,
        )
    )


def _seat(state: State, seat: int, where: At) -> None:
    track, block = where.place.split(":")
    state.players[seat] = Player(
        track=cast("Literal['promenade', 'rut', 'jail']", track), block=int(block), month=where.month,
        children=where.children, kept=where.kept, skips=where.skips, cheat=where.cheat, partner=where.partner,
        notes=where.notes, note_age=where.note_age, own=where.own, offer=where.offer,
    )  # fmt: skip
    plant_seat(state, seat, left=where.left)
    state.cash[seat_account(seat)] = where.cash
    state.cash.setdefault(ESCROW, 0)
    for card in where.kept:
        _take(state, "benefit", card)


def _take(state: State, deck: str, card: str) -> None:
    plant_deck(state, deck, unseen=without_copy(state.decks[deck], card))


def _returned(state: State, deck: str, cards: tuple[str, ...]) -> None:
    for card in cards:
        _take(state, deck, card)
        pile = state.decks[deck]
        plant_deck(state, deck, returned=(*pile.returned, card), draws=pile.draws + 1)


def _only_unseen(state: State, deck: str, cards: tuple[str, ...]) -> None:
    """Every other card was drawn and returned, in the order of ids."""
    wanted = list(cards)
    for card, count in sorted(state.decks[deck].unseen.items()):
        _returned(state, deck, (card,) * (count - wanted.count(card)))
