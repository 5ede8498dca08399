"""The Jail Jaunt (PA-17 to PA-20, PA-30)."""

import pytest

from events.play import DiceRolled, MoneyMoved
from events.public_assistance.events import ChildrenTurnedIn, MonthCounted, PieceMoved
from tests.scenarios.checks import asked, forgiven, happened, has, money, never, over, paid, returned, stands, turn_of
from tests.scenarios.dsl import Game, ann, bob, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


def in_jail(block: int, **things: object) -> Game:
    """Ann is in jail and to move."""
    return given(public_assistance(ann=at(f"jail:{block}", **things), bob="promenade:50"))


@rule("PA-18")
def test_a_prisoner_rolls_one_die_a_turn() -> None:
    """From the lock-up by its face; yard time does nothing, and the turn is over."""
    in_jail(0).when(ann.rolls_in_jail(4)).then(stands(ann, "jail:4"), never(MoneyMoved), turn_of(bob))


@rule("PA-18")
@pytest.mark.parametrize(("block", "face", "amount"), [(0, 2, 50), (0, 5, 200), (4, 1, 200)])
def test_some_blocks_of_the_jail_cost(block: int, face: int, amount: int) -> None:
    """Commissary and lawyer are paid to the purse."""
    in_jail(block).when(ann.rolls_in_jail(face)).then(money((ann, purse, amount)))


@rule("PA-18", "PA-28")
def test_cash_floors_at_nothing_in_jail() -> None:
    """The rest is forgiven; no grant, no missed turn, no notes."""
    in_jail(0, cash=30).when(ann.rolls_in_jail(5)).then(
        money((ann, purse, 30)), forgiven(ann, 170), has(ann, cash=0, skips=0, notes=0), stands(ann, "jail:5")
    )


@rule("PA-18")
def test_laundry_pays() -> None:
    """Block 7 pays 20."""
    in_jail(4).when(ann.rolls_in_jail(3)).then(money((purse, ann, 20)), stands(ann, "jail:7"))


@rule("PA-18")
@pytest.mark.parametrize(("block", "face"), [(0, 1), (4, 5)])
def test_back_to_the_lock_up(block: int, face: int) -> None:
    """Blocks 1 and 9 send back to index 0; the next turn rolls again."""
    in_jail(block).when(ann.rolls_in_jail(face)).then(
        stands(ann, "jail:0"), happened(PieceMoved, ann, how="lockup"), turn_of(bob)
    )


@rule("PA-19")
@pytest.mark.parametrize(("block", "face"), [(0, 3), (0, 6), (4, 6), (7, 3), (7, 4), (7, 6)])
def test_back_on_welfare_collects_everything(block: int, face: int) -> None:
    """Directly to the 1st with the full grant and a month; past the last block counts as the last."""
    in_jail(block, children=2, kept=("BN20",)).when(ann.rolls_in_jail(face)).then(
        stands(ann, "promenade:0"), money((purse, ann, 800 + 500)), has(ann, month=1, children=2), turn_of(bob)
    )


@rule("PA-19", "PA-48")
def test_back_on_welfare_may_end_the_game() -> None:
    """The month that it brings counts like every other."""
    told = public_assistance(ann=at("jail:0", month=2), bob="promenade:50", months=3)
    given(told).when(ann.rolls_in_jail(3)).then(paid(purse, ann, 500), over(ann))


@rule("PA-19")
def test_leaving_the_first_after_jail_pays_nothing_more() -> None:
    """The grant came with the arrival."""
    (
        in_jail(0)
        .when(ann.rolls_in_jail(3))
        .when(bob.rolls(1, 2, 4))
        .when(ann.rolls(1, 1, 1))
        .then(never(MoneyMoved, MonthCounted))
    )


@rule("PA-18", "PA-30")
def test_work_release_leads_into_the_rut() -> None:
    """Block 8 is a Get a Job: to time clock 9, children turned in."""
    in_jail(4, children=3).when(ann.rolls_in_jail(4)).then(
        stands(ann, "rut:9"), happened(ChildrenTurnedIn, ann, children=3), never(MonthCounted)
    )


@rule("PA-30", "PA-18")
def test_a_waiver_may_cancel_the_work_release() -> None:
    """The holder is asked; used, he stays on jail block 8 and rolls on from there."""
    game = in_jail(4, kept=("BN16", "BN25"), children=1).when(ann.rolls_in_jail(4))
    game.then(asked(ann, "waiver"), stands(ann, "jail:8")).when(ann.uses_waiver())
    game.then(stands(ann, "jail:8"), has(ann, kept=("BN16",), children=1), returned("benefit", "BN25"), turn_of(bob))
    game.when(bob.rolls(1, 2, 4)).when(ann.rolls_in_jail(2)).then(stands(ann, "promenade:0"))


@rule("PA-20")
def test_no_bets_from_jail() -> None:
    """Neither horses nor lottery, nor as a bookmaker."""
    game = given(public_assistance(ann="jail:0", bob="promenade:50", player_bets=True))
    game.refuses(ann.bets(7, 10, 3, 4), "no_bets_in_jail").refuses(ann.announces("123", 10), "no_bets_in_jail")
    game.refuses(ann.offers(100), "no_bets_in_jail")


@rule("PA-18", "PA-46")
def test_the_jail_die_never_moves_the_partner() -> None:
    """A single die shows no doubles."""
    in_jail(0, partner=3).when(ann.rolls_in_jail(4)).then(turn_of(bob), has(ann, partner=3))
    assert [e.purpose for e in in_jail(0).when(ann.rolls_in_jail(4)).events if isinstance(e, DiceRolled)] == ["jail"]


@rule("PA-18", "PA-40")
def test_no_new_loans_in_jail() -> None:
    """Old notes may be redeemed there, to the last dollar."""
    game = in_jail(0, cash=1500, notes=1)
    game.refuses(ann.borrows(1000), "only_in_rut").when(ann.repays(1)).then(has(ann, cash=0, notes=0), turn_of(ann))
