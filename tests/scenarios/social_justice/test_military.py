"""The military: enlisting, harm's way, benefits (SJG-7, SJG-43, SJG-44, SJG-52 to SJG-58)."""

import pytest

from events.play import DiceRolled
from events.social_justice.events import CitizenOut, Enlisted, RoleChanged, TokenMoved
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, hall


def serves(square: int = 1, **things: object) -> Hall:
    """Seat 2, an Employee, serves in harm's way."""
    return hall(OWNER, EMPLOYEE.at(square, serving=True, **things), MANAGER, active=2)


@pytest.mark.rule("SJG-52")
def test_passing_by_one_may_stop_and_join() -> None:
    """Free of charge; or decline and stay where one is."""
    game = hall(OWNER, UNEMPLOYED.at(29), active=2).rolls(3).act(2, "stop")
    assert game.asks(2) == ["enlist"]
    game.act(2, "decline")
    assert (game.state.citizens[2].square, game.state.citizens[2].serving) == (30, False)
    passing = hall(OWNER, UNEMPLOYED.at(29), active=2).rolls(4).act(2, "decline")
    assert [event.to_square for event in passing.found(TokenMoved)] == [33]


@pytest.mark.rule("SJG-52")
@pytest.mark.parametrize("sitter", [MANAGER, OWNER, EMPLOYEE.at(29, serving=True)])
def test_managers_owners_and_who_serves_already_do_not_join(sitter: object) -> None:
    """Nothing is asked on the square."""
    game = hall(OWNER, sitter.at(29), active=2)  # type: ignore[attr-defined] # one of the sitters
    draws = [("combat", 2)] if game.state.citizens[2].serving else []
    game.act(2, "roll", *draws, ("movement", 1 + len(draws)))
    assert game.asks(2) == ["turn_end"]


@pytest.mark.rule("SJG-53", "SJG-43", "SJG-7")
@pytest.mark.parametrize(("sitter", "role"), [(UNEMPLOYED, "employee"), (EMPLOYEE, "manager")])
def test_joining_promotes_at_once(sitter: object, role: str) -> None:
    """And for good: no card takes a veteran below it."""
    game = hall(OWNER, sitter.at(29), active=2).rolls(1).act(2, "enlist")  # type: ignore[attr-defined] # one of the sitters
    assert game.found(Enlisted)
    assert [(e.role, e.floor) for e in game.found(RoleChanged)] == [(role, role)]
    citizen = game.state.citizens[2]
    assert (citizen.serving, citizen.harms_way, citizen.veteran) == (True, True, True)


@pytest.mark.rule("SJG-53")
def test_a_card_below_the_floor_does_nothing() -> None:
    """CH06 and CH08 leave a veteran's role alone; another player loses it."""
    game = hall(OWNER, EMPLOYEE.at(1, veteran=True), active=2)
    game.state.citizens[2].role_floor = "employee"
    game.rolls(1, ("card", "CH06"))
    assert game.state.citizens[2].role == "employee"
    plain = hall(OWNER, EMPLOYEE.at(1), active=2).rolls(1, ("card", "CH06"))
    assert plain.state.citizens[2].role == "unemployed"


@pytest.mark.rule("SJG-57", "SJG-44")
def test_the_combat_die_falls_before_the_move() -> None:
    """Anything but a 1 is survived; after one 1 it falls again."""
    game = serves().act(2, "roll", ("combat", 2), ("movement", 3))
    assert [event.purpose for event in game.found(DiceRolled)] == ["combat", "movement"]
    twice = serves().act(2, "roll", ("combat", 1), ("combat", 6), ("movement", 3))
    assert [event.coordinate for event in twice.found(DiceRolled)] == ["combat/2/1/1", "combat/2/1/2", "movement/2/1"]


@pytest.mark.rule("SJG-57", "SJG-4b")
def test_a_second_one_kills() -> None:
    """Her estate is settled, she is no bankrupt, and the game goes on with the next seat."""
    game = serves(cash=700).act(2, "roll", ("combat", 1), ("combat", 1))
    assert [(e.why, e.rule) for e in game.found(CitizenOut)] == [("killed", "SJG-57")]
    assert game.paid() == [("seat:2", "bank", 700)]
    assert game.found(TokenMoved) == []
    assert (game.state.active, game.state.status) == (3, "playing")


@pytest.mark.rule("SJG-56")
@pytest.mark.parametrize(("face", "square"), [(1, 1), (2, 2), (6, 6)])
def test_who_serves_moves_one_less(face: int, square: int) -> None:
    """Never less than none; at none there is no landing."""
    game = serves().act(2, "roll", ("combat", 2), ("movement", face), *([("card", "CH13")] if square == 2 else []))
    assert game.state.citizens[2].square == square
    if square == 1:
        assert (game.found(TokenMoved), game.asks(2)) == ([], ["turn_end"])


@pytest.mark.rule("SJG-57")
def test_no_combat_out_of_harms_way_or_without_serving() -> None:
    """Taken out of it by a President, or a veteran: no die, and the -1 stays while serving."""
    game = serves()
    game.state.citizens[2].harms_way = False
    game.act(2, "roll", ("movement", 4))
    assert game.state.citizens[2].square == 4
    veteran = hall(OWNER, EMPLOYEE.at(1, veteran=True), active=2).rolls(3)
    assert veteran.state.citizens[2].square == 4


@pytest.mark.rule("SJG-57", "SJG-53")
def test_the_first_combat_die_falls_on_the_turn_after_joining() -> None:
    """Joining comes after this turn's die."""
    game = hall(OWNER, UNEMPLOYED.at(29), active=2).rolls(1).act(2, "enlist").act(2, "end_turn")
    game.rolls(4).act(1, "end_turn")
    game.act(2, "roll", ("combat", 5), ("movement", 4))
    assert game.state.citizens[2].square == 33


@pytest.mark.rule("SJG-55", "SJG-58")
def test_benefits_outlast_the_tour() -> None:
    """A veteran's hospital bill is at most 50."""
    game = hall(OWNER, EMPLOYEE.at(12, veteran=True), active=2).rolls(1)
    assert game.paid() == [("seat:2", "bank", 50)]


@pytest.mark.rule("SJG-58")
def test_a_direct_move_passes_payday_and_ends_no_tour() -> None:
    """To the Hospital by a card: no pay, and the tour goes on."""
    game = serves(36).act(2, "roll", ("combat", 2), ("movement", 2), ("card", "CH04"))
    assert game.state.citizens[2].square == 13
    assert game.state.citizens[2].serving
    assert game.paid(reason="salary") == []
