"""The bump (PA-52, PA-53)."""

import pytest

from events.play import MoneyMoved
from events.public_assistance.events import Bumped, ChildrenTurnedIn, EndReached, MonthCounted, PieceMoved
from service.rules.public_assistance.movement import nearest
from tests.scenarios.checks import happened, has, in_order, money, never, over, stands, turn_of
from tests.scenarios.dice import card, side
from tests.scenarios.dsl import Game, ann, bob, cid, dee, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


def bumping(**told: object) -> Game:
    """A table that has agreed on the bump."""
    return given(public_assistance(**{"bump": True, **told}))


@rule("PA-52")
def test_who_stands_where_another_lands_goes_to_the_nearest_get_a_job() -> None:
    """With its effect: into the rut, children turned in; nothing is paid on the way."""
    game = bumping(ann="promenade:4", bob=at("promenade:8", children=2), cid="rut:50")
    game.when(ann.rolls(1, 1, 2)).then(
        in_order(Bumped, ChildrenTurnedIn),
        stands(ann, "promenade:8"),
        stands(bob, "rut:9"),
        has(bob, children=0, month=0),
        money((purse, ann, 150)),
        turn_of(bob),
    )


@rule("PA-53")
def test_only_by_agreement() -> None:
    """Without the option two pieces share a block."""
    game = given(public_assistance(ann="promenade:4", bob="promenade:8")).when(ann.rolls(1, 1, 2))
    game.then(stands(ann, "promenade:8"), stands(bob, "promenade:8"), never(Bumped))


@rule("PA-52", "PA-56")
def test_in_the_rut_one_is_bumped_on_to_welfare() -> None:
    """The grant and the month come with it; the Pay Day on the way does not."""
    game = bumping(ann="rut:3", bob="rut:7").when(ann.rolls(1, 1, 2))
    game.then(stands(bob, "promenade:0"), has(bob, month=1, cash=1000), happened(PieceMoved, bob, to_block=14))


@rule("PA-52")
@pytest.mark.parametrize(
    ("track", "block", "target"),
    [
        ("promenade", 3, 9), ("promenade", 16, 23), ("rut", 36, 43), ("promenade", 2, 49), ("promenade", 15, 9),
        ("promenade", 9, 9), ("promenade", 49, 49), ("rut", 14, 14), ("rut", 51, 43), ("rut", 6, 14), ("rut", 2, 43),
        ("rut", 3, 14),
        ("rut", 4, 14),
    ],
)  # fmt: skip
def test_nearest_is_the_fewest_blocks_either_way_and_forward_on_a_tie(track: str, block: int, target: int) -> None:
    """The block that he stands on counts: distance 0."""
    assert nearest(bumping(ann="promenade:0", bob="rut:0").state, track, block) == target


@rule("PA-52")
def test_at_distance_0_the_block_takes_effect_there() -> None:
    """Bob had used a waiver on block 9; ann arrives and takes the job after him."""
    game = bumping(ann="promenade:5", bob="promenade:9").when(ann.rolls(1, 1, 2))
    game.then(stands(bob, "rut:9"), stands(ann, "rut:9"))
    assert [event.how for event in game.found(PieceMoved)] == ["roll", "job", "job"]


@rule("PA-52")
def test_all_occupants_go_in_seat_order_from_the_movers_left() -> None:
    """Bob moves: cid, dee, ann."""
    game = bumping(ann="promenade:8", bob="promenade:4", cid="promenade:8", dee="promenade:8", turn=2)
    game.when(bob.rolls(1, 1, 2))
    assert [event.seat for event in game.found(Bumped, by=2)] == [3, 4, 1]


@rule("PA-52", "PA-48")
def test_a_bump_may_end_the_game_and_leaves_the_others() -> None:
    """Bob's month comes with welfare: cid stays, and ann's landing effect lapses."""
    game = bumping(ann=at("rut:3", cash=2000), bob=at("rut:7", month=1), cid="rut:7", months=2)
    game.when(ann.rolls(1, 1, 2)).then(
        over(ann), stands(cid, "rut:7"), stands(bob, "promenade:0"), happened(EndReached, bob, month=2)
    )
    game.then(never(ChildrenTurnedIn)).then(has(ann, cash=2150 - 215))


@rule("PA-52", "PA-48")
def test_with_finish_turn_the_others_are_bumped_and_the_landing_happens() -> None:
    """The turn is played to its end, then the game ends."""
    told = {"ann": at("rut:3", cash=2000), "bob": at("rut:7", month=1), "cid": "rut:7", "months": 2}
    game = bumping(**told, finish_turn=True).when(ann.rolls(1, 1, 2))
    game.then(stands(cid, "promenade:0"), over(ann), has(ann, cash=2070 - 207))


@rule("PA-52", "PA-6")
@pytest.mark.parametrize(
    ("start", "faces", "place"), [("promenade:45", (1, 2, 4), "promenade:0"), ("rut:45", (1, 2, 4), "rut:0")]
)
def test_the_1st_and_new_month_are_safe(start: str, faces: tuple[int, ...], place: str) -> None:
    """Everybody may stand there."""
    bumping(ann=start, bob=place).when(ann.rolls(*faces)).then(never(Bumped), stands(ann, place), stands(bob, place))


@rule("PA-52")
def test_the_other_track_and_the_jail_are_other_places() -> None:
    """The same index is not the same block; prisoners share cells."""
    bumping(ann="promenade:4", bob="rut:8", cid="jail:8").when(ann.rolls(1, 1, 2)).then(never(Bumped))
    bumping(ann="jail:0", bob="jail:4").when(ann.rolls_in_jail(4)).then(never(Bumped))


@rule("PA-52")
def test_passing_bumps_nobody() -> None:
    """Only the block of arrival counts."""
    bumping(ann="promenade:4", bob="promenade:6").when(ann.rolls(1, 1, 2)).then(never(Bumped))


@rule("PA-52", "PA-30")
def test_no_chains() -> None:
    """Arrivals by job, bump or welfare bump nobody: cid works on time clock 9, dee waits on block 9."""
    game = bumping(ann="promenade:4", bob="promenade:8", cid="rut:9", dee="promenade:9").when(ann.rolls(1, 1, 2))
    game.then(stands(bob, "rut:9"), stands(cid, "rut:9"), stands(dee, "promenade:9"), in_order(Bumped))
    game = bumping(ann="promenade:5", bob="promenade:50", cid="rut:9").when(ann.rolls(1, 1, 2))
    game.then(stands(ann, "rut:9"), stands(cid, "rut:9"), never(Bumped))


@rule("PA-52", "PA-34")
def test_directed_moves_bump_at_each_arrival() -> None:
    """Bob stands on the block that sends on, cid on Pay Day 19."""
    game = bumping(ann="rut:0", bob="rut:4", cid="rut:19").when(ann.rolls(1, 1, 2))
    game.then(in_order(Bumped, Bumped), stands(bob, "promenade:0"), stands(cid, "promenade:0"), stands(ann, "rut:19"))


@rule("PA-52", "PA-42")
def test_a_card_that_moves_bumps_too() -> None:
    """To Pay Day 32, where bob is."""
    game = bumping(ann="rut:9", bob="rut:32").when(ann.rolls(1, 1, 2), card("BD21"))
    game.then(happened(Bumped, bob, by=1), stands(bob, "promenade:0"))


@rule("PA-52", "PA-26")
def test_a_named_block_bumps_too() -> None:
    """CHEAT is own movement."""
    game = bumping(ann=at("promenade:25", cheat=True), bob="promenade:30").when(ann.cheats_to(30))
    game.then(happened(Bumped, bob, by=1), stands(bob, "rut:36"))


@rule("PA-52", "PA-16")
def test_the_bump_comes_before_the_landing_effect() -> None:
    """Bob has gone when ann enters the card room."""
    game = bumping(ann="promenade:2", bob="promenade:6").when(ann.rolls(1, 1, 2), side(3, 5, 6))
    game.then(stands(bob, "rut:9"), in_order(Bumped, MoneyMoved, MoneyMoved))


@rule("PA-52", "PA-15")
def test_one_bumped_out_of_the_rut_no_longer_works() -> None:
    """Ann's Burden card pays every player in the rut: bob has just left it."""
    game = bumping(ann="rut:9", bob="rut:13").when(ann.rolls(1, 1, 2), card("BD19"))
    game.then(money((purse, bob, 500), (purse, ann, 100)))


@rule("PA-52", "PA-11")
def test_travelling_by_bump_credits_nothing() -> None:
    """From block 2 back to 49, past the 1st: neither grant nor month."""
    game = bumping(ann="promenade:50", bob="promenade:2").when(ann.rolls(1, 2, 1))
    game.then(stands(bob, "rut:49"), has(bob, month=0, cash=500))
    assert [event.seat for event in game.found(MonthCounted)] == [1]


@rule("PA-52")
def test_who_has_left_is_not_bumped() -> None:
    """His piece is off."""
    told = {"ann": "promenade:4", "bob": at("promenade:8", left=True), "cid": "promenade:50", "dee": "promenade:40"}
    bumping(**told).when(ann.rolls(1, 1, 2)).then(never(Bumped), turn_of(cid))
