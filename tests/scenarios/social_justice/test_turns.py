"""The order of a turn: what is open when, the die of the role, who comes next (SJG-18, SJG-18a, SJG-19, SJG-22)."""

import pytest

from events.play import DiceRolled, PromptOpened, TurnEnded, TurnStarted
from events.social_justice.events import RoundStarted, TokenMoved
from events.social_justice.tasks import AgendaSet
from service.rules.legal import legal_actions
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, hall

ALL = (OWNER.at(1), UNEMPLOYED.at(1), EMPLOYEE.at(1), MANAGER.at(1))


def open_to(game: Hall, seat: int) -> set[str]:
    return {action.name for action in legal_actions(game.state, seat).open}


@pytest.mark.rule("SJG-18", "SJG-39", "SJG-40", "SJG-41", "SJG-42")
@pytest.mark.parametrize(("active", "sides"), [(1, 10), (2, 4), (3, 6), (4, 8)])
def test_each_role_has_its_die(active: int, sides: int) -> None:
    """The role held when it is rolled decides; the token moves as many squares."""
    game = hall(*ALL, active=active).rolls(2)
    (thrown,) = game.found(DiceRolled)
    assert (thrown.sides, thrown.coordinate) == (sides, f"movement/{active}/1")
    assert [(e.from_square, e.to_square) for e in game.found(TokenMoved)] == [(1, 3)]


@pytest.mark.rule("SJG-18a", "SJG-19")
def test_a_turn_goes_from_start_by_landing_to_its_end_prompt() -> None:
    """Each prompt has its own choices; nobody else is asked meanwhile."""
    game = hall(*ALL, active=4)
    assert {"roll", "propose"} <= open_to(game, 4)
    assert not {"build", "end_turn", "buy"} & open_to(game, 4)
    game.rolls(2)
    assert game.asks(4) == ["buy"]
    assert "roll" not in open_to(game, 4)
    game.refuses("wrong_prompt", 4, "end_turn")
    game.act(4, "buy")
    assert game.asks(4) == ["turn_end"]
    assert {"end_turn", "build"} <= open_to(game, 4)
    assert "propose" not in open_to(game, 4)
    assert [game.asks(seat) for seat in (1, 2, 3)] == [[], [], []]


@pytest.mark.rule("SJG-22")
def test_the_turn_goes_clockwise_and_the_round_ends_at_the_first_place() -> None:
    """A round is counted where the turn passes the Owner's place again (SJG-3)."""
    game = hall(*ALL, active=3).rolls(2).act(3, "decline").act(3, "end_turn")
    assert (game.state.active, game.found(RoundStarted)) == (4, [])
    game.rolls(2).act(4, "decline").act(4, "end_turn")
    assert game.state.active == 1
    assert [event.round for event in game.found(RoundStarted)] == [2]
    assert [type(event) for event in game.events if isinstance(event, TurnEnded | TurnStarted | RoundStarted)] == [
        TurnEnded, RoundStarted, TurnStarted
    ]  # fmt: skip


@pytest.mark.rule("SJG-22")
def test_a_seat_that_is_out_is_passed_over() -> None:
    """Its place in the order stays, its turns do not."""
    game = hall(*ALL, active=1)
    game.leaves(2)
    game.rolls(5).act(1, "decline").act(1, "end_turn")
    assert game.state.active == 3


@pytest.mark.rule("SJG-18a")
def test_standing_still_leaves_the_end_prompt() -> None:
    """A result of 0 is no movement, no landing and no purchase."""
    game = hall(*ALL, active=2, options={"move.extra.unemployed": -3}).rolls(2)
    assert game.found(TokenMoved) == []
    assert game.asks(2) == ["turn_end"]


@pytest.mark.rule("SJG-86")
def test_an_absent_player_rolls_declines_and_ends_the_turn() -> None:
    """Each deadline takes the default of its prompt."""
    game = hall(*ALL, active=3, options={"turn_seconds": 30})
    game.expires(3, ("movement", 2))
    assert game.asks(3) == ["buy"]
    game.expires(3)
    assert game.asks(3) == ["turn_end"]
    game.expires(3)
    assert game.state.active == 4


@pytest.mark.rule("SJG-18a")
def test_what_is_left_of_the_turn_is_data() -> None:
    """Where an action stops, the rest lies on the agenda, and nothing is noted twice."""
    game = hall(*ALL, active=4).rolls(2)
    assert [task.__struct_config__.tag for task in game.found(AgendaSet)[0].tasks] == [
        "close_turn", "ask", "transfers"
    ]  # fmt: skip
    assert game.found(PromptOpened)[-1].kind == "buy"
    game.act(4, "decline")
    assert [task.__struct_config__.tag for task in game.state.agenda] == ["close_turn"]
