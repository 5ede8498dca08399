"""Loans between people and from the bank: who may ask, on what terms, and early repayment."""

import pytest

from events.play import MoneyMoved
from events.social_justice.deals import LoanGranted, LoanPaid, OfferEnded, OfferMade
from tests.scenarios.social_justice.dealers import Person, ann, bank, bob, cid, dee
from tests.scenarios.social_justice.deals import (
    Table,
    deals,
    happened,
    has,
    lent,
    money,
    never,
    open_offers,
    owes,
)
from tests.support.rules import rule


def table(**told: object) -> Table:
    """Ann, an employee on her third own turn, among an owner, a manager and an unemployed player."""
    return deals(ann="employee", bob="owner", cid="manager", dee="unemployed", **told)  # type: ignore[arg-type] # told by name


@rule("SJG-13", "SJG-14")
def test_the_lender_sets_period_and_interest() -> None:
    """Ann asks for 400 and nothing else; bob asks 25 % and two turns; she takes it: 500 are due on her fifth turn."""
    game = table().when(ann.requests(bob, 400)).then(happened(OfferMade, offer=1, by=1, to=2), never(MoneyMoved))
    game.refuses(bob.accepts(1), "terms_open", "offer").when(bob.sets_terms(1, 400, 25, 2)).when(ann.accepts(2))
    granted = {"borrower": 1, "lender": 2, "principal": 400, "pct": 25, "amount": 500, "term": 2, "due": 5}
    game.then(happened(LoanGranted, loan=1, rule="SJG-14", **granted), money((bob, ann, 400)), owes(ann, 500))
    (paid,) = game.found(MoneyMoved)
    assert (paid.reason, paid.rule, paid.ref) == ("loan", "SJG-14", "loan:1:1")


@rule("SJG-14")
def test_a_borrower_may_say_what_terms_she_would_take() -> None:
    """Then the lender may accept as it stands, or set others."""
    game = table().when(ann.requests(bob, 400, 10, 5)).when(bob.accepts(1))
    game.then(happened(LoanGranted, pct=10, term=5, amount=440), owes(ann, 440))
    game = table().when(ann.requests(bob, 400, 10, 5)).when(bob.sets_terms(1, 300, 1000, 50))
    game.when(ann.sets_terms(2, 300, 100, 50)).when(bob.accepts(3)).then(owes(ann, 600), has(ann, 1300))


@rule("SJG-14", "SJG-16")
@pytest.mark.parametrize(
    ("principal", "pct", "due"), [(99, 50, 148), (1, 99, 1), (1, 100, 2), (333, 0, 333), (7, 1000, 77)]
)
def test_interest_is_flat_and_rounded_down(principal: int, pct: int, due: int) -> None:
    """Once on the principal, whatever the term."""
    lent(table(), principal, pct).then(owes(ann, due))


@rule("SJG-14")
def test_terms_have_bounds() -> None:
    """From 1 to 50 turns, up to 1,000 %."""
    game = table().when(ann.requests(bob, 400))
    for pct, term, field in ((1001, 5, "pct"), (-1, 5, "pct"), (5, 0, "term"), (5, 51, "term")):
        game.refuses(bob.sets_terms(1, 400, pct, term), "out_of_bounds", field)
    game.refuses(ann.requests(bob, 400, 1001), "out_of_bounds", "pct")
    game.refuses(ann.requests(bob, 0), "out_of_bounds", "principal")


@rule("SJG-14")
def test_a_usury_cap_binds_whoever_lends() -> None:
    """With a cap of 30 %, 31 is refused and 30 stands; nobody may ask for more either."""
    game = table(options={"loan.usury_cap": 30}).when(ann.requests(bob, 400))
    game.refuses(bob.sets_terms(1, 400, 31, 2), "usury", "pct").refuses(ann.requests(cid, 1, 31), "usury", "pct")
    game.when(bob.sets_terms(1, 400, 30, 2)).when(ann.accepts(2)).then(owes(ann, 520))


@rule("SJG-14")
def test_a_lender_needs_the_cash() -> None:
    """Bob has 1,000."""
    game = table().when(ann.requests(bob, 1001, 0, 1)).refuses(bob.accepts(1), "cash_too_short", "offer")
    game.when(cid.pays(bob, 1)).when(bob.accepts(1)).then(has(bob, 0), has(ann, 2001))


@rule("SJG-13", "SJG-15")
def test_the_unemployed_borrow_from_players_and_not_from_the_bank() -> None:
    """Dee's turn: the bank lends her nothing, ann does, by the rule for the unemployed."""
    game = table(active=dee).refuses(dee.borrows(10), "role_refused", "lender")
    game.when(dee.requests(ann, 50, 0, 3)).when(ann.accepts(1))
    game.then(happened(LoanGranted, borrower=4, lender=1, rule="SJG-16"), owes(dee, 50))


@rule("SJG-13", "SJG-14")
@pytest.mark.parametrize(("who", "salary"), [(ann, 500), (bob, 3000), (cid, 1000)])
def test_the_automatic_bank_lends_two_salaries_at_its_terms(who: Person, salary: int) -> None:
    """At 20 % for ten turns; a dollar more is refused."""
    game = table(active=who).refuses(who.borrows(2 * salary + 1), "out_of_bounds", "principal")
    game.when(who.borrows(2 * salary)).then(money((bank, who, 2 * salary)), owes(who, 2 * salary * 120 // 100))
    game.then(happened(LoanGranted, lender=0, pct=20, term=10, due=13), never(OfferMade))


@rule("SJG-13", "SJG-14")
def test_the_banks_policy_follows_the_rules_in_force() -> None:
    """Whom it lends to, how much, on what terms, and whether at all."""
    game = table(options={"loan.bank_interest": 7, "loan.bank_term": 3, "loan.bank_max_salary_x": 1})
    game.refuses(ann.borrows(501), "out_of_bounds").when(ann.borrows(500))
    game.then(happened(LoanGranted, pct=7, amount=535, term=3, due=6))
    table(options={"loan.bank_enabled": False}).refuses(ann.borrows(1), "bank_lends_nothing")
    table(options={"loan.bank_max_salary_x": 0}).refuses(ann.borrows(1), "bank_lends_nothing")
    table(options={"loan.bank_roles": ["unemployed"]}).refuses(ann.borrows(1), "role_refused")
    table(options={"loan.bank_roles": ["unemployed"]}, active=dee).when(dee.borrows(400)).then(owes(dee, 480))


@rule("SJG-11")
def test_one_open_loan_at_the_bank() -> None:
    """A second is refused until the first is repaid."""
    game = table().when(ann.borrows(100)).refuses(ann.borrows(100), "loan_open")
    game.when(ann.repays(1)).then(owes(ann)).when(ann.borrows(100)).then(owes(ann, 120))
    two = table(options={"loan.max_bank": 2}).when(ann.borrows(100)).when(ann.borrows(100))
    two.refuses(ann.borrows(100), "loan_open")
    table(options={"loan.max_bank": 0}).refuses(ann.borrows(1), "loan_open")


@rule("SJG-12")
def test_one_open_loan_at_each_other_player() -> None:
    """Bob has lent; he cannot be asked again, cid can; the bank is apart."""
    game = lent(table()).refuses(ann.requests(bob, 5), "loan_open", "lender")
    game.when(ann.requests(cid, 5, 0, 1)).when(cid.accepts(3)).when(ann.borrows(10)).then(owes(ann, 500, 5, 12))
    two = lent(table(options={"loan.max_per_lender": 2})).when(ann.requests(bob, 5, 0, 1)).when(bob.accepts(3))
    two.refuses(ann.requests(bob, 5), "loan_open", "lender")


@rule("SJG-12")
def test_a_second_request_falls_away_when_the_first_is_met() -> None:
    """Two requests to bob; he grants one, and there is no place for the other."""
    game = table().when(ann.requests(bob, 5, 0, 1)).when(ann.requests(bob, 9, 0, 1)).when(ann.requests(cid, 7, 0, 1))
    game.when(bob.accepts(2)).then(happened(OfferEnded, offer=1, how="void"), open_offers(3), owes(ann, 9))


@rule("SJG-13", "SJG-18a")
def test_loans_are_asked_for_on_ones_own_turn_and_answered_at_any_time() -> None:
    """Bob may not ask on ann's turn; nobody borrows from oneself."""
    game = table().refuses(bob.requests(ann, 5), "not_your_prompt").refuses(bob.borrows(5), "not_your_prompt")
    game.refuses(ann.requests(ann, 5), "not_with_oneself").refuses(ann.requests(Person(7), 5), "not_in_game", "lender")
    game.refuses(ann.requests(bank, 5), "bank_is_automatic", "lender")
    table(prompt="tuition").when(ann.requests(bob, 5, 0, 1)).when(bob.accepts(1)).then(owes(ann, 5))


@rule("SJG-14")
def test_a_request_that_nobody_answers_lapses_with_the_turn() -> None:
    """Nothing is lent."""
    table().when(ann.requests(bob, 5)).when(ann.ends_turn()).then(
        happened(OfferEnded, offer=1, how="expired"), never(LoanGranted), open_offers()
    )


@rule("SJG-14")
def test_early_repayment_is_in_full_and_at_full_price() -> None:
    """500 for 400, the same turn; with 499 in cash it is refused."""
    game = lent(table()).when(ann.repays(1))
    game.then(money((ann, bob, 500)), happened(LoanPaid, loan=1, amount=500, left=0), owes(ann))
    short = lent(table(cash={ann: 99})).refuses(ann.repays(1), "cash_too_short").when(cid.pays(ann, 1))
    short.when(ann.repays(1)).then(has(ann, 0))


@rule("SJG-14")
def test_only_ones_own_loan_is_repaid() -> None:
    """Nobody repays what another owes, or what nobody owes."""
    game = lent(table()).refuses(ann.repays(2), "not_your_loan", "loan").when(ann.ends_turn())
    game.refuses(bob.repays(1), "no_loan")
