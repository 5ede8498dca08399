"""Side tracks: Saturday Night, Union Job, Go Into Business, and being caught (PA-16, PA-17, PA-35 to PA-38)."""

import pytest

from events.play import DiceRolled
from events.public_assistance.events import (
    CheatEnded,
    ChildrenTurnedIn,
    MonthCounted,
    PieceMoved,
    SideTrackEntered,
    SideTrackLeft,
    SideTrackMoved,
)
from tests.scenarios.checks import forgiven, happened, has, money, never, notes_written, paid, stands, turn_of
from tests.scenarios.dice import card, side
from tests.scenarios.dsl import Game, ann, bob, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


def on_saturday(**things: object) -> Game:
    """Ann is four blocks before the card room."""
    return given(public_assistance(ann=at("promenade:2", **things), bob="promenade:50"))


@rule("PA-16")
def test_the_whole_track_is_run_within_the_turn() -> None:
    """One die at a time from before block 1; the blocks landed on are obeyed, those passed are not."""
    (
        on_saturday()
        .when(ann.rolls(1, 1, 2), side(3, 5, 6))
        .then(
            happened(SideTrackEntered, ann, track="card_room"),
            money((purse, ann, 300), (purse, ann, 800)),
            paid(purse, ann, 800, rule="PA-16", ref="card_room:8"),
            happened(SideTrackMoved, from_block=8, to_block=11),
            happened(SideTrackLeft, how="finished"),
            stands(ann, "promenade:6"),
        )
    )


@rule("PA-16")
def test_the_last_block_reached_exactly_is_obeyed_and_ends_it() -> None:
    """No roll follows block 10."""
    on_saturday().when(ann.rolls(1, 1, 2), side(6, 4)).then(money((purse, ann, 200)), stands(ann, "promenade:6"))


@rule("PA-16")
@pytest.mark.parametrize(("start", "track"), [(2, "card_room"), (14, "heist"), (27, "contraband"), (39, "hustle")])
def test_there_are_four_of_them(start: int, track: str) -> None:
    """Each Saturday Night block leads to its own track."""
    faces = {"card_room": (6, 6), "heist": (2, 4, 6), "contraband": (4, 6), "hustle": (5, 6)}[track]
    (
        given(public_assistance(ann=f"promenade:{start}", bob="rut:50"))
        .when(ann.rolls(1, 1, 2), side(*faces))
        .then(happened(SideTrackEntered, ann, track=track), happened(SideTrackLeft, track=track, how="finished"))
    )


@rule("PA-17", "PA-16")
def test_an_arrest_interrupts_the_track() -> None:
    """Directly to the lock-up, with nothing on the way; children, cards, partner, month and cash stay."""
    (
        on_saturday(children=2, kept=("BN16",), partner=3, month=1)
        .when(ann.rolls(1, 2, 1), side(5, 4))
        .then(
            happened(SideTrackLeft, how="caught"),
            stands(ann, "jail:0"),
            happened(PieceMoved, ann, how="lockup", rule="PA-17"),
            money((purse, ann, 500)),
            has(ann, children=2, kept=("BN16",), partner=3, month=1, cash=1000),
            never(MonthCounted, ChildrenTurnedIn),
        )
    )


@rule("PA-17", "PA-46")
def test_an_arrest_voids_the_roll_that_doubles_earned() -> None:
    """The rest of the turn is void: the next player is on."""
    on_saturday(partner=3).when(ann.rolls(1, 1, 2), side(5, 4)).then(stands(ann, "jail:0"), turn_of(bob))


@rule("PA-17", "PA-26")
def test_an_arrest_cancels_cheat() -> None:
    """Ann names the heist; what a card then gives or takes, the right was used, and none is left in jail."""
    (
        given(public_assistance(ann=at("promenade:25", cheat=True), bob="promenade:50"))
        .when(ann.cheats_to(18), side(4))
        .then(stands(ann, "jail:0"), has(ann, cheat=False), happened(CheatEnded, how="used"))
    )


@rule("PA-28", "PA-16")
def test_nothing_to_pay_with_is_judged_at_the_end_of_the_track() -> None:
    """At 0 on block 2 the track is still run through; block 8 pays, and nobody is moved."""
    (
        on_saturday(cash=60)
        .when(ann.rolls(1, 1, 2), side(2, 6, 3))
        .then(forgiven(ann, 40), money((ann, purse, 60), (purse, ann, 800)), stands(ann, "promenade:6"))
    )


@rule("PA-28", "PA-16")
def test_who_ends_a_track_with_nothing_goes_to_the_first() -> None:
    """Once, at its end: emergency grant and a missed turn, no month."""
    (
        on_saturday(cash=60)
        .when(ann.rolls(1, 1, 2), side(2, 4, 5))
        .then(
            forgiven(ann, 40),
            money((ann, purse, 60), (purse, ann, 250)),
            stands(ann, "promenade:0"),
            has(ann, skips=1, month=0),
        )
    )


@rule("PA-28", "PA-17")
def test_who_is_caught_with_nothing_gets_no_emergency_grant() -> None:
    """In jail cash stays at 0."""
    told = public_assistance(ann=at("promenade:39", cash=60), bob="promenade:50")
    (
        given(told)
        .when(ann.rolls(1, 1, 2), side(3, 5))
        .then(money((ann, purse, 60)), forgiven(ann, 40), stands(ann, "jail:0"), has(ann, cash=0, skips=0))
    )


@rule("PA-16", "PA-42")
def test_a_card_may_lead_into_a_track() -> None:
    """Afterwards the piece stands where the card was drawn."""
    (
        given(public_assistance(ann="promenade:3", bob="promenade:50"))
        .when(ann.rolls(1, 1, 2), card("BN23"), side(3, 5, 6))
        .then(happened(SideTrackEntered, ann, track="card_room"), stands(ann, "promenade:7"))
    )


@rule("PA-35", "PA-36")
def test_a_union_job_is_run_through_at_once() -> None:
    """From its block in the rut; overshooting ends it, and the piece stays."""
    (
        given(public_assistance(ann="rut:7", bob="promenade:50"))
        .when(ann.rolls(1, 1, 2), side(1, 5, 5))
        .then(
            happened(SideTrackEntered, ann, track="union_job"),
            money((purse, ann, 200), (purse, ann, 400)),
            stands(ann, "rut:11"),
            turn_of(bob),
        )
    )


@rule("PA-37", "PA-38", "PA-40")
def test_going_into_business_may_cost_a_note() -> None:
    """The same movement; what cash does not cover writes notes, one each time it is short."""
    (
        given(public_assistance(ann=at("rut:17", cash=100), bob="promenade:50"))
        .when(ann.rolls(1, 1, 2), side(1, 1, 6, 4))
        .then(
            notes_written(ann, 1),
            money((purse, ann, 150), (ann, purse, 100), (ann, purse, 150), (purse, ann, 1000), (ann, purse, 300),
                  (ann, purse, 150)),
            has(ann, cash=550, notes=1),
        )
    )  # fmt: skip


@rule("PA-35", "PA-37")
@pytest.mark.parametrize(("drawn", "track"), [("BD16", "union_job"), ("BD17", "business")])
def test_a_surprise_card_leads_into_a_track_from_where_one_stands(drawn: str, track: str) -> None:
    """The piece stays on the Burden block."""
    (
        given(public_assistance(ann="rut:4", bob="promenade:50"))
        .when(ann.rolls(1, 1, 2), card(drawn), side(6, 6))
        .then(happened(SideTrackEntered, ann, track=track), stands(ann, "rut:8"))
    )


@rule("PA-36")
def test_a_directed_move_may_lead_to_a_union_job() -> None:
    """Block 34 sends on to block 38, where the track is run; the piece stays there."""
    (
        given(public_assistance(ann="rut:30", bob="promenade:50"))
        .when(ann.rolls(1, 1, 2), side(6, 6))
        .then(stands(ann, "rut:38"), money((purse, ann, 150), (purse, ann, 400)), never(MonthCounted))
    )


@rule("PA-38", "PA-16")
def test_one_die_at_a_time() -> None:
    """The track's throws are of one die each, and the movement's of three."""
    game = given(public_assistance(ann="rut:17", bob="promenade:50")).when(ann.rolls(1, 1, 2), side(6, 6))
    thrown = [len(event.faces) for event in game.events if isinstance(event, DiceRolled)]
    assert thrown == [3, 1, 1]
