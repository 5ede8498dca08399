"""Jail: the sentence, the way out, who avoids it (SJG-61 to SJG-64)."""

import pytest

from events.play import CardReturned, TurnEnded
from events.social_justice.events import JailAvoided, Jailed, JailLeft, TourEnded, TurnMissed
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, hall


def sent(**options: object) -> Hall:
    """Seat 2, an Employee, is about to land on Go to Jail."""
    chosen = {name.replace("__", "."): value for name, value in options.items()}
    return hall(OWNER, EMPLOYEE.at(34), MANAGER, active=2, options=chosen)


@pytest.mark.rule("SJG-61")
def test_a_four_sided_die_says_how_many_turns_are_missed() -> None:
    """At once; the turn still has its end prompt."""
    game = sent().act(2, "roll", ("movement", 1), ("jail", 3))
    assert game.asked == [("movement", 6), ("jail", 4)]
    assert game.found(Jailed)[0].turns == 3
    assert game.asks(2) == ["turn_end"]


@pytest.mark.rule("SJG-61", "SJG-62")
def test_exactly_so_many_own_turns_are_missed_and_then_payday_without_pay() -> None:
    """Nothing is asked on a missed turn; at the end of the last one the token stands on Payday."""
    game = hall(OWNER.at(12), EMPLOYEE.at(35, jail_turns=2), active=1, options={"hospital.payer": "bank"})
    game.rolls(1).act(1, "end_turn")
    assert [(e.seat, e.left) for e in game.found(TurnMissed)] == [(2, 1)]
    assert [e.seat for e in game.found(TurnEnded)] == [1, 2]
    assert (game.state.active, game.state.citizens[2].own) == (1, 1)
    game.state.citizens[1].square = 12
    game.rolls(1).act(1, "end_turn")
    assert [e.how for e in game.found(JailLeft)] == ["served"]
    assert game.paid() == []
    citizen = game.state.citizens[2]
    assert (citizen.jailed, citizen.square, citizen.jail_turns) == (False, 0, 0)
    game.state.citizens[1].square = 12
    game.rolls(1).act(1, "end_turn")
    assert game.asks(2) == ["turn_start"]
    game.rolls(1)
    assert game.state.citizens[2].square == 1


@pytest.mark.rule("SJG-62", "SJG-58")
def test_a_tour_ends_with_the_release() -> None:
    """Arriving on Payday from jail counts."""
    game = hall(OWNER.at(12), EMPLOYEE.at(35, jail_turns=1, serving=True), options={"hospital.payer": "bank"})
    game.rolls(1).act(1, "end_turn")
    assert game.found(TourEnded)


@pytest.mark.rule("SJG-63")
def test_owners_avoid_jail_entirely() -> None:
    """She stays on the square, and nothing happens."""
    game = hall(OWNER.at(34), EMPLOYEE).rolls(1)
    assert [e.how for e in game.found(JailAvoided)] == ["role"]
    assert (game.state.citizens[1].square, game.state.citizens[1].jailed) == (35, False)


@pytest.mark.rule("SJG-64", "SJG-86")
def test_a_kept_card_avoids_jail_once() -> None:
    """Used unless it is kept back; the card goes to the bottom of its deck, the token stays."""
    game = hall(OWNER, UNEMPLOYED.at(34, kept=("CH01",)), active=2).rolls(1)
    assert game.asks(2) == ["jail_pass"]
    game.act(2, "use_pass")
    assert [(e.card, e.kept) for e in game.found(CardReturned)] == [("CH01", True)]
    assert [e.how for e in game.found(JailAvoided)] == ["pass"]
    assert (game.state.citizens[2].kept, game.state.citizens[2].square) == ((), 35)
    absent = hall(OWNER, UNEMPLOYED.at(34, kept=("CH01",)), active=2, options={"turn_seconds": 9}).rolls(1)
    assert absent.expires(2).found(JailAvoided)


@pytest.mark.rule("SJG-64")
def test_the_card_may_be_kept_back() -> None:
    """Then the sentence follows."""
    game = hall(OWNER, UNEMPLOYED.at(34, kept=("CH01",)), active=2).rolls(1)
    game.act(2, "decline", ("jail", 2))
    assert (game.state.citizens[2].kept, game.state.citizens[2].jail_turns) == (("CH01",), 2)


@pytest.mark.rule("SJG-64")
def test_a_pass_is_asked_for_before_a_bail() -> None:
    """Bail where a rule sets one; declined by an absent player."""
    game = hall(OWNER, UNEMPLOYED.at(34, kept=("CH01",)), active=2, options={"jail.bail": 60, "turn_seconds": 9})
    game.rolls(1).act(2, "decline")
    assert game.asks(2) == ["bail"]
    game.act(2, "pay_bail")
    assert game.paid() == [("seat:2", "bank", 60)]
    assert not game.state.citizens[2].jailed
    absent = sent(jail__bail=60, turn_seconds=9).rolls(1).expires(2, ("jail", 1))
    assert absent.state.citizens[2].jailed


@pytest.mark.rule("SJG-61")
def test_bail_takes_the_cash() -> None:
    """It may be borrowed while the prompt is open."""
    game = hall(OWNER, EMPLOYEE.at(34, cash=10), active=2, options={"jail.bail": 60}).rolls(1)
    game.refuses("cash_too_short", 2, "pay_bail")
    game.act(2, "borrow_from_bank", principal=50).act(2, "pay_bail")
    assert game.cash(2) == 0


@pytest.mark.rule("SJG-61")
def test_no_turns_at_all_are_a_release_at_once() -> None:
    """A number set instead of the die; 0 means straight to Payday, without its pay."""
    game = sent(jail__fixed_turns=0).act(2, "roll", ("movement", 1))
    assert game.found(JailLeft)
    assert (game.state.citizens[2].square, game.state.citizens[2].jailed, game.paid()) == (0, False, [])
    assert sent(jail__fixed_turns=7).act(2, "roll", ("movement", 1)).state.citizens[2].jail_turns == 7


@pytest.mark.rule("SJG-61", "SJG-32")
def test_a_prisoner_answers_offers_and_lends_but_is_asked_nothing() -> None:
    """Loans may be given from jail."""
    game = hall(OWNER, EMPLOYEE.at(35, jail_turns=2), UNEMPLOYED, active=3)
    game.act(3, "request_loan", lender=2, principal=100, pct=10, term=5).act(2, "accept_offer", offer=1)
    assert ("seat:2", "seat:3", 100) in game.paid()
