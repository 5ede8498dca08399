"""Payday and Back Taxes, and what utilities charge (SJG-43, SJG-47, SJG-58, SJG-65 to SJG-74)."""

import pytest

from events.play import MoneyMoved, PromptOpened
from events.social_justice.events import DebtArose, RateSet, TokenMoved, TourEnded
from events.social_justice.tasks import Walk
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, hall

FROOGLE = {25: (3, 0)}


@pytest.mark.rule("SJG-47")
@pytest.mark.parametrize("face", [2, 3])
def test_payday_pays_when_landed_on_and_when_passed(face: int) -> None:
    """Salary first, then each utility to its holder in its order; once, and the bank's charges nothing."""
    game = hall(OWNER, EMPLOYEE.at(38), active=2).rolls(face)
    assert game.paid() == [("bank", "seat:2", 500), ("seat:2", "seat:1", 50), ("seat:2", "seat:1", 50)]
    assert [event.reason for event in game.found(MoneyMoved)] == ["salary", "utility", "utility"]
    assert [event.rule for event in game.found(MoneyMoved)] == ["SJG-47", "SJG-67", "SJG-70"]


@pytest.mark.rule("SJG-47", "SJG-39", "SJG-40", "SJG-41", "SJG-42")
@pytest.mark.parametrize(("active", "salary"), [(1, 3000), (2, 200), (3, 500), (4, 1000)])
def test_the_salary_is_that_of_the_role(active: int, salary: int) -> None:
    """Fifteen times as much for the Owner as for the Unemployed."""
    seats = [sitter.at(39) for sitter in (OWNER, UNEMPLOYED, EMPLOYEE, MANAGER)]
    game = hall(*seats, active=active).rolls(1)
    assert game.paid(reason="salary") == [("bank", f"seat:{active}", salary)]


@pytest.mark.rule("SJG-47")
def test_leaving_payday_pays_nothing() -> None:
    """Landing counts once; the square one stands on is not passed."""
    game = hall(OWNER, EMPLOYEE.at(0), active=2).rolls(1)
    assert game.paid() == []


@pytest.mark.rule("SJG-67", "SJG-70", "SJG-73", "SJG-66")
def test_every_utility_charges_who_passes_but_for_its_own_holder() -> None:
    """Enron, Flint, Froogle; a holder does not pay herself."""
    game = hall(OWNER.at(39), UNEMPLOYED.at(39), MANAGER, titles=FROOGLE).rolls(1)
    assert game.paid(reason="utility") == [("seat:1", "seat:3", 50)]
    game.act(1, "end_turn").rolls(1)
    assert [(payee, amount) for _, payee, amount in game.paid(reason="utility")] == [
        ("seat:1", 50), ("seat:1", 50), ("seat:3", 50)
    ]  # fmt: skip


@pytest.mark.rule("SJG-68", "SJG-71", "SJG-74")
@pytest.mark.parametrize(("square", "rule"), [(5, "SJG-68"), (15, "SJG-71"), (25, "SJG-74")])
def test_landing_on_a_utility_pays_its_holder(square: int, rule: str) -> None:
    """25 dollars; nothing on one's own."""
    game = hall(OWNER, EMPLOYEE.at(square - 1), active=2, titles={25: (1, 0)}).rolls(1)
    assert [(e.payer, e.payee, e.amount, e.rule) for e in game.found(MoneyMoved)] == [("seat:2", "seat:1", 25, rule)]
    own = hall(OWNER.at(square - 1), EMPLOYEE, titles={25: (1, 0)}).rolls(1)
    assert own.paid() == []


@pytest.mark.rule("SJG-72")
def test_froogle_is_for_sale_and_charges_nothing_while_the_bank_holds_it() -> None:
    """Bought on landing for 500, like any title; then its holder is paid."""
    game = hall(OWNER, EMPLOYEE.at(24), active=2).rolls(1)
    assert game.paid() == []
    game.act(2, "buy")
    assert game.paid() == [("seat:2", "bank", 500)]
    assert game.state.titles[25].holder == 2


@pytest.mark.rule("SJG-66", "SJG-69", "SJG-72")
def test_the_holder_sets_rates_at_will_on_her_own_turn() -> None:
    """At any prompt of her turn, any number of times, for later charges; nobody else does."""
    game = hall(OWNER, EMPLOYEE.at(38), MANAGER, titles=FROOGLE)
    game.act(1, "set_rate", name="enron.payday", rate=300)
    game.act(1, "set_rate", name="enron.payday", rate=120)
    assert [event.rate for event in game.found(RateSet)] == [120]
    game.refuses("out_of_bounds", 1, "set_rate", name="froogle.payday", rate=1)
    game.refuses("prompt_gone", 2, "set_rate", name="enron.payday", rate=1, prompt="p1")
    game.rolls(4).act(1, "set_rate", name="flint.landing", rate=0).act(1, "end_turn")
    game.rolls(2)
    assert [amount for _, _, amount in game.paid(reason="utility")] == [120, 50, 50]


@pytest.mark.rule("SJG-66")
def test_rates_go_with_the_title_and_fall_back_at_the_bank() -> None:
    """The right follows the title; what the bank gets back charges the default again."""
    game = hall(OWNER.with_cash(100), EMPLOYEE.at(4), UNEMPLOYED).act(1, "set_rate", name="enron.landing", rate=90)
    game.act(1, "sell_to_bank", square=5)
    assert game.state.rates == {}
    kept = hall(OWNER, EMPLOYEE.at(4)).act(1, "set_rate", name="enron.landing", rate=90)
    kept.act(1, "sell_title", square=5, buyer=2, price=10)
    kept.act(2, "accept_offer", offer=1)
    assert kept.state.rates == {"enron.landing": 90}
    kept.rolls(2)
    assert "set_rate" not in [p.kind for p in kept.state.prompts.values()]


@pytest.mark.rule("SJG-66")
def test_a_limit_of_rates_binds_the_holder() -> None:
    """`utility.rate_max` is the most that may be set."""
    game = hall(OWNER, EMPLOYEE)
    assert game.state.options["utility.rate_max"] == 500
    game.refuses("out_of_bounds", 1, "set_rate", name="enron.payday", rate=501)
    game.act(1, "set_rate", name="enron.payday", rate=500)


@pytest.mark.rule("SJG-47", "SJG-9")
def test_a_debt_at_payday_suspends_the_move_which_then_goes_on() -> None:
    """Short after the salary: the money is raised in the middle of the move, and the rest of the roll is walked."""
    game = hall(OWNER, UNEMPLOYED.at(38, cash=0), MANAGER, active=2, options={"utility.enron.payday_rate": 300})
    game.rolls(3)
    assert [event.to_square for event in game.found(TokenMoved)] == [0]
    assert (game.found(DebtArose)[0].amount, game.asks(2)) == (300, ["raise_funds"])
    assert any(isinstance(task, Walk) and task.left == 1 for task in game.state.agenda)
    game.act(3, "pay", to=2, amount=100)
    assert [(e.payer, e.payee, e.amount) for e in game.found(MoneyMoved)][:2] == [
        ("seat:3", "seat:2", 100), ("seat:2", "seat:1", 300)
    ]  # fmt: skip
    assert game.asks(2) == ["raise_funds"], "Flint's 50 are owed next"
    game.act(3, "pay", to=2, amount=50)
    assert [event.to_square for event in game.found(TokenMoved)] == [1]


@pytest.mark.rule("SJG-65")
def test_back_taxes_go_to_payday_for_half_the_pay() -> None:
    """The salary in full, half of it back to the bank, and utilities as at any Payday; the token stands there."""
    game = hall(OWNER, EMPLOYEE.at(27), active=2).rolls(1)
    assert game.paid() == [
        ("bank", "seat:2", 500), ("seat:2", "bank", 250), ("seat:2", "seat:1", 50), ("seat:2", "seat:1", 50)
    ]  # fmt: skip
    assert game.state.citizens[2].square == 0
    assert [event.how for event in game.found(TokenMoved)] == ["roll", "direct"]
    assert game.asks(2) == ["turn_end"]
    owner = hall(OWNER.at(27), EMPLOYEE).rolls(1)
    assert owner.paid() == [("bank", "seat:1", 3000), ("seat:1", "bank", 1500)]


@pytest.mark.rule("SJG-58", "SJG-43")
@pytest.mark.parametrize(("square", "face"), [(38, 4), (38, 3), (27, 2)])
def test_a_tour_ends_at_payday_however_it_is_reached(square: int, face: int) -> None:
    """Passed, landed on, or by Back Taxes; benefits stay."""
    game = hall(OWNER, EMPLOYEE.at(square, serving=True), active=2)
    game.act(2, "roll", ("combat", 3), ("movement", face))
    assert game.found(TourEnded)
    assert (game.state.citizens[2].serving, game.state.citizens[2].veteran) == (False, True)
    assert game.found(PromptOpened)
