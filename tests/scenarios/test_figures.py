"""Exact figures: what the rules and the board are worth, by enumeration."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

import pytest

from events.public_assistance.board import Block, public_assistance_board
from service.rules.public_assistance import loans
from service.rules.public_assistance.bets import comes_up
from service.rules.public_assistance.ending import tax_on
from service.rules.public_assistance.turn import doubles_earn_roll
from tests.scenarios.dsl import ann, given
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule

BOARD = public_assistance_board()
DIE = range(1, 7)
THREE = list(product(DIE, repeat=3))


def near(value: Fraction, figure: str) -> bool:
    """Return whether an exact value rounds to a printed figure."""
    decimals = len(figure.partition(".")[2])
    return abs(value - Fraction(figure)) <= Fraction(1, 2 * 10**decimals)


@rule("PA-8")
def test_three_dice() -> None:
    """Sums, mean and variance of a movement roll."""
    sums = Counter(map(sum, THREE))
    assert [sums[n] for n in range(3, 19)] == [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1]
    assert Fraction(sum(map(sum, THREE)), 216) == Fraction(21, 2)
    assert Fraction(sum(sum(f) ** 2 for f in THREE), 216) - Fraction(441, 4) == Fraction(35, 4)
    assert Fraction(sum(n * n for n in sums.values()), 216**2) == Fraction(4332, 46656)  # a tie of two first rolls


@rule("PA-46")
def test_doubles_or_triples_four_times_in_nine() -> None:
    """As the engine tells them: 96 of 216 movement rolls offer the partner's roll."""
    state = given(public_assistance(ann=at("promenade:11", partner=1), bob="rut:1")).state
    offered = 0
    for state.faces in THREE:
        offered += doubles_earn_roll(state, 1)
    assert offered == 96


@rule("PA-23")
@pytest.mark.parametrize(
    ("horse", "kept", "back"),
    [(2, "-31/36", "-5/6"), (3, "-13/18", "-2/3"), (4, "-7/12", "-1/2"), (5, "-4/9", "-1/3"), (6, "-11/36", "-1/6"),
     (7, "-1/6", "0"), (8, "-11/36", "-1/6"), (12, "-31/36", "-5/6")],
)  # fmt: skip
def test_what_a_dollar_on_a_horse_is_worth(horse: int, kept: str, back: str) -> None:
    """With the stake returned the seventh horse is exactly fair; each of the 36 throws is settled by the rules."""
    for returned, worth in ((True, back), (False, kept)):
        told = public_assistance(ann=at("promenade:2"), bob="promenade:50", stake_returned=returned)
        won = sum(
            given(told).when(ann.bets(horse, 1, *faces)).state.cash["seat:1"] - 500 for faces in product(DIE, repeat=2)
        )
        assert Fraction(won, 36) == Fraction(worth)


@rule("PA-25")
def test_what_a_dollar_on_a_number_is_worth() -> None:
    """Ten times with the stake returned: by kind of number in any order, and in exact order."""
    for number, exact, worth in (
        ("123", False, "-25/36"), ("223", False, "-61/72"), ("222", False, "-205/216"), ("123", True, "-205/216"),
    ):  # fmt: skip
        hits = sum(comes_up(number, faces, exact=exact) for faces in THREE)
        assert Fraction(hits, 216) * (10 + 1) - 1 == Fraction(worth)
    hits = sum(comes_up("123", faces, exact=True) for faces in THREE)
    assert Fraction(hits, 216) * 50 - 1 == Fraction(-83, 108)  # the later printing: 50 times, stake kept
    assert len({tuple(sorted(faces)) for faces in THREE}) == 56


def side_track(name: str) -> tuple[Fraction, Fraction, Fraction]:
    """Value, chance of arrest and rolls of a track with cash enough, from its end to before its start."""
    blocks = BOARD.side_tracks[name]
    last = len(blocks)
    over = (Fraction(0), Fraction(0), Fraction(0))
    worth = dict.fromkeys(range(last, last + 7), over)
    for start in range(last - 1, -1, -1):
        ends = [_reached(blocks, start + face, worth) for face in DIE]
        value, caught, rolls = (sum(column, Fraction(0)) / 6 for column in zip(*ends, strict=True))
        worth[start] = (value, caught, rolls + 1)
    return worth[0]


def _reached(
    blocks: Sequence[Block], at_block: int, worth: dict[int, tuple[Fraction, Fraction, Fraction]]
) -> tuple[Fraction, Fraction, Fraction]:
    if at_block > len(blocks):
        return worth[len(blocks)]
    block = blocks[at_block - 1]
    if block.type == "jail":
        return (Fraction(0), Fraction(1), Fraction(0))
    value, caught, rolls = worth[at_block]
    return (value + signed(block), caught, rolls)


def signed(block: Block) -> int:
    """Return what a block moves: plus what it pays, minus what it takes."""
    return {"collect": block.amount, "pay": -block.amount}.get(block.type, 0)


@rule("PA-16", "PA-36", "PA-38")
@pytest.mark.parametrize(
    ("track", "value", "caught", "rolls"),
    [("card_room", "353.64", "0.2804", "3.043"), ("heist", "645.75", "0.4582", "2.488"),
     ("contraband", "1335.11", "0.5074", "2.553"), ("hustle", "235.97", "0.2681", "3.011"),
     ("union_job", "367.41", "0.0000", "3.324"), ("business", "-4.30", "0.0000", "3.906")],
)  # fmt: skip
def test_what_a_side_track_is_worth(track: str, value: str, caught: str, rolls: str) -> None:
    """By exact recursion over the board."""
    found = side_track(track)
    assert [near(*pair) for pair in zip(found, (value, caught, rolls), strict=True)] == [True] * 3, found


Way: TypeAlias = tuple[int | None, Fraction | int]
"""Where a throw of one die leads (None: it is over), and what it brings."""


def solve(size: int, ways: Callable[[int], list[Way]]) -> list[Fraction]:
    """Solve x[i] = mean over `ways(i)` of what they bring and x of where they lead, exactly."""
    rows = []
    for i in range(size):
        ends = [end for end, _ in ways(i)]
        row = [Fraction(i == j) - Fraction(ends.count(j), 6) for j in range(size)]
        rows.append([*row, Fraction(sum(gain for _, gain in ways(i))) / 6])
    for i in range(size):
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(size):
            if r != i and rows[r][i]:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]


@rule("PA-45", "PA-47")
def test_what_the_cake_walk_is_worth() -> None:
    """Mean of a landing, of the first roll, rolls until Conscience Stricken, and all until then."""
    walk = BOARD.cake_walk

    def ways(start: int, gain: Callable[[Block], int]) -> list[Way]:
        ends = [walk[(start + face) % 16] for face in DIE]
        return [(None if end.type == "conscience" else end.i, gain(end)) for end in ends]

    assert near(Fraction(sum(map(signed, walk)), 16), "193.75")
    assert near(Fraction(sum(signed(walk[face]) for face in DIE), 6), "108.33")
    assert near(solve(16, lambda i: ways(i, lambda _end: 1))[0], "13.96")
    assert near(solve(16, lambda i: ways(i, signed))[0], "2542.49")


@rule("PA-18", "PA-19")
def test_how_long_the_jail_is() -> None:
    """Rolls until one is out, and whether on welfare or in the rut."""
    line = BOARD.jail

    def ways(start: int, gain: Callable[[Block], int]) -> list[Way]:
        return [(stays(end), gain(end)) for end in (line[min(start + face, 10)] for face in DIE)]

    def stays(end: Block) -> int | None:
        if end.type in ("back_on_welfare", "get_a_job"):
            return None
        return 0 if end.type == "lockup_return" else end.i

    assert near(solve(11, lambda i: ways(i, lambda _end: 1))[0], "2.2576")
    assert near(solve(11, lambda i: ways(i, lambda end: end.type == "back_on_welfare"))[0], "0.8469")
    assert near(solve(11, lambda i: ways(i, lambda end: end.type == "get_a_job"))[0], "0.1531")


@rule("PA-50")
def test_the_cliffs_of_the_tax() -> None:
    """A flat rate on the whole: a dollar more may leave a thousand less."""
    net = {total: total - tax_on(total) for total in (4_999, 5_000, 9_999, 10_000, 34_999, 35_000)}
    assert net == {4_999: 4_500, 5_000: 4_000, 9_999: 8_000, 10_000: 7_000, 34_999: 21_000, 35_000: 17_500}
    assert [tax_on(total) for total in (-1, -100_000)] == [0, 0]


@rule("PA-40")
def test_n_notes_owe_fifteen_hundred_each() -> None:
    """As many as cash redeems, whole."""
    for notes in range(1, 6):
        state = given(public_assistance(ann=at("rut:20", cash=1_500 * notes, notes=9), bob="rut:1")).state
        assert loans.redeemable(state, 1) == notes
        state.cash["seat:1"] -= 1
        assert loans.redeemable(state, 1) == notes - 1


@rule("PA-33")
def test_how_often_one_roll_meets_two_pay_days() -> None:
    """From the block before one, with 14 or more: 35 of 216."""
    assert sum(sum(faces) >= 14 for faces in THREE) == 35
