"""CHEAT (PA-26, PA-27)."""

from events.play import DiceRolled, MoneyMoved, PromptClosed
from events.public_assistance.events import CheatEnded, CheatGranted, MonthCounted, PieceMoved, SideTrackEntered
from tests.scenarios.checks import happened, has, money, never, stands, turn_of
from tests.scenarios.dice import partner, side
from tests.scenarios.dsl import Game, ann, bob, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


def cheating(**things: object) -> Game:
    """Ann stands on CHEAT and may name her block."""
    options = {name: things.pop(name) for name in ("turn_seconds", "months") if name in things}
    return given(public_assistance(ann=at("promenade:25", cheat=True, **things), bob="promenade:50", **options))


@rule("PA-26")
def test_the_block_of_choice_comes_on_the_next_turn() -> None:
    """Landing on CHEAT only gives the right; this turn is over."""
    game = given(public_assistance(ann="promenade:21", bob="promenade:50")).when(ann.rolls(1, 1, 2))
    game.then(happened(CheatGranted, ann), has(ann, cheat=True), stands(ann, "promenade:25"), turn_of(bob))
    game.when(bob.rolls(1, 2, 4)).refuses(ann.rolls(1, 2, 3), "must_name_block")
    game.when(ann.cheats_to(28)).then(stands(ann, "promenade:28"), money((purse, ann, 100)), turn_of(bob))


@rule("PA-26")
def test_every_other_block_may_be_named_and_not_ones_own() -> None:
    """Saturday Night blocks included."""
    game = cheating().refuses(ann.cheats_to(25), "out_of_bounds", "block")
    game.when(ann.cheats_to(31), side(4, 6)).then(
        happened(SideTrackEntered, ann, track="contraband"), stands(ann, "promenade:31"), has(ann, cheat=False)
    )


@rule("PA-26")
def test_without_the_right_no_block_is_named() -> None:
    """A roll it is then."""
    given(public_assistance(ann="promenade:25", bob="promenade:50")).refuses(ann.cheats_to(0), "no_cheat")


@rule("PA-27")
def test_passing_the_first_pays_all_benefits() -> None:
    """Clockwise: whatever lies before block 25 is reached past the 1st."""
    cheating(children=1).when(ann.cheats_to(24)).then(
        money((purse, ann, 700)), has(ann, month=1), happened(PieceMoved, ann, how="cheat", rule="PA-26")
    )
    cheating(children=1).when(ann.cheats_to(0)).then(money((purse, ann, 700)), has(ann, month=1))


@rule("PA-27")
def test_a_block_ahead_passes_nothing() -> None:
    """From 25 to 51 there is no 1st."""
    cheating().when(ann.cheats_to(51)).then(never(MoneyMoved, MonthCounted), has(ann, month=0))


@rule("PA-26", "PA-13")
def test_three_grants_may_be_named() -> None:
    """The landing effect is that of any landing."""
    cheating(children=1).when(ann.cheats_to(37)).then(money((purse, ann, 2100)))


@rule("PA-26", "PA-30")
def test_a_get_a_job_may_be_named() -> None:
    """Of one's free will, into the rut."""
    cheating().when(ann.cheats_to(36)).then(stands(ann, "rut:36"), has(ann, cheat=False))


@rule("PA-26", "PA-46")
def test_a_named_block_throws_no_dice_and_earns_no_partner_roll() -> None:
    """There are no doubles without dice; a Gov't Job block offers its roll all the same."""
    cheating(partner=3).when(ann.cheats_to(30)).then(never(DiceRolled), turn_of(bob))
    cheating().when(ann.cheats_to(40), partner(2)).then(has(ann, partner=2), turn_of(bob))


@rule("PA-26", "PA-57")
def test_the_right_survives_a_skipped_turn() -> None:
    """The move waits for a turn that is played."""
    told = public_assistance(ann=at("promenade:25", cheat=True, skips=1), bob="promenade:50", turn=2)
    given(told).when(bob.rolls(1, 2, 4)).then(turn_of(bob), has(ann, cheat=True)).when(bob.rolls(1, 1, 1)).then(
        turn_of(ann), has(ann, cheat=True)
    )


@rule("PA-26", "PA-52")
def test_a_bump_cancels_the_right_with_or_without_a_waiver() -> None:
    """Bob arrives on CHEAT; ann's right is gone, though the waiver keeps her out of the rut."""
    for kept, place in (((), "rut:23"), (("BN25",), "promenade:23")):
        told = public_assistance(ann=at("promenade:25", cheat=True, kept=kept), bob="promenade:21", turn=2, bump=True)
        given(told).when(bob.rolls(1, 1, 2)).then(
            happened(CheatEnded, ann, how="cancelled"), has(ann, cheat=False), has(bob, cheat=True), stands(ann, place)
        )


@rule("PA-26", "PA-28")
def test_running_out_of_money_cancels_the_right() -> None:
    """A bet of the last dollar, lost."""
    cheating(cash=10).when(ann.bets(7, 10, 1, 1)).then(
        happened(CheatEnded, ann, how="cancelled"), has(ann, cheat=False, cash=250), stands(ann, "promenade:0")
    )


@rule("PA-26", "PA-57")
def test_the_clock_names_the_first() -> None:
    """The default of a start prompt with CHEAT pending is block 0."""
    cheating(turn_seconds=60).expires().then(
        happened(PromptClosed, how="defaulted"), stands(ann, "promenade:0"), has(ann, month=1)
    )


@rule("PA-48", "PA-26")
def test_a_named_block_may_end_the_game() -> None:
    """The crossing counts, the landing does not."""
    cheating(months=1).when(ann.cheats_to(2)).then(money((purse, ann, 500)), stands(ann, "promenade:2"))
