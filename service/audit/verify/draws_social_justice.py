"""Whether each draw in The Social Justice Game has the coordinate that it must have; see `service.audit.verify.draws`.

Coordinates follow from the state right before; kept here are whose turn was the last to start, how often the combat die
fell in this turn, and whether the movement die did.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from events.base import Envelope, Event
from events.play import CardDrawn, DiceRolled, OrderDecided, TurnStarted
from projections.state.social_justice import SocialJusticeState as State
from service.audit.verify.draws import NOWHERE, Claims, next_seat
from service.rules.social_justice.shorthand import card_of, number, square_under
from service.rules.social_justice.start import bag

DIE = 6


@dataclass
class SocialJusticeDraws:
    """What the next draws must be, kept up to date by `note`.

    Attributes:
        last: Seat whose turn was the last to start; 0 before the first.
        combat: Combat throws of this turn so far.
        moved: The movement die of this turn fell.
    """

    last: int = 0
    combat: int = 0
    moved: bool = False

    def claims(self, state: State, envelope: Envelope[Event]) -> Claims:
        """Compare an event with what it must be, right before it happens: (what, expected, found)."""
        check = CHECKS.get(type(envelope.data))
        return check(self, state, envelope.data) if check else iter(())

    def note(self, _state: State, envelope: Envelope[Event]) -> None:
        """Note an event."""
        event = envelope.data
        if isinstance(event, TurnStarted):
            self.last, self.combat, self.moved = event.seat, 0, False
        elif isinstance(event, DiceRolled):
            self.combat += event.purpose == "combat"
            self.moved = self.moved or event.purpose == "movement"

    def throw(self, state: State, purpose: str) -> tuple[int, tuple[object, ...], int] | None:
        """Return seat, the rest of the coordinate, and sides of a throw; None where there can be none."""
        if purpose == "role":
            waiting = [seat for seat in state.alive() if not state.citizens[seat].role]
            return (waiting[0], (), len(bag(state))) if waiting else None
        if not state.active or not state.citizens[state.active].role:
            return None
        citizen = state.citizens[state.active]
        possible: dict[str, tuple[bool, tuple[object, ...], int]] = {
            "movement": (not self.moved, (citizen.own,), number(state, f"move.die.{citizen.role}")),
            "combat": (citizen.harms_way and not self.moved, (citizen.own, self.combat + 1), DIE),
            "jail": (not citizen.jailed, (citizen.own,), number(state, "jail.die")),
            "aid": (square_under(state, state.active).type == "college", (citizen.aid_used + 1,), DIE),
        }
        may, rest, sides = possible.get(purpose, (False, (), 0))
        return (state.active, rest, sides) if may else None


def _rolled(draws: SocialJusticeDraws, state: State, event: DiceRolled) -> Claims:
    throw = draws.throw(state, event.purpose)
    if throw is None:
        yield "the coordinate", NOWHERE, event.coordinate
        return
    seat, rest, sides = throw
    yield "the coordinate", "/".join(str(part) for part in (event.purpose, seat, *rest)), event.coordinate
    yield "a throw of seat", seat, event.seat
    yield "dice", 1, len(event.faces)
    yield "sides", sides, event.sides


def _drawn(_draws: SocialJusticeDraws, state: State, event: CardDrawn) -> Claims:
    deck = state.decks[event.deck]
    yield "a draw of seat", state.active, event.seat
    yield "a square of the kind", "change", square_under(state, state.active).type
    yield "draw", deck.draws + 1, event.draw
    yield "coordinate", f"{event.deck}/{deck.draws + 1}" if deck.unseen else "", event.coordinate
    yield "text", card_of(state, event.card).text, event.text
    if deck.unseen:
        yield "an unseen card, that is", True, event.card in deck.unseen
    else:
        yield "the front of the returned cards", list(deck.returned[:1]), [event.card]


def _ordered(_draws: SocialJusticeDraws, state: State, event: OrderDecided) -> Claims:
    seats = sorted(state.citizens)
    first = next(seat for seat in state.alive() if state.citizens[seat].role == "owner")
    order = [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
    yield "the order from the Owner on", order, list(event.order)


def _turn(draws: SocialJusticeDraws, state: State, event: TurnStarted) -> Claims:
    yield "the turn of seat", next_seat(state.order, draws.last, state.alive()), event.seat


CHECKS: Mapping[type[Event], Callable[[SocialJusticeDraws, State, Any], Claims]] = {
    CardDrawn: _drawn,
    DiceRolled: _rolled,
    OrderDecided: _ordered,
    TurnStarted: _turn,
}
