"""The monthly grant, crossings and the count of months (PA-5, PA-11 to PA-13)."""

import pytest

from events.play import MoneyMoved, Part
from events.public_assistance.events import MonthCounted, PieceMoved
from tests.scenarios.checks import happened, has, in_order, money, never, paid, stands
from tests.scenarios.dsl import ann, bob, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


@rule("PA-11", "PA-5")
@pytest.mark.parametrize(("start", "faces"), [(45, (1, 2, 4)), (48, (1, 2, 4)), (51, (1, 1, 2))])
def test_reaching_or_passing_the_first_pays_the_grant_once(start: int, faces: tuple[int, ...]) -> None:
    """500 and a month, whether the piece stops on the 1st or goes past it."""
    (
        given(public_assistance(ann=f"promenade:{start}", bob="promenade:20"))
        .when(ann.rolls(*faces))
        .then(paid(purse, ann, 500, reason="monthly_grant", rule="PA-11"), has(ann, month=1))
    )


@rule("PA-11", "PA-6")
def test_leaving_the_first_pays_nothing() -> None:
    """What is left was landed on before: no second grant."""
    (
        given(public_assistance(ann="promenade:0", bob="promenade:20"))
        .when(ann.rolls(1, 1, 1))
        .then(stands(ann, "promenade:3"), never(MoneyMoved, MonthCounted))
    )


@rule("PA-13", "PA-12")
@pytest.mark.parametrize(("children", "amount"), [(0, 500), (1, 700), (2, 800), (3, 900), (16, 2200), (22, 2800)])
def test_the_grant_grows_with_the_household(children: int, amount: int) -> None:
    """500, 200 more for the first child, 100 more for each further one."""
    (
        given(public_assistance(ann=at("promenade:45", children=children), bob="promenade:20"))
        .when(ann.rolls(1, 2, 4))
        .then(money((purse, ann, amount)))
    )


@rule("PA-13", "PA-43")
def test_kept_cards_add_to_the_grant_and_every_share_is_itemised() -> None:
    """A waiver is kept as well, and pays nothing."""
    kept = ("BN16", "BN20", "BN25", "BN16")
    parts = (
        Part(what="base", amount=500), Part(what="first_child", amount=200), Part(what="more_children", amount=100),
        Part(what="card:BN16", amount=100), Part(what="card:BN20", amount=500), Part(what="card:BN16", amount=100),
    )  # fmt: skip
    (
        given(public_assistance(ann=at("promenade:45", children=2, kept=kept), bob="promenade:20"))
        .when(ann.rolls(1, 2, 4))
        .then(money((purse, ann, 1500)), happened(MoneyMoved, breakdown=parts))
    )


@rule("PA-11", "PA-12")
def test_the_options_set_the_grant() -> None:
    """1,000 with 300 for every child, as the later printing has it."""
    told = public_assistance(
        ann=at("promenade:45", children=2), bob="promenade:20", grant=1000, child_first=300, child_more=300
    )
    given(told).when(ann.rolls(1, 2, 4)).then(money((purse, ann, 1600)))


@rule("PA-13")
def test_the_first_is_credited_before_the_landing_effect() -> None:
    """Ann has 0 of the 50 due on block 5, and the grant comes first: nothing is forgiven."""
    (
        given(public_assistance(ann=at("promenade:51", cash=1), bob="promenade:20"))
        .when(ann.rolls(1, 2, 3))
        .then(
            in_order(PieceMoved, MoneyMoved, MonthCounted, MoneyMoved),
            money((purse, ann, 500), (ann, purse, 50)),
            has(ann, cash=451),
        )
    )


@rule("PA-13")
def test_three_grants_at_once_are_no_month() -> None:
    """Block 37 pays every benefit three times and leaves marker and piece alone."""
    told = public_assistance(ann=at("promenade:33", children=1, kept=("BN17",)), bob="promenade:20")
    (
        given(told)
        .when(ann.rolls(1, 1, 2))
        .then(money((purse, ann, 3 * (500 + 200 + 150))), has(ann, month=0), never(MonthCounted))
    )


@rule("PA-5")
@pytest.mark.parametrize(("start", "faces", "place"), [(45, (1, 2, 4), "rut:0"), (47, (2, 3, 4), "rut:4")])
def test_new_month_counts_a_month_and_pays_nothing(start: int, faces: tuple[int, ...], place: str) -> None:
    """The rut's month line is aligned with the 1st; there is no grant at work. Block 4 leads on to Pay Day."""
    place = "rut:19" if place == "rut:4" else place
    moves = [(purse, ann, 150)] * 2 if place == "rut:19" else []
    (
        given(public_assistance(ann=f"rut:{start}", bob="promenade:20"))
        .when(ann.rolls(*faces))
        .then(stands(ann, place), has(ann, month=1), money(*moves))
    )


@rule("PA-5")
def test_changing_tracks_counts_no_month() -> None:
    """Get a Job at block 49 leads to block 49 of the rut: the lap goes on where it was."""
    (
        given(public_assistance(ann=at("promenade:45", month=3), bob="promenade:20"))
        .when(ann.rolls(1, 1, 2))
        .then(stands(ann, "rut:49"), has(ann, month=3), never(MonthCounted, MoneyMoved))
    )


@rule("PA-5")
def test_everybody_has_a_count_of_his_own() -> None:
    """Ann's lap moves her marker alone."""
    (
        given(public_assistance(ann=at("promenade:45", month=2), bob=at("rut:20", month=4)))
        .when(ann.rolls(1, 2, 4))
        .then(has(ann, month=3), has(bob, month=4))
    )
