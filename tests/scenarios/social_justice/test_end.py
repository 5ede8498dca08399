"""The end: rounds, the last one standing, the ranking (SJG-3, SJG-1, SJG-5)."""

import pytest

from events.lobby import GameFinished
from events.social_justice.events import WorthCounted
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, hall

FREE = {"hospital.payer": "bank"}


def last_turn(**options: object) -> Hall:
    """The last seat of round 20 ends its turn."""
    seats = (OWNER.with_cash(1000), UNEMPLOYED.with_cash(700), MANAGER.at(12, cash=300))
    game = hall(*seats, active=3, round_=20, titles={38: (3, 2), 5: (1, 0), 15: (1, 0)}, options={**FREE, **options})
    return game.rolls(1)


@pytest.mark.rule("SJG-3")
def test_the_game_ends_behind_the_agreed_rounds() -> None:
    """Twenty unless agreed otherwise; all that was asked is void."""
    game = last_turn().act(3, "end_turn")
    assert [event.reason for event in game.found(GameFinished)] == ["completed"]
    assert (game.state.status, game.state.prompts, game.state.agenda) == ("finished", {}, ())


@pytest.mark.rule("SJG-3")
def test_a_game_to_the_last_one_standing_goes_on() -> None:
    """Up to 200 rounds."""
    game = last_turn(**{"end.rounds": None}).act(3, "end_turn")
    assert (game.state.status, game.state.round, game.state.active) == ("playing", 21, 1)
    long = hall(OWNER, UNEMPLOYED.at(12), active=2, round_=200, options={**FREE, "end.rounds": None})
    assert long.rolls(1).act(2, "end_turn").state.status == "finished"


@pytest.mark.rule("SJG-3")
def test_survivors_are_ranked_by_net_worth() -> None:
    """Cash, list price of titles, cost of houses, loans at the amount due; no winner is named beside the ranking."""
    game = last_turn()
    game.act(3, "borrow_from_bank", principal=100)
    game.act(3, "end_turn")
    (result,) = game.found(GameFinished)
    assert [(line.seat, line.rank, line.score) for line in result.standings] == [
        (3, 1, 400 + 1500 + 1500 - 120), (1, 2, 1000 + 500 + 500), (2, 3, 700)
    ]  # fmt: skip
    assert result.winners == ()
    line = game.found(WorthCounted)[0].lines[2]
    assert (line.cash, line.titles, line.houses, line.owed, line.receivable) == (400, 1500, 1500, 120, 0)


@pytest.mark.rule("SJG-3")
def test_the_report_has_everybodys_way_through_the_roles() -> None:
    """Since which turn each role was held."""
    game = hall(OWNER, UNEMPLOYED.at(9), active=2, round_=20).rolls(1)
    game.act(2, "decline").act(2, "pay_tuition").act(2, "end_turn")
    roles = game.found(WorthCounted)[0].lines[1].roles
    assert [(held.turn, held.role) for held in roles] == [(0, "unemployed"), (5, "employee")]


@pytest.mark.rule("SJG-3", "SJG-5")
def test_the_last_one_standing_ends_the_game_at_once() -> None:
    """Who is out comes last, unranked."""
    game = hall(OWNER, UNEMPLOYED.at(12, cash=0), active=2).rolls(1).act(2, "declare_bankruptcy")
    (result,) = game.found(GameFinished)
    assert result.reason == "last_standing"
    assert [(line.seat, line.rank) for line in result.standings] == [(1, 1), (2, 0)]
    left = hall(OWNER, UNEMPLOYED, active=1).leaves(1)
    assert left.found(GameFinished)[0].reason == "abandoned"
    assert left.state.alive() == [2]


@pytest.mark.rule("SJG-3")
def test_a_round_is_counted_at_the_first_place_even_when_its_seat_is_out() -> None:
    """The Owner is gone; the round still ends where her place is passed."""
    game = hall(OWNER, UNEMPLOYED.at(12), EMPLOYEE.at(12), active=3, options=FREE).leaves(1).rolls(1)
    game.act(3, "end_turn")
    assert (game.state.round, game.state.active) == (2, 2)


@pytest.mark.rule("SJG-1")
def test_only_this_book_applies() -> None:
    """No doubles, no sets: a single title may be built on, and equal faces of two dice do not exist."""
    game = hall(OWNER, EMPLOYEE.at(12), active=2, titles={38: (2, 0)}, options=FREE).rolls(1)
    game.act(2, "build", square=38)
    assert game.asked == []
