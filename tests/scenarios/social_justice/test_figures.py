"""Exact figures of The Social Justice Game: dice by recursion, all else by the engine.

Where the engine is asked, every face of a die is played out by the rules themselves. "Dice alone" means as in the
catalogue: no square or card diverts the token.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from events.social_justice.board import LAP, RoleName, social_justice_board
from events.social_justice.events import AidAnswered, CitizenOut, Enlisted, Jailed
from service.rules.social_justice import college, votes
from service.rules.social_justice.catalogue import PARAMETERS
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Sitter, hall
from tests.scenarios.test_figures import near

BOARD = social_justice_board()
NO_CARDS = {"change.enabled": False}
ROLE_FIGURES: Sequence[tuple[RoleName, str, str, str]] = [
    ("unemployed", "2.5", "16.40", "12.50"),
    ("employee", "3.5", "11.90", "43.75"),
    ("manager", "4.5", "9.41", "112.50"),
    ("owner", "5.5", "7.82", "412.50"),
]
"""Role, mean of its die, turns for the first lap, salary per turn in the long run."""


def number_of(name: str) -> int:
    default = PARAMETERS[name].default
    assert isinstance(default, int)
    return default


def die_of(role: RoleName) -> range:
    return range(1, number_of(f"move.die.{role}") + 1)


def mean(values: Sequence[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def turns_to_go(squares: int, steps: Sequence[int]) -> Fraction:
    """Mean number of throws until at least so many squares are behind one; a step of 0 is a throw too."""
    expected = [Fraction(0)] * (squares + max(steps))
    moving = [step for step in steps if step]
    for left in range(1, squares + 1):
        further = sum((expected[max(left - step, 0)] for step in moving), Fraction(0))
        expected[left] = (len(steps) + further) / len(moving)
    return expected[squares]


def hits(target: int, steps: Sequence[int]) -> Fraction:
    """Chance that a token that starts 0 squares away lands exactly so many squares on."""
    chance = [Fraction(1)]
    for square in range(1, target + 1):
        before = [chance[square - step] for step in steps if step <= square]
        chance.append(sum(before, Fraction(0)) / len(steps))
    return chance[target]


@pytest.mark.rule("SJG-39", "SJG-40", "SJG-41", "SJG-42")
@pytest.mark.parametrize(("role", "roll", "lap", "salary"), ROLE_FIGURES)
def test_what_a_role_moves_and_earns(role: RoleName, roll: str, lap: str, salary: str) -> None:
    """Mean of the die, turns for the first lap, and the salary of a turn in the long run: one lap is forty squares."""
    faces = die_of(role)
    assert mean(faces) == Fraction(roll)
    assert near(turns_to_go(LAP, faces), lap)
    assert number_of(f"payday.salary.{role}") * mean(faces) / LAP == Fraction(salary)


@pytest.mark.rule("SJG-42")
def test_the_owner_earns_thirty_three_times_as_much_as_the_unemployed() -> None:
    """Fifteen times at each Payday, and Payday comes more often."""
    paid = {role: number_of(f"payday.salary.{role}") for role in ("owner", "unemployed")}
    assert Fraction(paid["owner"], paid["unemployed"]) == 15
    assert 15 * mean(die_of("owner")) / mean(die_of("unemployed")) == 33


@pytest.mark.rule("SJG-18")
@pytest.mark.parametrize("seat", [UNEMPLOYED, EMPLOYEE, MANAGER, OWNER])
def test_the_engine_moves_as_the_die_shows(seat: Sitter) -> None:
    """Every face of each role's die, where no stop is on the way and no card moves anybody."""
    faces = die_of(seat.role)
    tables = [hall(OWNER, seat.at(14), active=2, options=NO_CARDS).rolls(face) for face in faces]
    ends = [table.state.citizens[2].square for table in tables]
    assert [end - 14 for end in ends] == [*faces]


@pytest.mark.rule("SJG-56")
@pytest.mark.parametrize(("seat", "mean_move", "none"), [(EMPLOYEE, "5/2", "1/6"), (MANAGER, "7/2", "1/8")])
def test_who_serves_moves_one_square_less(seat: Sitter, mean_move: str, none: str) -> None:
    """Each face by the engine: the mean, and how often nothing moves."""
    serving = seat.at(14, serving=True)
    tables = [hall(OWNER, serving, active=2, options=NO_CARDS) for _ in die_of(seat.role)]
    for face, game in enumerate(tables, 1):
        game.act(2, "roll", ("combat", 2), ("movement", face))
    moves = [game.state.citizens[2].square - 14 for game in tables]
    assert mean(moves) == Fraction(mean_move)
    assert Fraction(moves.count(0), len(moves)) == Fraction(none)


@pytest.mark.rule("SJG-78")
def test_how_often_the_owner_comes_to_the_white_house_on_the_first_lap() -> None:
    """0.1829 by the die alone."""
    (house,) = BOARD.kind("white_house")
    assert near(hits(house.i, die_of("owner")), "0.1829")


@pytest.mark.rule("SJG-61")
def test_how_long_a_sentence_is() -> None:
    """Every face by the engine: mean 2.5 turns, variance 1.25."""
    turns = []
    for face in range(1, number_of("jail.die") + 1):
        game = hall(OWNER, EMPLOYEE.at(34), active=2).rolls(1, ("jail", face))
        turns += [event.turns for event in game.found(Jailed)]
    assert mean(turns) == Fraction(5, 2)
    assert mean([n * n for n in turns]) - mean(turns) ** 2 == Fraction(5, 4)


@pytest.mark.rule("SJG-49", "SJG-50", "SJG-51", "SJG-54")
@pytest.mark.parametrize(
    ("seat", "veteran", "tuition"),
    [
        (UNEMPLOYED, False, "1166.67"),
        (UNEMPLOYED, True, "583.33"),
        (EMPLOYEE, False, "583.33"),
        (EMPLOYEE, True, "291.67"),
    ],
)
def test_what_a_degree_costs_after_aid(seat: Sitter, veteran: bool, tuition: str) -> None:
    """Every face of the aid roll by the engine: a third gets nothing, half get half, a sixth all."""
    charges, left = [], []
    for face in range(1, 7):
        game = hall(OWNER, seat.at(8, veteran=veteran), active=2).rolls(2).act(2, "apply_for_aid", ("aid", face))
        charges += [event.charge for event in game.found(AidAnswered)]
        left.append(college.tuition_of(game.state, 2))
    assert [charges.count(charge) for charge in (100, 50, 0)] == [2, 3, 1]
    assert near(mean(left), tuition)


@pytest.mark.rule("SJG-57")
def test_how_often_a_turn_in_harms_way_kills() -> None:
    """All 36 pairs of combat dice by the engine: one kills, and six throws in 36 ask for the second die."""
    killed = second = 0
    for first, then in product(range(1, 7), repeat=2):
        game = hall(OWNER, UNEMPLOYED, EMPLOYEE.at(31, serving=True), active=3)
        dead = (first, then) == (1, 1)
        throws = [("combat", first), *([("combat", then)] if first == 1 else [])]
        game.act(3, "roll", *throws, *([] if dead else [("movement", 1)]))
        killed += bool(game.found(CitizenOut, why="killed"))
        second += [purpose for purpose, _ in game.asked].count("combat") == 2
    assert Fraction(killed, 36) == Fraction(1, 36)
    assert Fraction(second, 36) == Fraction(1, 6)


def dies(squares: int, steps: Sequence[int], risk: Fraction) -> Fraction:
    """Chance to be killed before so many squares are behind one; the risk comes before each throw."""
    survives = [Fraction(1)] * (squares + max(steps))
    moving = [step for step in steps if step]
    for left in range(1, squares + 1):
        further = sum((survives[max(left - step, 0)] for step in moving), Fraction(0))
        survives[left] = (1 - risk) * further / (len(steps) - (1 - risk) * (len(steps) - len(moving)))
    return 1 - survives[squares]


@pytest.mark.rule("SJG-52", "SJG-53", "SJG-57", "SJG-58")
@pytest.mark.parametrize(("seat", "turns", "death"), [(UNEMPLOYED, "4.29", "0.1191"), (EMPLOYEE, "3.30", "0.0915")])
def test_what_a_tour_of_duty_is(seat: Sitter, turns: str, death: str) -> None:
    """From the Military to Payday on the die of the role that enlisting gave, less one: turns until then or death."""
    (military,) = BOARD.kind("military")
    game = hall(OWNER, seat.at(military.i - 2), active=2).rolls(2).act(2, "enlist")
    assert game.found(Enlisted)
    steps = [face - 1 for face in die_of(game.state.citizens[2].held())]
    risk = Fraction(1, 36)
    killed = dies(LAP - military.i, steps, risk)
    assert near(killed, death)
    assert near(killed / risk, turns)  # each turn begun has the same risk, so their mean number is what it adds up to
    assert killed / risk < turns_to_go(LAP - military.i, steps)


@pytest.mark.rule("SJG-33")
def test_how_many_votes_it_takes() -> None:
    """For two to eight voters, by each threshold."""
    voters = range(2, 9)
    assert [votes.needed("majority", n) for n in voters] == [2, 2, 3, 3, 4, 4, 5]
    assert [votes.needed("two_thirds", n) for n in voters] == [2, 2, 3, 4, 4, 5, 6]
    assert [votes.needed("unanimous", n) for n in voters] == [*voters]


@pytest.mark.rule("SJG-47", "SJG-67", "SJG-70", "SJG-73")
def test_what_is_left_of_a_salary_when_others_hold_all_utilities() -> None:
    """Three times fifty; an Unemployed keeps fifty."""
    game = hall(OWNER, UNEMPLOYED.at(38, cash=500), active=2, titles={25: (1, 0)}).rolls(3)
    assert game.cash(2) - 500 == 200 - 150
    assert [amount for payer, payee, amount in game.paid() if (payer, payee) == ("seat:2", "seat:1")] == [50, 50, 50]
