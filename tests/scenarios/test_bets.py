"""Horses and the lottery at the custodian's (PA-20 to PA-25, PA-39)."""

import pytest

from events.public_assistance.events import BetSettled
from tests.scenarios.checks import happened, has, money, stands, turn_of
from tests.scenarios.dsl import Game, ann, bob, escrow, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


def on_the_promenade(cash: int = 500, **options: object) -> Game:
    """Ann is to move, on the promenade."""
    return given(public_assistance(ann=at("promenade:2", cash=cash), bob="promenade:50", **options))


@rule("PA-22", "PA-23")
def test_a_horse_that_wins_pays_five_times_and_gives_the_stake_back() -> None:
    """Net five times the stake; the stake waited in escrow."""
    on_the_promenade().when(ann.bets(7, 100, 3, 4)).then(
        money((ann, escrow, 100), (escrow, ann, 100), (purse, ann, 500)), has(ann, cash=1000), turn_of(ann)
    )


@rule("PA-23")
def test_a_horse_that_loses_costs_the_stake() -> None:
    """The taker collects it, here the custodian."""
    on_the_promenade().when(ann.bets(7, 100, 3, 5)).then(
        money((ann, escrow, 100), (escrow, purse, 100)), has(ann, cash=400), happened(BetSettled, won=False)
    )


@rule("PA-23", "PA-25")
def test_by_option_the_stake_is_gone_in_any_case() -> None:
    """Net four times on horses, nine times in the lottery."""
    game = on_the_promenade(stake_returned=False).when(ann.bets(7, 100, 3, 4))
    game.then(money((ann, escrow, 100), (escrow, purse, 100), (purse, ann, 500)), has(ann, cash=900))
    game = on_the_promenade(stake_returned=False).when(ann.announces("123", 100, 3, 2, 1))
    game.then(has(ann, cash=500 + 1000 - 100))


@rule("PA-23", "PA-25")
def test_the_multipliers_are_options() -> None:
    """Seven times and fifty times, as the later printing has them."""
    odds = {"horse_multiplier": 7, "lottery_multiplier": 50}
    on_the_promenade(**odds).when(ann.bets(7, 100, 3, 4)).then(has(ann, cash=1200))
    on_the_promenade(**odds).when(ann.announces("666", 10, 6, 6, 6)).then(has(ann, cash=1000))


@rule("PA-24", "PA-25")
@pytest.mark.parametrize(
    ("number", "faces", "any_order", "exact"),
    [
        ("123", (1, 2, 3), True, True),
        ("123", (3, 1, 2), True, False),
        ("223", (3, 2, 2), True, False),
        ("223", (2, 3, 3), False, False),
        ("666", (6, 6, 6), True, True),
        ("123", (1, 2, 4), False, False),
    ],
)
def test_a_number_comes_up_in_any_order_or_by_option_in_this(
    number: str, faces: tuple[int, ...], any_order: bool, exact: bool
) -> None:
    """The dice are thrown together and unmarked; ten times the stake, which comes back."""
    for match, won in (("any_order", any_order), ("exact_order", exact)):
        game = on_the_promenade(lottery_match=match).when(ann.announces(number, 10, *faces))
        game.then(happened(BetSettled, won=won), has(ann, cash=600 if won else 490))


@rule("PA-22", "PA-24")
def test_a_stake_is_from_a_dollar_to_the_limit_and_to_ones_cash() -> None:
    """500 by default; with less cash, that."""
    game = on_the_promenade(cash=800)
    game.refuses(ann.bets(7, 501), "out_of_bounds", "stake").refuses(ann.announces("123", 501), "out_of_bounds")
    game.when(ann.bets(7, 500, 1, 1)).then(has(ann, cash=300))
    on_the_promenade(cash=80).refuses(ann.bets(7, 81), "out_of_bounds", "stake")
    on_the_promenade(cash=80, max_stake=20).refuses(ann.bets(7, 21), "out_of_bounds", "stake")
    on_the_promenade(cash=800, max_stake=700).when(ann.bets(7, 700, 1, 1)).then(has(ann, cash=100))


@rule("PA-21")
def test_one_bet_a_turn() -> None:
    """Either the one or the other; the next turn allows one again."""
    game = on_the_promenade().when(ann.bets(7, 10, 1, 1))
    game.refuses(ann.bets(7, 10), "one_bet_a_turn").refuses(ann.announces("123", 10), "one_bet_a_turn")
    game.when(ann.rolls(1, 2, 5)).when(bob.rolls(1, 2, 4)).when(ann.bets(7, 10, 1, 1)).then(has(ann, cash=480))


@rule("PA-21")
def test_a_bet_comes_before_the_movement() -> None:
    """Once moved it is the next player's turn, and his alone."""
    on_the_promenade().when(ann.rolls(1, 1, 1)).then(turn_of(bob)).refuses(ann.bets(7, 10), "not_your_prompt")


@rule("PA-21", "PA-26")
def test_a_bet_may_precede_a_cheat_move() -> None:
    """It is a regular turn's beginning like any other."""
    game = given(public_assistance(ann=at("promenade:25", cheat=True), bob="promenade:50"))
    game.when(ann.bets(7, 10, 1, 1)).then(turn_of(ann)).when(ann.cheats_to(30)).then(stands(ann, "promenade:30"))


@rule("PA-39")
def test_working_players_have_no_time_to_bet() -> None:
    """Neither horses nor lottery in the rut."""
    game = given(public_assistance(ann="rut:2", bob="promenade:50"))
    game.refuses(ann.bets(7, 10), "no_bets_in_rut").refuses(ann.announces("123", 10), "no_bets_in_rut")


@rule("PA-25", "PA-28")
def test_a_stake_of_all_ones_cash_is_judged_after_the_bet_is_settled() -> None:
    """Winning with the last dollar, nobody is out of money."""
    on_the_promenade(cash=40).when(ann.announces("111", 40, 1, 1, 1)).then(
        has(ann, cash=440, skips=0), stands(ann, "promenade:2"), turn_of(ann)
    )


@rule("PA-28", "PA-25")
def test_the_lottery_too_may_take_the_last_dollar() -> None:
    """The turn is over with it."""
    on_the_promenade(cash=40).when(ann.announces("111", 40, 1, 1, 2)).then(
        has(ann, cash=250, skips=1), stands(ann, "promenade:0"), turn_of(bob)
    )


@rule("PA-28", "PA-21")
def test_who_loses_the_last_dollar_goes_at_once_without_moving() -> None:
    """To the 1st with the emergency grant; his turn is over and the next one is missed."""
    game = on_the_promenade(cash=40).when(ann.bets(7, 40, 1, 1))
    game.then(
        money((ann, escrow, 40), (escrow, purse, 40), (purse, ann, 250)),
        has(ann, cash=250, skips=1, month=0),
        stands(ann, "promenade:0"),
        turn_of(bob),
    )
    game.when(bob.rolls(1, 2, 4)).then(has(ann, skips=0), turn_of(bob))
