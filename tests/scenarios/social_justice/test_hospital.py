"""The Hospital (SJG-55, SJG-59, SJG-60)."""

import pytest

from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, hall


@pytest.mark.rule("SJG-59")
@pytest.mark.parametrize(("active", "fee"), [(1, 100), (2, 400), (3, 300), (4, 200)])
def test_the_fee_is_that_of_the_role(active: int, fee: int) -> None:
    """To the bank, on landing; passing is free."""
    seats = [sitter.at(12) for sitter in (OWNER, UNEMPLOYED, EMPLOYEE, MANAGER)]
    assert hall(*seats, active=active).rolls(1).paid() == [(f"seat:{active}", "bank", fee)]
    assert hall(*seats, active=active).rolls(2).paid() == []


@pytest.mark.rule("SJG-55")
def test_a_veteran_never_pays_more_than_the_fee() -> None:
    """The smaller of 50 and the fee."""
    veteran = [OWNER, EMPLOYEE.at(12, veteran=True)]
    assert hall(*veteran, active=2).rolls(1).paid() == [("seat:2", "bank", 50)]
    cheap = hall(*veteran, active=2, options={"hospital.fee.employee": 30}).rolls(1)
    assert cheap.paid() == [("seat:2", "bank", 30)]


@pytest.mark.rule("SJG-60", "SJG-9")
def test_who_cannot_afford_it_may_sell_or_borrow() -> None:
    """The raise-funds window: a title to the bank pays the bill at once."""
    game = hall(OWNER, UNEMPLOYED.at(12, cash=100), active=2, titles={38: (2, 0)}).rolls(1)
    assert game.asks(2) == ["raise_funds"]
    game.act(2, "sell_to_bank", square=38)
    assert game.paid() == [("bank", "seat:2", 750), ("seat:2", "bank", 400)]
    assert game.asks(2) == ["turn_end"]
