"""Get a Job, what is turned in, and the waiver (PA-30, PA-31)."""

import pytest

from events.play import CardReturned, MoneyMoved
from events.public_assistance.events import ChildrenTurnedIn, MonthCounted, PieceMoved, WaiverUsed
from tests.scenarios.checks import asked, happened, has, in_order, never, returned, stands, turn_of
from tests.scenarios.dsl import Game, ann, bob, cid, given
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


def at_the_door(**things: object) -> Game:
    """Ann is four blocks before the Get a Job at 9."""
    options = {name: things.pop(name) for name in ("turn_seconds",) if name in things}
    return given(public_assistance(ann=at("promenade:5", **things), bob="promenade:50", **options))


@rule("PA-30")
@pytest.mark.parametrize("block", [9, 23, 36, 49])
def test_a_job_leads_to_the_time_clock_beside_it(block: int) -> None:
    """No pay day, no month line, no effect there, and no further movement this turn."""
    (
        given(public_assistance(ann=f"promenade:{block - 4}", bob="promenade:50"))
        .when(ann.rolls(1, 1, 2))
        .then(stands(ann, f"rut:{block}"), never(MoneyMoved, MonthCounted), turn_of(bob))
    )


@rule("PA-31")
def test_children_and_cards_are_turned_in() -> None:
    """The cards go to the bottom in the order in which they came."""
    at_the_door(children=3, kept=("BN20", "BN16", "BN19")).when(ann.rolls(1, 1, 2)).then(
        happened(ChildrenTurnedIn, ann, children=3),
        has(ann, children=0, kept=()),
        returned("benefit", "BN20", "BN16", "BN19"),
    )


@rule("PA-31")
def test_who_has_nothing_turns_in_nothing() -> None:
    """No events about nothing."""
    at_the_door().when(ann.rolls(1, 1, 2)).then(never(ChildrenTurnedIn, CardReturned))


@rule("PA-30")
def test_cash_month_notes_partner_and_skips_are_kept() -> None:
    """All else goes along."""
    things = {"month": 2, "notes": 2, "partner": 8, "cash": 77}
    at_the_door(**things).when(ann.rolls(1, 2, 1)).then(has(ann, **things)).then(stands(ann, "rut:9"))


@rule("PA-31")
def test_on_return_nothing_is_restored() -> None:
    """Back on welfare, the grant is that of a household of one."""
    (
        given(public_assistance(ann="rut:10", bob="promenade:50"))
        .when(ann.rolls(1, 1, 2))
        .then(stands(ann, "promenade:0"), has(ann, cash=1000, children=0, kept=()))
    )


@rule("PA-30")
def test_the_holder_of_a_waiver_is_asked() -> None:
    """Used: the piece stays, nothing is turned in, the card goes to the bottom."""
    game = at_the_door(children=2, kept=("BN16", "BN25")).when(ann.rolls(1, 1, 2))
    game.then(asked(ann, "waiver"), stands(ann, "promenade:9"), never(CardReturned))
    game.when(ann.uses_waiver()).then(
        happened(WaiverUsed, ann, card="BN25"),
        stands(ann, "promenade:9"),
        has(ann, children=2, kept=("BN16",)),
        returned("benefit", "BN25"),
        turn_of(bob),
    )


@rule("PA-30", "PA-31")
def test_a_waiver_that_is_not_used_is_turned_in_with_the_rest() -> None:
    """The job is taken, then."""
    game = at_the_door(children=2, kept=("BN25", "BN16")).when(ann.rolls(1, 1, 2)).when(ann.takes_job())
    game.then(stands(ann, "rut:9"), has(ann, children=0, kept=()), returned("benefit", "BN25", "BN16"))
    game.then(never(WaiverUsed), in_order(PieceMoved, ChildrenTurnedIn, CardReturned, CardReturned), turn_of(bob))


@rule("PA-30")
def test_of_two_waivers_one_is_used() -> None:
    """Each cancels one Get a Job."""
    game = at_the_door(kept=("BN25", "BN25")).when(ann.rolls(1, 1, 2)).when(ann.uses_waiver())
    game.then(has(ann, kept=("BN25",)), returned("benefit", "BN25"))


@rule("PA-30", "PA-57")
def test_the_clock_uses_the_waiver() -> None:
    """The default is use."""
    game = at_the_door(kept=("BN25",), turn_seconds=60).when(ann.rolls(1, 2, 1))
    game.expires().then(stands(ann, "promenade:9"), has(ann, kept=()), turn_of(bob))


@rule("PA-30", "PA-46")
def test_doubles_still_count_after_the_waiver() -> None:
    """Roll (a) is earned by the dice and offered after the landing effect."""
    game = at_the_door(kept=("BN25",), partner=8).when(ann.rolls(1, 1, 2)).when(ann.uses_waiver())
    game.then(asked(ann, "partner_roll", "doubles"))


@rule("PA-30")
def test_while_the_waiver_waits_nothing_else_is_open() -> None:
    """No roll, no bet; and it is asked of nobody else."""
    game = at_the_door(kept=("BN25",)).when(ann.rolls(1, 1, 2))
    game.refuses(ann.rolls(1, 1, 1), "wrong_prompt").refuses(bob.uses_waiver(), "not_your_prompt")
    game.refuses(ann.bets(7, 1), "wrong_prompt")


@rule("PA-30", "PA-52")
def test_when_bumped_the_waiver_is_used_unasked() -> None:
    """No turn waits on another seat's choice; the piece stays on the Get a Job block."""
    told = public_assistance(
        ann="promenade:1", bob=at("promenade:5", kept=("BN25",), children=1), cid="rut:5", bump=True
    )
    given(told).when(ann.rolls(1, 1, 2)).then(
        happened(WaiverUsed, bob, card="BN25"),
        stands(bob, "promenade:9"),
        has(bob, children=1, kept=()),
        turn_of(bob),
        has(cid, cash=500),
    )
