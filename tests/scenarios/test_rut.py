"""The rut: its dice, Pay Days, directed moves, Go On Welfare (PA-5, PA-32 to PA-34, PA-56)."""

import pytest

from events.play import ChainStopped, DiceRolled, MoneyMoved
from events.public_assistance.events import PieceMoved
from service.rules.public_assistance import landing
from tests.scenarios.checks import happened, has, in_order, money, never, over, stands, turn_of
from tests.scenarios.dice import card
from tests.scenarios.dsl import ann, bob, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


@rule("PA-32")
def test_three_dice_in_the_rut() -> None:
    """As on the promenade."""
    game = given(public_assistance(ann="rut:32", bob="promenade:50")).when(ann.rolls(1, 1, 2))
    game.then(stands(ann, "rut:36"), happened(DiceRolled, faces=(1, 1, 2)), happened(PieceMoved, ann, rule="PA-32"))


@rule("PA-33")
@pytest.mark.parametrize(
    ("start", "faces", "days"),
    [(2, (1, 1, 2), 1), (5, (1, 1, 2), 1), (5, (6, 6, 2), 2), (6, (1, 1, 1), 0), (6, (4, 4, 5), 1)],
)
def test_every_pay_day_landed_on_or_passed_pays(start: int, faces: tuple[int, ...], days: int) -> None:
    """From the block before one, 14 or more meets the next; standing there at the start is not passing."""
    told = public_assistance(ann=f"rut:{start}", bob="promenade:50", loan_unit=1000)
    game = given(told).when(ann.rolls(*faces))
    assert len(game.found(MoneyMoved, reason="pay_day", payer="custodian", payee="seat:1", amount=150)) == days


@rule("PA-33")
def test_pay_is_credited_before_the_bill_of_the_block() -> None:
    """150 first, so that 80 can be paid without a note."""
    given(public_assistance(ann=at("rut:3", cash=0), bob="promenade:50")).when(ann.rolls(1, 1, 2)).then(
        money((purse, ann, 150), (ann, purse, 80)), has(ann, notes=0)
    )


@rule("PA-33")
def test_pay_day_is_an_option() -> None:
    """Another wage by agreement; with none nothing is posted."""
    given(public_assistance(ann="rut:2", bob="promenade:50", pay_day=400)).when(ann.rolls(1, 1, 2)).then(
        money((purse, ann, 400))
    )
    given(public_assistance(ann="rut:2", bob="promenade:50", pay_day=0)).when(ann.rolls(1, 1, 2)).then(
        never(MoneyMoved)
    )


@rule("PA-34")
def test_a_directed_move_collects_what_it_passes() -> None:
    """Block 4 sends on to Pay Day 19: it passes 6 and lands on 19."""
    (
        given(public_assistance(ann="rut:0", bob="promenade:50"))
        .when(ann.rolls(1, 1, 2))
        .then(stands(ann, "rut:19"), money((purse, ann, 150), (purse, ann, 150)), in_order(PieceMoved, PieceMoved))
    )


@rule("PA-34", "PA-5")
def test_night_shift_passes_a_pay_day_and_the_month_line() -> None:
    """From 41 to 3 past 45 and New Month, and a Burden card is drawn there."""
    (
        given(public_assistance(ann="rut:37", bob="promenade:50"))
        .when(ann.rolls(1, 1, 2), card("BD20"))
        .then(stands(ann, "rut:3"), money((purse, ann, 150), (purse, ann, 100)), has(ann, month=1))
    )


@rule("PA-34")
def test_a_chain_of_directed_moves_has_a_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    """No chain of this board comes near it; with a lower cap the rest is left out, with an event that says so."""
    monkeypatch.setattr(landing, "MOST_CHAINED", 0)
    game = given(public_assistance(ann="rut:0", bob="promenade:50")).when(ann.rolls(1, 1, 2))
    game.then(happened(ChainStopped, ann, moves=0), stands(ann, "rut:4"), never(MoneyMoved), turn_of(bob))


@rule("PA-34", "PA-48")
def test_a_directed_move_may_end_the_game() -> None:
    """The whole move is credited, then nothing follows: no card."""
    (
        given(public_assistance(ann=at("rut:37", cash=1000), bob="promenade:50", months=1))
        .when(ann.rolls(1, 1, 2))
        .then(stands(ann, "rut:3"), over(ann))
    )


@rule("PA-56")
@pytest.mark.parametrize("block", [14, 29, 43])
def test_go_on_welfare_pays_the_grant_and_counts_the_month(block: int) -> None:
    """To the 1st directly: no Pay Day on the way, no further movement."""
    (
        given(public_assistance(ann=at(f"rut:{block - 3}", month=1), bob="promenade:50"))
        .when(ann.rolls(1, 1, 1))
        .then(
            stands(ann, "promenade:0"),
            money((purse, ann, 500)),
            has(ann, month=2),
            turn_of(bob),
        )
    )


@rule("PA-56", "PA-48")
def test_go_on_welfare_may_end_the_game() -> None:
    """On the promenade then, so untaxed."""
    (
        given(public_assistance(ann=at("rut:11", cash=9000), bob="promenade:50", months=1))
        .when(ann.rolls(1, 1, 1))
        .then(over(ann), has(ann, cash=9500))
    )


@rule("PA-8")
def test_the_promenade_is_walked_by_the_sum_of_the_dice() -> None:
    """Clockwise; two dice by option."""
    given(public_assistance(ann="promenade:11", bob="rut:50")).when(ann.rolls(6, 6, 1)).then(
        stands(ann, "promenade:24"), happened(PieceMoved, ann, rule="PA-8", how="roll")
    )
    given(public_assistance(ann="promenade:11", bob="rut:50", dice=2)).when(ann.rolls(6, 5)).then(
        stands(ann, "promenade:22")
    )
    given(public_assistance(ann="rut:32", bob="rut:50", dice=2)).when(ann.rolls(2, 2)).then(stands(ann, "rut:36"))
