"""Out of money on the promenade (PA-28, PA-29, PA-57)."""

from events.play import TurnEnded
from events.public_assistance.events import Bumped, MonthCounted, PieceMoved, SkipAdded, TurnSkipped
from tests.scenarios.checks import asked, forgiven, happened, has, in_order, money, never, stands, turn_of
from tests.scenarios.dice import card, partner
from tests.scenarios.dsl import ann, bob, cid, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


@rule("PA-28", "PA-29")
def test_who_pays_his_last_dollar_goes_to_the_first() -> None:
    """250 from the purse, the next turn missed; no month, no grant."""
    (
        given(public_assistance(ann=at("promenade:1", cash=50, month=2), bob="promenade:50"))
        .when(ann.rolls(1, 1, 2))
        .then(
            money((ann, purse, 50), (purse, ann, 250)),
            happened(PieceMoved, ann, how="emergency", rule="PA-28"),
            stands(ann, "promenade:0"),
            has(ann, skips=1, month=2),
            never(MonthCounted),
            turn_of(bob),
        )
    )


@rule("PA-28")
def test_what_cash_does_not_cover_is_forgiven() -> None:
    """Paid as far as cash goes; cash is never negative."""
    (
        given(public_assistance(ann=at("promenade:43", cash=30), bob="promenade:50"))
        .when(ann.rolls(1, 1, 2))
        .then(money((ann, purse, 30), (purse, ann, 250)), forgiven(ann, 170))
    )


@rule("PA-28")
def test_with_a_dollar_left_nothing_happens() -> None:
    """Out of money is exactly nothing."""
    (
        given(public_assistance(ann=at("promenade:1", cash=51), bob="promenade:50"))
        .when(ann.rolls(1, 1, 2))
        .then(has(ann, cash=1, skips=0), stands(ann, "promenade:5"), never(SkipAdded))
    )


@rule("PA-28", "PA-57")
def test_the_next_regular_turn_is_missed() -> None:
    """It is begun and used up; then it is bob's turn again, and the one after that is hers."""
    game = given(public_assistance(ann=at("promenade:1", cash=50), bob="promenade:40")).when(ann.rolls(1, 1, 2))
    game.when(bob.rolls(1, 1, 2)).then(
        happened(TurnSkipped, ann, skips=0), turn_of(bob), in_order(TurnEnded, TurnEnded)
    )
    game.when(bob.rolls(1, 2, 3)).then(turn_of(ann))


@rule("PA-28")
def test_household_cards_partner_and_notes_stay() -> None:
    """Only CHEAT is lost."""
    things = {"children": 2, "kept": ("BN16",), "partner": 3, "notes": 1}
    (
        given(public_assistance(ann=at("promenade:1", cash=50, **things), bob="promenade:50"))
        .when(ann.rolls(1, 2, 1))
        .then(has(ann, children=2, kept=("BN16",), partner=3, notes=1), turn_of(bob))
    )


@rule("PA-28", "PA-46")
def test_the_roll_that_doubles_earned_is_void() -> None:
    """The rest of the turn is gone."""
    (
        given(public_assistance(ann=at("promenade:1", cash=50, partner=3), bob="promenade:50"))
        .when(ann.rolls(1, 1, 2))
        .then(turn_of(bob))
    )


@rule("PA-29", "PA-52")
def test_nobody_is_bumped_on_arrival() -> None:
    """Neither on the 1st, which is safe, nor by that trip at all."""
    told = public_assistance(ann=at("promenade:1", cash=50), bob="promenade:0", bump=True)
    given(told).when(ann.rolls(1, 1, 2)).then(never(Bumped), stands(bob, "promenade:0"))


@rule("PA-28", "PA-46")
def test_a_partners_block_may_take_the_last_dollar() -> None:
    """The test comes once more after the roll that doubles earned."""
    told = public_assistance(ann=at("promenade:0", cash=50, partner=2), bob="promenade:50")
    game = given(told).when(ann.rolls(1, 1, 1)).then(asked(ann, "partner_roll", "doubles"))
    game.when(ann.rolls_for_partner(1)).then(has(ann, cash=250, skips=1), stands(ann, "promenade:0"), turn_of(bob))


@rule("PA-28", "PA-46")
def test_a_partners_block_at_a_govt_job_voids_the_doubles() -> None:
    """At 0 after roll (b), roll (a) is not offered any more."""
    told = public_assistance(ann=at("promenade:10", cash=50, partner=2), bob="promenade:50")
    game = given(told).when(ann.rolls(1, 1, 2)).then(asked(ann, "partner_roll", "govt_job"))
    game.when(ann.rolls_for_partner(1)).then(has(ann, cash=250, skips=1), turn_of(bob))


@rule("PA-28", "PA-42")
def test_a_card_may_take_the_last_dollar() -> None:
    """Block, card, track or partner: every completed effect is judged."""
    (
        given(public_assistance(ann=at("promenade:3", cash=70), bob="promenade:50"))
        .when(ann.rolls(1, 1, 2), card("BN26"))
        .then(forgiven(ann, 30), has(ann, cash=250, skips=1))
    )


@rule("PA-28")
def test_the_emergency_grant_is_an_option() -> None:
    """Another amount by agreement."""
    told = public_assistance(ann=at("promenade:1", cash=50), bob="promenade:50", emergency=700)
    given(told).when(ann.rolls(1, 1, 2)).then(has(ann, cash=700))


@rule("PA-28", "PA-11")
def test_the_grant_that_comes_first_may_save_him() -> None:
    """Crossings are credited before the landing effect, so nobody is out of money who can pay then."""
    (
        given(public_assistance(ann=at("promenade:51", cash=1), bob="promenade:40"))
        .when(ann.rolls(1, 1, 4))
        .then(has(ann, cash=451, skips=0), stands(ann, "promenade:5"))
    )


@rule("PA-28", "PA-45")
def test_a_working_player_without_money_stays_where_he_is() -> None:
    """At 0 in the rut nothing happens by itself."""
    (
        given(public_assistance(ann=at("rut:49", cash=0), bob="promenade:50", cid="promenade:40"))
        .when(ann.rolls(1, 1, 1))
        .then(stands(ann, "rut:0"), has(ann, cash=0, skips=0, notes=0), turn_of(bob))
        .when(bob.rolls(1, 2, 4))
        .when(cid.rolls(1, 1, 2))
        .then(turn_of(ann))
    )


@rule("PA-56", "PA-28")
def test_welfare_that_pays_nothing_leaves_one_out_of_money() -> None:
    """With a grant of 0 who comes at $0 gets the emergency grant, on his own turn."""
    told = public_assistance(ann=at("rut:10", cash=0), bob="promenade:50", grant=0)
    given(told).when(ann.rolls(1, 1, 2)).then(stands(ann, "promenade:0"), has(ann, cash=250, skips=1, month=1))


@rule("PA-52", "PA-28")
def test_a_bump_on_to_welfare_that_pays_nothing_leaves_one_out_of_money() -> None:
    """Out of turn: the emergency grant, and the next regular turn is missed."""
    told = public_assistance(ann="rut:6", bob=at("rut:10", cash=0), grant=0, bump=True)
    given(told).when(ann.rolls(1, 1, 2)).then(
        stands(bob, "promenade:0"), has(bob, cash=250, month=1), happened(SkipAdded, bob), happened(TurnSkipped, bob)
    )


@rule("PA-28", "PA-45")
def test_placing_the_partner_costs_at_most_what_there_is() -> None:
    """Block 3 of the walk sends a bill of 50."""
    (
        given(public_assistance(ann=at("promenade:10", cash=20), bob="promenade:50"))
        .when(ann.rolls(1, 1, 2), partner(3))
        .then(forgiven(ann, 30), has(ann, cash=250, partner=3), turn_of(bob))
    )
