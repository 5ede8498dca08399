"""The end of the game, taxes and the winner (PA-2, PA-48 to PA-51)."""

import pytest

from events.play import CardDrawn, MoneyMoved, PromptOpened, TurnEnded
from events.public_assistance.events import Bumped, ChildGained, EndReached, LoanRepaid
from service.rules import actions as a
from tests.scenarios.checks import asked, happened, has, in_order, money, never, over, paid, scores, stands, turn_of
from tests.scenarios.dsl import Game, Step, Who, ann, bob, cid, given, purse
from tests.scenarios.table import At, at, public_assistance
from tests.support.rules import rule


def last_lap(ann_at: At, bob_at: At | str = "promenade:30", **options: object) -> Game:
    """One month is played."""
    return given(public_assistance(ann=ann_at, bob=bob_at, months=1, **options))


@rule("PA-48", "PA-2")
def test_the_first_to_complete_the_months_ends_the_game() -> None:
    """The crossing pays, the landing does not: no child on block 4, no turn for anybody."""
    last_lap(at("promenade:51")).when(ann.rolls(1, 1, 3)).then(
        stands(ann, "promenade:4"), money((purse, ann, 500)), over(ann), happened(EndReached, ann, month=1),
        never(ChildGained, TurnEnded, PromptOpened),
    )  # fmt: skip


@rule("PA-48")
def test_all_crossings_of_the_last_move_pay() -> None:
    """Pay Day 6 beyond the line too, then tax on it."""
    last_lap(at("rut:49", cash=0)).when(ann.rolls(3, 3, 4)).then(
        stands(ann, "rut:7"), money((purse, ann, 150), (ann, purse, 15)), over(bob)
    )


@rule("PA-48", "PA-52")
def test_the_last_move_bumps_nobody() -> None:
    """Bob stands where ann arrives, and stays."""
    last_lap(at("promenade:51"), "promenade:4", bump=True).when(ann.rolls(1, 1, 3)).then(
        never(Bumped), stands(bob, "promenade:4"), over(ann)
    )


@rule("PA-48")
def test_with_finish_turn_the_turn_is_played_to_its_end() -> None:
    """Landing effect and partner roll happen, nobody else moves."""
    game = last_lap(at("promenade:51", partner=1), finish_turn=True).when(ann.rolls(2, 2, 1))
    game.then(happened(ChildGained, ann), happened(EndReached, ann), asked(ann, "partner_roll", "doubles"))
    game.when(ann.rolls_for_partner(1)).then(in_order(MoneyMoved, TurnEnded), over(ann), has(ann, cash=1150))


@rule("PA-48")
def test_with_finish_turn_later_crossings_still_pay() -> None:
    """Block 4 of the rut leads on past two Pay Days after the line."""
    last_lap(at("rut:51", cash=0), finish_turn=True).when(ann.rolls(1, 1, 3)).then(
        stands(ann, "rut:19"), money((purse, ann, 150), (purse, ann, 150), (ann, purse, 30))
    )


@rule("PA-48")
def test_before_the_months_are_done_the_game_goes_on() -> None:
    """One short."""
    told = public_assistance(ann=at("promenade:45", month=1), bob="promenade:30", months=3)
    given(told).when(ann.rolls(1, 2, 4)).then(has(ann, month=2), never(EndReached), turn_of(bob))


@rule("PA-48")
def test_by_option_only_the_first_seats_marker_ends_it() -> None:
    """Bob went first: ann's month does not end the game, bob's does."""
    told = {"ann": at("promenade:45"), "bob": at("promenade:45"), "months": 1, "end_on": "first_seat", "order": (2, 1)}
    game = given(public_assistance(**told)).when(ann.rolls(1, 2, 4)).then(has(ann, month=1), turn_of(bob))
    game.when(bob.rolls(1, 2, 4)).then(happened(EndReached, bob, month=1), over(ann, bob))


@rule("PA-48")
def test_with_the_first_seat_gone_any_marker_ends_it_at_once() -> None:
    """`end_on=first_seat` becomes the common rule when that seat leaves."""
    told = public_assistance(
        ann="promenade:5", bob=at("promenade:45", month=1), cid="rut:3", months=1, end_on="first_seat", order=(1, 2, 3)
    )
    given(told).when(ann.leaves()).then(happened(EndReached, bob, month=1), over(bob))
    told = public_assistance(
        ann="promenade:5", bob="promenade:45", cid="rut:3", months=1, end_on="first_seat", order=(1, 2, 3)
    )
    game = given(told).when(ann.leaves()).then(turn_of(bob))
    game.when(bob.rolls(1, 2, 4)).then(over(bob))


@rule("PA-48")
def test_with_the_first_seat_gone_and_finish_turn_the_turn_is_finished() -> None:
    """Ann leaves in bob's turn: cid's marker ends the game after it."""
    told = public_assistance(
        ann="promenade:5", bob="promenade:43", cid=at("rut:3", month=1), months=1, end_on="first_seat",
        order=(1, 2, 3), turn=2, finish_turn=True,
    )  # fmt: skip
    game = given(told).when(ann.leaves()).then(happened(EndReached, cid), turn_of(bob))
    game.when(bob.rolls(1, 1, 5)).then(paid(purse, bob, 100), over(bob))


@rule("PA-48")
@pytest.mark.parametrize("gone", [ann, bob])
def test_a_game_whose_end_was_reached_is_completed_though_too_few_stay(gone: Who) -> None:
    """Ann's months are done and her turn goes on when one of two seats leaves: nothing was broken off."""
    game = last_lap(at("promenade:51", partner=1), finish_turn=True).when(ann.rolls(2, 2, 1))
    game.then(happened(EndReached, ann)).when(gone.leaves()).then(over(bob if gone == ann else ann))


@rule("PA-50")
@pytest.mark.parametrize(
    ("total", "tax"),
    [
        (0, 0), (9, 0), (10, 1), (4_999, 499), (5_000, 1_000), (9_999, 1_999), (10_000, 3_000), (19_999, 5_999),
        (20_000, 8_000), (34_999, 13_999), (35_000, 17_500), (1_000_001, 500_000),
    ],
)  # fmt: skip
def test_working_players_pay_a_flat_tax_on_the_whole_total(total: int, tax: int) -> None:
    """The bracket's percentage of everything, rounded down."""
    game = last_lap(at("rut:45", cash=total)).when(ann.rolls(1, 2, 4))
    game.then(scores(ann, total=total, tax=tax, score=total - tax, track="rut"), has(ann, cash=total - tax))
    game.then(money((ann, purse, tax)) if tax else never(MoneyMoved))


@rule("PA-49")
def test_nobody_on_the_promenade_or_in_jail_pays_tax() -> None:
    """Ann finishes in the rut; bob and cid keep all."""
    told = public_assistance(
        ann=at("rut:45", cash=100), bob=at("promenade:3", cash=40_000), cid=at("jail:0", cash=50_000), months=1
    )
    given(told).when(ann.rolls(1, 2, 4)).then(
        scores(bob, total=40_000, tax=0, score=40_000), scores(cid, tax=0, score=50_000), over(cid)
    )


@rule("PA-50", "PA-40")
def test_notes_are_redeemed_before_the_tax() -> None:
    """Two notes cost 3,000 of 8,000: the total is 5,000, and 20 per cent of that the tax."""
    last_lap(at("rut:45", cash=8_000, notes=2)).when(ann.rolls(1, 2, 4)).then(
        money((ann, purse, 3_000), (ann, purse, 1_000)),
        happened(LoanRepaid, ann, notes=2, amount=3_000),
        scores(ann, total=5_000, tax=1_000, score=4_000),
    )


@rule("PA-50")
def test_notes_that_cash_cannot_redeem_lower_the_score() -> None:
    """2,000 of 4,500: one note is redeemed whole and a third of the next; no tax, and a score below nothing."""
    last_lap(at("rut:45", cash=2_000, notes=3)).when(ann.rolls(1, 2, 4)).then(
        money((ann, purse, 2_000)),
        happened(LoanRepaid, ann, notes=1, amount=2_000),
        scores(ann, total=-2_500, tax=0, score=-2_500),
        has(ann, cash=0, notes=2),
        over(bob),
    )


@rule("PA-50", "PA-49")
def test_notes_lower_the_score_on_the_promenade_and_in_jail_too() -> None:
    """Debt follows to the end."""
    told = public_assistance(
        ann=at("promenade:45", cash=0, notes=1), bob=at("jail:2", cash=1_600, notes=1), cid="rut:3", months=1
    )
    given(told).when(ann.rolls(1, 2, 4)).then(
        scores(ann, total=-1_000, tax=0, score=-1_000), scores(bob, total=100, tax=0, score=100), over(cid)
    )


@rule("PA-51")
def test_equal_scores_win_together() -> None:
    """Joint winners share rank 1, and the next is third."""
    told = public_assistance(
        ann=at("promenade:45", cash=0), bob=at("promenade:3", cash=500), cid=at("promenade:5", cash=499), months=1
    )
    given(told).when(ann.rolls(1, 2, 4)).then(
        over(ann, bob), scores(ann, rank=1), scores(bob, rank=1), scores(cid, rank=3)
    )


@rule("PA-51", "PA-2")
def test_the_winner_has_the_most_after_tax() -> None:
    """10,000 in the rut are 7,000; 7,001 on the promenade win."""
    told = public_assistance(ann=at("rut:45", cash=10_000), bob=at("promenade:3", cash=7_001), months=1)
    given(told).when(ann.rolls(1, 2, 4)).then(over(bob), scores(ann, rank=2, score=7_000))


@rule("PA-50")
def test_household_and_partner_have_no_cash_value() -> None:
    """Children, cards and partner count nothing."""
    told = public_assistance(
        ann=at("promenade:45", cash=0),
        bob=at("promenade:3", cash=500, children=9, kept=("BN20",), partner=15),
        months=1,
    )
    given(told).when(ann.rolls(1, 2, 4)).then(over(ann, bob))


@rule("PA-48")
def test_after_the_end_nobody_may_do_anything() -> None:
    """Not even leave or offer bets; the stream is sealed, so that no token is issued again either."""
    game = last_lap(at("promenade:45"), player_bets=True).when(ann.rolls(1, 2, 4)).then(never(CardDrawn))
    game.refuses(ann.rolls(1, 1, 1), "game_over").refuses(bob.offers(10), "game_over")
    game.refuses(bob.leaves(), "game_over").refuses(Step(0, lambda _p: a.Renew(seat=2)), "game_over")
