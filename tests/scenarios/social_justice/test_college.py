"""College: stops, aid, tuition, degrees (SJG-7, SJG-48 to SJG-51, SJG-54)."""

import pytest

from events.social_justice.events import AidAnswered, RoleChanged, TokenMoved
from service.rules.legal import legal_actions
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, hall

COLLEGE = 10


def lands(sitter: object = UNEMPLOYED, **things: object) -> Hall:
    """Seat 2 lands on the College."""
    return hall(OWNER, sitter.at(9, **things), active=2).rolls(1)  # type: ignore[attr-defined] # one of the sitters


@pytest.mark.rule("SJG-48")
def test_passing_by_the_unemployed_may_stop() -> None:
    """The rest of the roll is lost; going on walks it."""
    game = hall(OWNER, UNEMPLOYED.at(8), active=2).rolls(4)
    assert (game.asks(2), [e.to_square for e in game.found(TokenMoved)]) == (["stop"], [COLLEGE])
    game.act(2, "stop")
    assert (game.asks(2), game.found(TokenMoved)) == (["aid"], [])
    passing = hall(OWNER, UNEMPLOYED.at(8), active=2).rolls(4).act(2, "decline")
    assert [e.to_square for e in passing.found(TokenMoved)] == [12]


@pytest.mark.rule("SJG-48", "SJG-41", "SJG-42")
@pytest.mark.parametrize("sitter", [MANAGER, OWNER])
def test_managers_and_owners_do_not_attend(sitter: object) -> None:
    """No stop on the way, nothing asked on the square."""
    passing = hall(OWNER, sitter.at(8), active=2).rolls(4)  # type: ignore[attr-defined] # one of the sitters
    assert [e.to_square for e in passing.found(TokenMoved)] == [12]
    assert lands(sitter).asks(2) == ["turn_end"]


@pytest.mark.rule("SJG-48", "SJG-86")
def test_an_absent_player_goes_on() -> None:
    """The default of a stop is not to stop."""
    game = hall(OWNER, UNEMPLOYED.at(8), active=2, options={"turn_seconds": 9}).rolls(4).expires(2)
    assert game.state.citizens[2].square == 12


@pytest.mark.rule("SJG-49", "SJG-50", "SJG-7")
@pytest.mark.parametrize(("sitter", "tuition", "role"), [(UNEMPLOYED, 2000, "employee"), (EMPLOYEE, 1000, "manager")])
def test_tuition_makes_the_next_role_at_once(sitter: object, tuition: int, role: str) -> None:
    """To the bank; one degree at a stop."""
    game = lands(sitter).act(2, "decline").act(2, "pay_tuition")
    assert game.paid() == [("seat:2", "bank", tuition)]
    assert [(e.role, e.why) for e in game.found(RoleChanged)] == [(role, "degree")]
    assert game.asks(2) == ["turn_end"]


@pytest.mark.rule("SJG-49")
def test_tuition_takes_the_cash_which_may_be_borrowed() -> None:
    """Short of cash it is refused; declined, the turn goes on without a degree."""
    game = lands(EMPLOYEE, cash=900).act(2, "decline")
    game.refuses("cash_too_short", 2, "pay_tuition")
    game.act(2, "borrow_from_bank", principal=100).act(2, "pay_tuition")
    assert game.state.citizens[2].role == "manager"
    declined = lands(EMPLOYEE).act(2, "decline").act(2, "decline")
    assert (declined.state.citizens[2].role, declined.cash(2)) == ("employee", 5000)


@pytest.mark.rule("SJG-51")
@pytest.mark.parametrize(("face", "left"), [(1, 2000), (2, 2000), (3, 1000), (4, 1000), (5, 1000), (6, 0)])
def test_the_aid_die_rejects_halves_or_waives(face: int, left: int) -> None:
    """1 and 2 nothing, 3 to 5 half, 6 all of it."""
    game = lands().act(2, "apply_for_aid", ("aid", face))
    assert game.found(AidAnswered)[0].used == 1
    game.act(2, "pay_tuition")
    assert sum(amount for _, _, amount in game.paid()) == left
    assert game.state.citizens[2].role == "employee"


@pytest.mark.rule("SJG-51")
def test_aid_is_applied_for_once_in_a_game_even_if_the_degree_is_declined() -> None:
    """It is used up; and a half of last time is gone."""
    game = lands().act(2, "apply_for_aid", ("aid", 4)).act(2, "decline").act(2, "end_turn")
    game.state.citizens[1].square = 12
    game.rolls(10).act(1, "decline").act(1, "end_turn")
    game.state.citizens[2].square = 9
    game.rolls(1)
    assert game.asks(2) == ["tuition"]
    assert game.state.citizens[2].aid_charge == 100
    assert "apply_for_aid" not in {action.name for action in legal_actions(game.state, 2).open}


@pytest.mark.rule("SJG-54", "SJG-51")
@pytest.mark.parametrize(
    ("sitter", "face", "left"),
    [(UNEMPLOYED, 1, 1000), (UNEMPLOYED, 4, 500), (EMPLOYEE, 1, 500), (EMPLOYEE, 4, 250), (EMPLOYEE, 6, 0)],
)
def test_the_gi_bill_halves_what_aid_leaves(sitter: object, face: int, left: int) -> None:
    """A veteran pays half of any tuition, after aid."""
    game = lands(sitter, veteran=True).act(2, "apply_for_aid", ("aid", face)).act(2, "pay_tuition")
    assert sum(amount for _, _, amount in game.paid()) == left
