"""Debts above cash: the raise-funds window, the forced raise, bankruptcy, the estate (SJG-4, SJG-4b, SJG-9)."""

import pytest

from events.play import CardReturned, TurnEnded
from events.social_justice.deals import LoanGranted, OfferEnded
from events.social_justice.events import CitizenOut, DebtArose, HousesRemoved, TitlePassed, TokenMoved
from events.social_justice.tasks import Owe
from service.rules.legal import legal_actions
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, hall

HOSPITAL = 12


def owes(cash: int = 0, *, role: object = UNEMPLOYED, **told: object) -> Hall:
    """Seat 2 owes the Hospital more than it has."""
    sitter = role.at(HOSPITAL, cash=cash)  # type: ignore[attr-defined] # one of the sitters
    return hall(OWNER, sitter, MANAGER, active=2, **told).rolls(1)  # type: ignore[arg-type] # words of the hall


def open_to(game: Hall, seat: int) -> set[str]:
    return {action.name for action in legal_actions(game.state, seat).open}


@pytest.mark.rule("SJG-9", "SJG-4")
def test_a_debt_above_cash_waits_and_cash_is_never_negative() -> None:
    """Nothing is paid in part; the window says what is owed, and to whom."""
    game = owes(cash=100)
    assert game.paid() == []
    assert [(e.creditor, e.amount, e.reason) for e in game.found(DebtArose)] == [("bank", 400, "hospital")]
    assert isinstance(game.state.agenda[-1], Owe)
    assert game.asks(2) == ["raise_funds"]


@pytest.mark.rule("SJG-9")
def test_it_is_paid_as_soon_as_cash_covers_it() -> None:
    """By whatever comes in; the window closes and the turn goes on where it was."""
    game = owes(cash=100).act(3, "pay", to=2, amount=299)
    assert game.asks(2) == ["raise_funds"]
    game.act(1, "pay", to=2, amount=1)
    assert game.paid() == [("seat:1", "seat:2", 1), ("seat:2", "bank", 400)]
    assert game.asks(2) == ["turn_end"]


@pytest.mark.rule("SJG-9")
def test_until_then_a_debtor_only_receives_sells_and_borrows() -> None:
    """No gift, no loan to others, no purchase."""
    game = owes(cash=100, titles={38: (2, 1)})
    game.refuses("in_debt", 2, "pay", to=3, amount=1)
    assert {"sell_title", "sell_to_bank", "request_loan"} <= open_to(game, 2)
    assert not {"build", "donate", "propose_agreement", "bid_for_title", "end_turn", "set_rate"} & open_to(game, 2)


@pytest.mark.rule("SJG-9", "SJG-86")
def test_at_the_deadline_the_service_raises_the_money() -> None:
    """Titles to the bank, lowest list price first, only until the cash covers the debt."""
    game = owes(cash=50, titles={1: (2, 0), 3: (2, 1), 38: (2, 0)}, options={"turn_seconds": 60})
    game.expires(2)
    assert [(e.square, e.holder) for e in game.found(TitlePassed)] == [(1, 0), (3, 0), (38, 0)]
    assert [amount for payer, _, amount in game.paid() if payer == "bank"] == [100, 150, 750]
    assert game.cash(2) == 50 + 100 + 150 + 750 - 400
    assert game.asks(2) == ["turn_end"]


@pytest.mark.rule("SJG-9")
def test_a_bank_loan_of_exactly_the_shortfall_comes_last() -> None:
    """Where the role may take one, no more is sold than the loan cannot cover."""
    game = owes(cash=50, role=EMPLOYEE, titles={1: (2, 0), 38: (2, 0)}, options={"turn_seconds": 60}).expires(2)
    assert game.found(TitlePassed) == [], "a loan of up to two salaries covers it"
    assert [loan.principal for loan in game.found(LoanGranted)] == [250]
    assert game.cash(2) == 0
    short = owes(cash=0, role=EMPLOYEE, titles={1: (2, 0)}, options={"hospital.fee.employee": 1050})
    short.act(2, "raise_funds")
    assert [e.square for e in short.found(TitlePassed)] == [1]
    assert [loan.principal for loan in short.found(LoanGranted)] == [950]


@pytest.mark.rule("SJG-9", "SJG-4")
def test_who_could_raise_the_money_is_not_bankrupt() -> None:
    """Giving up is for means below the debt; then the service does not try."""
    game = owes(titles={38: (2, 0)})
    game.refuses("means_suffice", 2, "declare_bankruptcy")
    poor = owes(cash=399)
    poor.refuses("means_too_short", 2, "raise_funds")
    poor.act(2, "declare_bankruptcy")
    assert [(e.why, e.rule) for e in poor.found(CitizenOut)] == [("bankrupt", "SJG-9")]


@pytest.mark.rule("SJG-4b", "SJG-86")
def test_a_bankrupt_estate_is_settled_at_the_deadline() -> None:
    """Cash to the creditor, titles without houses to the bank, cards to the deck, and the next seat plays."""
    game = hall(
        OWNER, UNEMPLOYED.at(2, cash=20, kept=("CH01",)), MANAGER, active=2, titles={4: (3, 3), 1: (2, 1)},
        options={"turn_seconds": 60},
    ).rolls(2)  # fmt: skip
    game.act(2, "pay_rent")
    assert game.asks(2) == ["raise_funds"]
    game.expires(2)
    assert game.found(CitizenOut) == [], "her title covers the rent"
    poor = hall(OWNER, UNEMPLOYED.at(2, cash=20, kept=("CH01",)), MANAGER, active=2, titles={4: (3, 3)})
    poor.rolls(2).act(2, "pay_rent").act(2, "declare_bankruptcy")
    assert poor.paid() == [("seat:2", "seat:3", 20)]
    assert [(e.card, e.kept) for e in poor.found(CardReturned)] == [("CH01", True)]
    assert (poor.state.active, poor.found(TurnEnded)[0].seat) == (3, 2)


@pytest.mark.rule("SJG-4b")
def test_a_debt_of_another_suspends_the_turn_and_is_not_its_end() -> None:
    """The holder of Enron owes each other player; bankrupt, she is out, and the drawer's turn goes on."""
    seats = (OWNER.with_cash(60), UNEMPLOYED.at(1), EMPLOYEE, MANAGER)
    options = {"property.resale_pct": 0, "loan.bank_enabled": False}
    game = hall(*seats, active=2, options=options).rolls(1, ("card", "CH18"))
    assert game.paid() == [("seat:1", "seat:3", 50)]
    assert game.asks(1) == ["raise_funds"]
    assert game.asks(2) == []
    game.act(1, "declare_bankruptcy")
    assert game.paid() == [("seat:1", "seat:4", 10)], "what was not yet asked is not owed"
    assert [(e.square, e.holder) for e in game.found(TitlePassed)] == [(5, 0), (15, 0)]
    assert (game.state.active, game.asks(2)) == (2, ["turn_end"])


@pytest.mark.rule("SJG-4b")
def test_what_is_owed_to_somebody_who_leaves_is_owed_to_the_bank() -> None:
    """The debt stays, its creditor changes."""
    game = hall(OWNER, UNEMPLOYED.at(2, cash=20), MANAGER, active=2, titles={4: (3, 3), 38: (2, 0)}).rolls(2)
    game.act(2, "pay_rent").leaves(3)
    assert game.asks(2) == ["raise_funds"]
    game.act(2, "raise_funds")
    assert game.paid()[-1] == ("seat:2", "bank", 120)


@pytest.mark.rule("SJG-4b")
def test_a_landlord_who_leaves_while_rent_is_asked_leaves_a_title_for_sale() -> None:
    """The prompt falls away, and the title of the bank is offered to who stands on it."""
    game = hall(OWNER, UNEMPLOYED.at(2), MANAGER, active=2, titles={4: (3, 2)}).rolls(2).leaves(3)
    assert [event.houses for event in game.found(HousesRemoved)] == [2]
    assert game.asks(2) == ["buy"]


@pytest.mark.rule("SJG-4b")
def test_who_leaves_on_her_own_turn_ends_it() -> None:
    """Her estate goes to the bank, her piece off the board, and the next seat plays."""
    game = hall(OWNER, UNEMPLOYED.at(2), MANAGER, active=2, titles={4: (2, 1)}).leaves(2)
    assert game.paid() == [("seat:2", "bank", 5000)]
    assert [e.why for e in game.found(CitizenOut)] == ["left"]
    assert (game.state.active, game.found(TokenMoved)) == (3, [])
    game.refuses("seat_left", 2, "pay", to=1, amount=1)


@pytest.mark.rule("SJG-4b", "SJG-9")
@pytest.mark.parametrize("cash", [10, 60])
def test_a_debt_outlives_the_turn_of_somebody_who_leaves(cash: int) -> None:
    """The holder of Enron still owes what she was asked for, be it to the drawer; what was not asked lapses."""
    seats = (OWNER.with_cash(cash), UNEMPLOYED.at(1), EMPLOYEE, MANAGER)
    game = hall(*seats, active=2, options={"turn_seconds": 60}).rolls(1, ("card", "CH18")).leaves(2)
    assert (game.asks(1), game.state.active) == (["raise_funds"], 2)
    game.expires(1)
    owed = ("seat:1", "seat:3" if cash < 50 else "seat:4", 50)
    assert [payment for payment in game.paid() if payment[0] == "seat:1"] == [owed]
    assert (game.state.active, game.asks(3)) == (3, ["turn_start"])


@pytest.mark.rule("SJG-9", "SJG-10")
def test_a_title_sold_for_a_debt_takes_every_bid_with_it() -> None:
    """The drawer bids for Enron, whose holder then owes her; raised by the service, the title is the bank's."""
    game = hall(OWNER.with_cash(0), UNEMPLOYED.at(1), EMPLOYEE, active=2, options={"loan.bank_enabled": False})
    game.act(2, "bid_for_title", square=5, price=10).rolls(1, ("card", "CH18"))
    assert open_to(game, 1) >= {"accept_offer", "counter_sale"}
    game.act(1, "raise_funds")
    assert [(e.offer, e.how) for e in game.found(OfferEnded)] == [(1, "void")]


@pytest.mark.rule("SJG-9", "SJG-10")
def test_the_menu_names_the_offers_that_can_be_answered() -> None:
    """A debtor buys nothing, but sells: her bid cannot be answered now, what she offers can."""
    game = hall(OWNER, UNEMPLOYED.at(HOSPITAL, cash=300), MANAGER, active=2, titles={1: (2, 0)})
    game.act(2, "bid_for_title", square=5, price=10).act(2, "sell_title", square=1, buyer=1, price=40).rolls(1)
    menu = {action.name: action.schema["properties"] for action in legal_actions(game.state, 1).open}
    assert [menu[name]["offer"]["enum"] for name in ("accept_offer", "counter_sale")] == [[2], [2]]
    game.refuses("in_debt", 1, "counter_sale", offer=1, price=20)
    game.act(1, "counter_sale", offer=2, price=100)
    assert game.asks(2) == ["raise_funds"]


@pytest.mark.rule("SJG-4b")
def test_who_is_out_does_nothing_more() -> None:
    """No turns, no payments; neither to her nor by her."""
    game = owes(cash=399).act(2, "declare_bankruptcy")
    game.refuses("seat_out", 2, "pay", to=1, amount=1)
    game.refuses("out_of_bounds", 3, "pay", to=2, amount=1)
    assert open_to(game, 2) == set()
    assert game.state.alive() == [1, 3]
