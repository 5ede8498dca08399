"""Titles, houses, rent, gentrification and community houses (SJG-6, SJG-20 to SJG-30, SJG-45, SJG-75 to SJG-77)."""

import pytest

from events.social_justice.deals import OfferEnded
from events.social_justice.events import HouseAdded, TitlePassed
from service.rules.legal import legal_actions
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, hall

HERE = 3  # Redline Road: price 200, a house 100, rent 10 / 30 / 70 / 120


def lands(cash: int = 5_000, *, holder: int = 1, houses: int = 0, donors: tuple[int, ...] = ()) -> Hall:
    """Seat 2 lands on Redline Road."""
    game = hall(OWNER, EMPLOYEE.at(1, cash=cash), MANAGER, active=2, titles={HERE: (holder, houses)})
    game.state.titles[HERE].donors.extend(donors)
    return game.rolls(2)


@pytest.mark.rule("SJG-20", "SJG-77", "SJG-75")
def test_a_title_of_the_bank_is_bought_by_who_lands_there() -> None:
    """For its list price; the title passes at once."""
    game = lands(holder=0)
    assert game.asks(2) == ["buy"]
    game.act(2, "buy")
    assert game.paid() == [("seat:2", "bank", 200)]
    assert [(e.square, e.seller, e.holder) for e in game.found(TitlePassed)] == [(HERE, 0, 2)]


@pytest.mark.rule("SJG-20", "SJG-77")
def test_buying_needs_the_price_which_may_be_borrowed_first() -> None:
    """The prompt is open without the cash; nobody buys what she does not stand on."""
    game = lands(cash=150, holder=0)
    game.refuses("cash_too_short", 2, "buy")
    game.act(2, "borrow_from_bank", principal=100)
    game.act(2, "buy")
    assert (game.cash(2), game.state.titles[HERE].holder) == (50, 2)
    game.refuses("wrong_prompt", 2, "buy")


@pytest.mark.rule("SJG-23")
def test_a_declined_title_stays_at_the_bank() -> None:
    """There is no auction: nobody else is asked."""
    game = lands(holder=0).act(2, "decline")
    assert game.state.titles[HERE].holder == 0
    assert game.asks(2) == ["turn_end"]
    assert not [p for p in game.state.prompts.values() if p.seat != 2]


@pytest.mark.rule("SJG-21", "SJG-30", "SJG-76", "SJG-45")
def test_houses_are_built_at_the_end_of_the_own_turn() -> None:
    """On any property of one's own, up to three, no set needed; each shows on its title."""
    game = hall(OWNER, EMPLOYEE.at(1), active=2, titles={38: (2, 0)})
    game.refuses("wrong_prompt", 2, "build", square=38)
    game.rolls(2).act(2, "buy")
    game.act(2, "build", square=HERE)
    assert game.paid() == [("seat:2", "bank", 100)]
    game.act(2, "build", square=HERE).act(2, "build", square=HERE).act(2, "build", square=38)
    assert game.found(HouseAdded)[0] == HouseAdded(square=38, seat=2, houses=1, why="built", rule="SJG-30")
    assert (game.state.titles[HERE].houses, game.state.titles[38].houses) == (3, 1)
    game.refuses("out_of_bounds", 2, "build", square=HERE)
    game.refuses("out_of_bounds", 2, "build", square=5)


@pytest.mark.rule("SJG-30")
def test_no_house_without_the_cash_or_without_a_property() -> None:
    """Utilities hold no houses."""
    game = hall(OWNER, EMPLOYEE.at(12, cash=60), active=2, titles={38: (2, 0)}, options={"hospital.payer": "bank"})
    game.rolls(1).refuses("cash_too_short", 2, "build", square=38)
    owner = hall(OWNER.at(12), EMPLOYEE, options={"hospital.payer": "bank"}).rolls(1)
    owner.refuses("nothing_to_build_on", 1, "build", square=5)


@pytest.mark.rule("SJG-24", "SJG-75", "SJG-6")
@pytest.mark.parametrize(("houses", "rent"), [(0, 10), (1, 30), (2, 70), (3, 120)])
def test_the_rent_rises_with_the_houses(houses: int, rent: int) -> None:
    """The lander pays the holder."""
    game = lands(houses=houses).act(2, "pay_rent")
    assert game.paid() == [("seat:2", "seat:1", rent)]


@pytest.mark.rule("SJG-75")
def test_the_own_title_costs_nothing_and_a_prisoner_still_collects() -> None:
    """Nobody is asked on a square of her own; a landlord in jail is paid."""
    assert lands(holder=2).asks(2) == ["turn_end"]
    game = hall(OWNER, EMPLOYEE.at(1), MANAGER.at(35, jail_turns=2), active=2, titles={HERE: (3, 0)})
    assert game.rolls(2).act(2, "pay_rent").paid() == [("seat:2", "seat:3", 10)]


@pytest.mark.rule("SJG-24", "SJG-86")
def test_the_rent_is_paid_for_an_absent_player_and_cannot_be_passed_by() -> None:
    """It is the default; declining is for who owes none."""
    game = hall(OWNER, EMPLOYEE.at(1), active=2, titles={HERE: (1, 0)}, options={"turn_seconds": 9})
    game.rolls(2).refuses("rent_due", 2, "decline")
    game.expires(2)
    assert game.paid() == [("seat:2", "seat:1", 10)]


@pytest.mark.rule("SJG-25", "SJG-26", "SJG-27")
def test_an_unimproved_title_is_taken_over_instead_of_rent() -> None:
    """List price to the landlord, who is not asked, and at least one house to the bank."""
    game = lands().act(2, "gentrify", houses=2)
    assert game.paid() == [("seat:2", "seat:1", 200), ("seat:2", "bank", 100), ("seat:2", "bank", 100)]
    assert [(e.seller, e.holder, e.why) for e in game.found(TitlePassed)] == [(1, 2, "gentrified")]
    assert [event.houses for event in game.found(HouseAdded)] == [1, 2]
    assert game.asks(1) == []
    assert game.asks(2) == ["turn_end"]


@pytest.mark.rule("SJG-25", "SJG-26")
def test_gentrifying_takes_price_and_house_together_and_an_empty_lot() -> None:
    """One house prevents it; 299 dollars are too few; no house at all is out of bounds."""
    lands(houses=1).refuses("improved", 2, "gentrify", houses=1)
    lands(cash=299).refuses("cash_too_short", 2, "gentrify", houses=1)
    lands().refuses("out_of_bounds", 2, "gentrify", houses=0)
    lands(cash=399).refuses("out_of_bounds", 2, "gentrify", houses=2)
    lands(cash=299).act(2, "borrow_from_bank", principal=1).act(2, "gentrify", houses=1)


@pytest.mark.rule("SJG-25")
def test_utilities_are_not_gentrified() -> None:
    """They hold no houses; their charge is simply due."""
    game = hall(OWNER, EMPLOYEE.at(4), active=2).rolls(1)
    assert game.asks(2) == ["turn_end"]


@pytest.mark.rule("SJG-28")
def test_a_donated_house_frees_the_donor_there_for_good() -> None:
    """No rent now, none ever; the house costs her, and raises the rent of others."""
    game = lands().act(2, "donate", square=HERE)
    assert game.paid() == [("seat:2", "bank", 100)]
    assert (game.state.titles[HERE].donors, game.state.titles[HERE].houses) == ([2], 1)
    again = lands(houses=1, donors=(2,))
    again.refuses("exempt", 2, "pay_rent")
    again.act(2, "decline")
    assert again.paid() == []
    other = lands(houses=1, donors=(3,)).act(2, "pay_rent")
    assert other.paid() == [("seat:2", "seat:1", 30)]


@pytest.mark.rule("SJG-28", "SJG-86")
def test_an_exempt_lander_is_asked_only_what_is_left_to_do() -> None:
    """She may donate or gentrify; with three houses nothing is asked; absent, she pays nothing."""
    assert lands(houses=3, donors=(2,)).asks(2) == ["turn_end"]
    gentrified = lands(donors=(2,)).act(2, "gentrify", houses=1)
    assert gentrified.state.titles[HERE].holder == 2
    names = {action.name: action for action in legal_actions(lands(houses=1, donors=(2,)).state, 2).open}
    assert names["decline"].default
    assert "pay_rent" not in names


@pytest.mark.rule("SJG-28", "SJG-25")
def test_the_exemption_survives_a_sale_and_the_bank() -> None:
    """It is personal, and of the square; a donated house bars gentrification while it stands."""
    game = lands().act(2, "donate", square=HERE).act(2, "end_turn")
    game.rolls(5).act(3, "decline").act(3, "end_turn")
    game.act(1, "sell_to_bank", square=HERE)
    assert (game.state.titles[HERE].holder, game.state.titles[HERE].donors) == (0, [2])


@pytest.mark.rule("SJG-29")
def test_no_fourth_house_is_donated() -> None:
    """Neither at landing nor at the end prompt."""
    lands(houses=3).refuses("nothing_to_donate_to", 2, "donate", square=HERE)
    game = hall(OWNER, EMPLOYEE.at(12), active=2, titles={HERE: (1, 3), 38: (1, 2)}, options={"hospital.payer": "bank"})
    game.rolls(1).refuses("out_of_bounds", 2, "donate", square=HERE)
    game.act(2, "donate", square=38)
    assert game.paid() == [("seat:2", "bank", 750)]
    assert game.asks(2) == ["turn_end"]


@pytest.mark.rule("SJG-28")
def test_nobody_donates_to_herself_or_to_the_bank() -> None:
    """A title of another player, on any square, at the end prompt."""
    game = hall(UNEMPLOYED.at(12), EMPLOYEE, titles={38: (1, 0)}, options={"hospital.payer": "bank"}).rolls(1)
    game.refuses("nothing_to_donate_to", 1, "donate", square=38)
    game.refuses("nothing_to_donate_to", 1, "donate", square=1)


@pytest.mark.rule("SJG-25", "SJG-10")
def test_what_was_offered_for_a_title_that_is_taken_over_falls_away() -> None:
    """She bids while the rent is asked, and then does without the holder; her other bid stays."""
    game = hall(OWNER, EMPLOYEE.at(1), MANAGER, active=2, titles={HERE: (3, 0), 4: (3, 0)}).rolls(2)
    game.act(2, "bid_for_title", square=HERE, price=10).act(2, "bid_for_title", square=4, price=10)
    game.act(2, "gentrify", houses=1)
    assert [(e.offer, e.how) for e in game.found(OfferEnded)] == [(1, "void")]
    assert list(game.state.deals.offers) == [2]
