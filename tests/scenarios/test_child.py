"""Children and the levy of the working players (PA-14, PA-15)."""

from events.play import MoneyMoved
from events.public_assistance.events import ChildGained
from tests.scenarios.checks import child_gained, has, in_order, money, never, notes_written, stands, turn_of
from tests.scenarios.dice import card
from tests.scenarios.dsl import ann, bob, cid, dee, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


@rule("PA-15")
def test_every_working_player_pays_for_a_new_child() -> None:
    """Two in the rut pay 50 each; the jailed player and the custodian pay nothing."""
    (
        given(public_assistance(ann="promenade:0", bob="rut:3", cid="rut:9", dee="jail:0"))
        .when(ann.rolls(1, 1, 2))
        .then(child_gained(ann), money((bob, ann, 50), (cid, ann, 50)), has(ann, children=1, cash=600), turn_of(bob))
    )


@rule("PA-15")
def test_the_levy_goes_round_from_the_parents_left() -> None:
    """Cid's child: dee pays first, then ann, then bob."""
    (
        given(public_assistance(ann="rut:3", bob="rut:5", cid="promenade:0", dee="rut:9", turn=3))
        .when(cid.rolls(1, 1, 2))
        .then(money((dee, cid, 50), (ann, cid, 50), (bob, cid, 50)))
    )


@rule("PA-15")
def test_nobody_pays_when_nobody_works() -> None:
    """On the promenade and in jail nobody pays for another's child."""
    (
        given(public_assistance(ann="promenade:0", bob="promenade:5", cid="jail:3"))
        .when(ann.rolls(1, 1, 2))
        .then(child_gained(ann), never(MoneyMoved))
    )


@rule("PA-15", "PA-40")
def test_who_is_short_of_the_levy_borrows() -> None:
    """Bob has 30 of 50: he writes the one note that covers it, and pays in full, out of turn."""
    (
        given(public_assistance(ann="promenade:0", bob=at("rut:3", cash=30)))
        .when(ann.rolls(1, 1, 2))
        .then(notes_written(bob, 1), money((purse, bob, 1000), (bob, ann, 50)), has(bob, cash=980, notes=1))
    )


@rule("PA-15", "PA-42")
def test_a_child_by_a_card_is_paid_by_nobody() -> None:
    """The levy is due for landing on the block alone."""
    (
        given(public_assistance(ann="promenade:48", bob="rut:3"))
        .when(ann.rolls(1, 1, 3), card("BN21"))
        .then(child_gained(ann), money((purse, ann, 500)))
    )


@rule("PA-15")
def test_the_levy_may_go_to_the_custodian() -> None:
    """By option the working players pay the purse, and another amount."""
    (
        given(public_assistance(ann="promenade:0", bob="rut:3", child_levy=100, child_levy_to="custodian"))
        .when(ann.rolls(1, 1, 2))
        .then(child_gained(ann), money((bob, purse, 100)))
    )


@rule("PA-15")
def test_a_levy_of_nothing_posts_nothing() -> None:
    """An amount of 0 makes no posting; the child is there all the same."""
    (
        given(public_assistance(ann="promenade:0", bob="rut:3", child_levy=0))
        .when(ann.rolls(1, 1, 2))
        .then(child_gained(ann), never(MoneyMoved))
    )


@rule("PA-15", "PA-26")
def test_naming_a_child_block_counts_as_landing() -> None:
    """Who is sent there by CHEAT gets child and levy, too."""
    (
        given(public_assistance(ann=at("promenade:25", cheat=True), bob="rut:3"))
        .when(ann.cheats_to(29))
        .then(child_gained(ann), money((bob, ann, 50)))
    )


@rule("PA-15", "PA-52")
def test_who_is_bumped_into_the_rut_by_a_child_block_pays_for_that_child() -> None:
    """The bump comes before the landing effect."""
    (
        given(public_assistance(ann="promenade:0", bob="promenade:4", bump=True))
        .when(ann.rolls(1, 1, 2))
        .then(stands(bob, "rut:9"), money((bob, ann, 50)), in_order(ChildGained, MoneyMoved))
    )


@rule("PA-14")
def test_there_is_no_limit_to_children() -> None:
    """The seventeenth child is as welcome as the first."""
    (
        given(public_assistance(ann=at("promenade:0", children=80), bob="promenade:3"))
        .when(ann.rolls(1, 1, 2))
        .then(has(ann, children=81))
    )
