"""Tests of the properties: a bug is planted, and random games must find it."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from events.base import CUSTODIAN, Event, seat_account
from events.play import CardReturned, DiceRolled, MoneyMoved
from events.public_assistance.events import BetSettled, ChildGained
from projections import evolve as folding
from projections.evolve.play import without
from projections.ledger import books as ledger
from projections.state.public_assistance import PublicAssistanceState
from service.rules import legal
from service.rules.play import Play
from service.rules.public_assistance import bets, landing, turn
from service.rules.public_assistance.money import collect
from service.rules.violations import refuse
from tests.properties.games import play
from tests.properties.test_random_games import keeps_every_promise

Patch = pytest.MonkeyPatch
SEEDS = range(40)


def put(patch: Patch, handlers: Any, kind: Any, handler: Callable[..., Any]) -> None:
    """Put another handler in the place of a kind's own."""
    patch.setitem(handlers, kind, handler)


def half_a_payment(patch: Patch) -> None:
    """The payee of a payment gets nothing."""

    def moved(state: Any, event: MoneyMoved) -> None:
        state.cash[event.payer] -= event.amount

    put(patch, folding.HANDLERS[PublicAssistanceState], MoneyMoved, moved)


def forgetful_books(patch: Patch) -> None:
    """The ledger does not know of payments."""
    put(patch, ledger.HANDLERS, MoneyMoved, lambda _books, _envelope: None)


def overdraft(patch: Patch) -> None:
    """Blocks are paid whether there is cash or not."""

    def pay(play: Any, seat: int, block: Any) -> None:
        amount = 50 * block.amount
        play.move_cash(seat_account(seat), CUSTODIAN, amount, reason="block", rule="PA-10")

    put(patch, landing.BLOCKS, "pay", pay)


def silent_child(patch: Patch) -> None:
    """A child comes without an event."""

    def child(play: Any, seat: int, _block: Any) -> None:
        play.state.players[seat].children += 1

    put(patch, landing.BLOCKS, "child", child)


def refusal_after_a_draw(patch: Patch) -> None:
    """A seat that rolls on to a resting block is refused the roll, by the usual way."""

    def rest(play: Any, _seat: int, _block: Any) -> None:
        raise play.refusal("no_rest", "There is no rest.")

    put(patch, landing.BLOCKS, "rest", rest)


def refusal_behind_the_back(patch: Patch) -> None:
    """The same, past the play's own assertion."""

    def rest(_play: Any, _seat: int, _block: Any) -> None:
        raise refuse("no_rest", "There is no rest.")

    put(patch, landing.BLOCKS, "rest", rest)


def lost_cards(patch: Patch) -> None:
    """Cards that go to the bottom are never seen again."""

    def returned(state: Any, event: CardReturned) -> None:
        if event.kept:
            player = state.players[event.seat]
            player.kept = without(player.kept, event.card)

    put(patch, folding.HANDLERS[PublicAssistanceState], CardReturned, returned)


def repeated_chance(patch: Patch) -> None:
    """The number of the turn is left out of the coordinates."""
    roll = Play.roll

    def careless(self: Any, seat: int, purpose: str, *_coordinate: object, **dice: int) -> tuple[int, ...]:
        return roll(self, seat, purpose, seat, **dice)

    patch.setattr(Play, "roll", careless)


def nobody_is_next(patch: Patch) -> None:
    """A turn ends, and no other begins."""
    patch.setattr(turn, "start_turn", lambda _play, _seat: None)


def stakes_stay_in_escrow(patch: Patch) -> None:
    """A bet is decided and not paid out."""

    def pay_out(play: Any, bet: Any, *, won: bool) -> bool:
        facts = {"game": bet.game, "pick": bet.pick, "stake": bet.stake, "taker": bet.taker}
        play.record(BetSettled(seat=bet.seat, won=won, prize=0, **facts))
        return False

    patch.setattr(bets, "_pay_out", pay_out)


def months_run_back(patch: Patch) -> None:
    """A child sets the marker back."""

    def gained(state: Any, event: ChildGained) -> None:
        state.players[event.seat].children = event.children
        state.players[event.seat].month = 0

    put(patch, folding.HANDLERS[PublicAssistanceState], ChildGained, gained)


def shared_state(patch: Patch) -> None:
    """The private copy is the state itself."""
    for kind in folding.HANDLERS:
        patch.setattr(kind, "copy", lambda state: state)


def chance_of_its_own(patch: Patch) -> None:
    """A block pays what nothing on the stream determines."""
    count = itertools.count(1)

    def rest(play: Any, seat: int, _block: Any) -> None:
        collect(play, seat, next(count), reason="block", rule="PA-10")

    put(patch, landing.BLOCKS, "rest", rest)


def false_offers(patch: Patch) -> None:
    """Bodies that are offered lie out of bounds."""
    patch.setattr(legal, "_least", lambda bound: 53 if hasattr(bound, "values") else bound.high + 1)


def hidden_faces(patch: Patch) -> None:
    """The state remembers what no event tells."""
    record = Play.record

    def remembering(play: Any, event: Event) -> None:
        record(play, event)
        if isinstance(event, DiceRolled):
            play.state.players[event.seat].skips = sum(event.faces) % 2

    patch.setattr(Play, "record", remembering)


PLANTED = [
    half_a_payment, forgetful_books, overdraft, silent_child, refusal_after_a_draw, refusal_behind_the_back, lost_cards,
    repeated_chance, nobody_is_next, stakes_stay_in_escrow, months_run_back, shared_state, chance_of_its_own,
    false_offers, hidden_faces,
]  # fmt: skip


def hunt() -> None:
    """Play until a promise is broken."""
    for seed in SEEDS:
        keeps_every_promise(play(seed))


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_the_properties_find_a_planted_bug(plant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    """Within a few games."""
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        hunt()
