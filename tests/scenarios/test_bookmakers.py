"""Players who take bets (PA-54, PA-20, PA-39)."""

import pytest

from events.public_assistance.events import SkipAdded
from projections.state.public_assistance import BetsOffer
from tests.scenarios.checks import happened, has, in_order, money, never, stands, turn_of
from tests.scenarios.dsl import Game, ann, bob, cid, escrow, given
from tests.scenarios.table import At, at, public_assistance
from tests.support.rules import rule

BOTH = BetsOffer(horses=True, lottery=True, max_stake=100)


def table(bob_at: At, **options: object) -> Game:
    """Ann is to move; bob may take bets."""
    return given(public_assistance(ann="promenade:2", bob=bob_at, cid="jail:4", player_bets=True, **options))


@rule("PA-54")
def test_a_bookmaker_pays_and_collects_like_the_custodian() -> None:
    """Five times from his own cash, or the stake into it."""
    table(at("promenade:50", cash=501, offer=BOTH)).when(ann.bets(7, 100, 3, 4, taker=2)).then(
        money((ann, escrow, 100), (escrow, ann, 100), (bob, ann, 500))
    )
    table(at("promenade:50", offer=BOTH)).when(ann.bets(7, 100, 3, 5, taker=2)).then(
        money((ann, escrow, 100), (escrow, bob, 100))
    )
    table(at("promenade:50", cash=1001, offer=BOTH)).when(ann.announces("123", 100, 3, 2, 1, taker=2)).then(
        money((ann, escrow, 100), (escrow, ann, 100), (bob, ann, 1000)), has(bob, cash=1)
    )


@rule("PA-54")
def test_only_what_the_cash_covers_is_taken() -> None:
    """Multiplier times stake must be there; the offer is skipped then, not withdrawn."""
    game = table(at("promenade:50", cash=499, offer=BOTH))
    game.refuses(ann.bets(7, 100, 3, 4, taker=2), "bet_not_covered", "taker")
    game.then(has(bob, offer=BOTH)).when(ann.bets(7, 99, 3, 5, taker=2)).then(has(bob, cash=598))
    table(at("promenade:50", cash=4, offer=BOTH)).refuses(ann.bets(7, 1, taker=2), "out_of_bounds", "taker")


@rule("PA-54")
def test_an_offer_has_a_limit_and_a_kind() -> None:
    """Stakes above it, and the other game, are not taken."""
    table(at("promenade:50", offer=BOTH, cash=5000)).refuses(ann.bets(7, 101, taker=2), "bet_not_covered")
    horses = BetsOffer(horses=True, lottery=False, max_stake=100)
    table(at("promenade:50", offer=horses)).refuses(ann.announces("123", 1, taker=2), "out_of_bounds", "taker")


@rule("PA-54", "PA-28")
def test_a_bookmaker_left_with_nothing_goes_before_the_bettor_moves() -> None:
    """Out of turn he misses only his next regular turn."""
    game = table(at("promenade:50", offer=BOTH)).when(ann.bets(7, 100, 3, 4, taker=2))
    game.then(has(bob, cash=250, skips=1, month=0), stands(bob, "promenade:0"), turn_of(ann))
    game.when(ann.rolls(1, 1, 1)).then(has(bob, skips=0), turn_of(cid))


@rule("PA-54", "PA-28")
def test_a_bookmaker_in_the_rut_with_nothing_stays() -> None:
    """Out of money is a matter of the promenade; a covered bet writes no notes either."""
    game = table(at("rut:3", cash=500, offer=BOTH)).when(ann.bets(7, 100, 3, 4, taker=2))
    game.then(has(bob, cash=0, skips=0, notes=0), stands(bob, "rut:3"), never(SkipAdded))


@rule("PA-54", "PA-39")
def test_a_working_player_may_take_bets_and_may_not_play() -> None:
    """The ban is on playing."""
    table(at("rut:3")).when(bob.offers(50)).when(ann.bets(7, 50, 1, 1, taker=2)).then(has(bob, cash=550))


@rule("PA-54", "PA-20")
def test_a_jailed_bookmaker_is_passed_over() -> None:
    """His offer stands, and is good again when he is out."""
    game = table(at("jail:3", offer=BOTH)).refuses(ann.bets(7, 10, taker=2), "out_of_bounds", "taker")
    game.then(has(bob, offer=BOTH)).when(bob.withdraws()).then(has(bob, offer=None))


@rule("PA-54")
def test_offers_come_and_go_at_any_time() -> None:
    """In another's turn, in the rut; a new one replaces the old one."""
    game = (
        table(at("promenade:50"))
        .when(bob.offers(50))
        .then(has(bob, offer=BetsOffer(horses=True, lottery=True, max_stake=50)))
    )
    game.when(bob.offers(70, lottery=False)).then(has(bob, offer=BetsOffer(horses=True, lottery=False, max_stake=70)))
    game.when(bob.withdraws()).then(has(bob, offer=None), turn_of(ann)).refuses(bob.withdraws(), "no_offer")
    game.refuses(bob.offers(10, horses=False, lottery=False), "empty_offer")


@rule("PA-54")
def test_nobody_bets_with_himself() -> None:
    """The bettor's own offer is none to him."""
    game = table(at("promenade:50")).when(ann.offers(50))
    game.refuses(ann.bets(7, 10, taker=1), "out_of_bounds", "taker")


@rule("PA-54")
def test_only_by_agreement() -> None:
    """Without the option nobody takes bets but the custodian."""
    game = given(public_assistance(ann="promenade:2", bob=at("promenade:50", offer=BOTH)))
    game.refuses(bob.offers(10), "option_off").refuses(ann.bets(7, 10, taker=2), "out_of_bounds", "taker")


@rule("PA-54")
@pytest.mark.parametrize("taker", [2, 3])
def test_of_two_willing_takers_the_bettor_picks(taker: int) -> None:
    """One bet has one taker."""
    told = public_assistance(
        ann="promenade:2", bob=at("rut:3", offer=BOTH), cid=at("rut:5", offer=BOTH), player_bets=True
    )
    game = given(told).when(ann.bets(7, 10, 1, 1, taker=taker))
    game.then(has(bob, cash=510 if taker == 2 else 500), has(cid, cash=510 if taker == 3 else 500))


@rule("PA-54", "PA-23")
def test_a_bookmaker_keeps_the_stake_of_a_winner_by_option() -> None:
    """With `stake_returned` off the prize alone is paid."""
    game = table(at("rut:3", offer=BOTH), stake_returned=False).when(ann.bets(7, 100, 3, 4, taker=2))
    game.then(money((ann, escrow, 100), (escrow, bob, 100), (bob, ann, 500)), has(bob, cash=100))


@rule("PA-54", "PA-28")
def test_two_missed_turns_add_up() -> None:
    """A bookmaker who had one pending misses two."""
    game = table(at("promenade:0", skips=1, offer=BOTH)).when(ann.bets(7, 100, 3, 4, taker=2))
    game.then(has(bob, skips=2), happened(SkipAdded, bob, skips=2), in_order(SkipAdded))
