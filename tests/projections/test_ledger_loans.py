"""Loans in the books: an account for each, claims for each lender, what an estate does to both."""

import pytest

from events.base import Event, seat_account
from events.play import Part
from events.social_justice.deals import LoanGranted, LoanInherited, LoanPaid, LoanWrittenOff
from projections.ledger import books as ledger
from projections.ledger.books import Books
from projections.ledger.chart import belongs_to, claims_account, is_cash, kind_of, loan_account
from projections.ledger.check import check
from tests.projections.streams import enveloped, moved

ANN, BOB = seat_account(1), seat_account(2)
FROM_BOB = LoanGranted(
    loan=7, borrower=1, lender=2, principal=400, pct=25, amount=500, term=6, due=9, rule="SJG-14"
)  # fmt: skip
FROM_BANK = LoanGranted(
    loan=8, borrower=1, lender=0, principal=1000, pct=20, amount=1200, term=10, due=13, rule="SJG-14"
)  # fmt: skip


def paid(loan: LoanGranted, amount: int, left: int = 0, *, estate: bool = False) -> LoanPaid:
    return LoanPaid(
        loan=loan.loan, borrower=loan.borrower, lender=loan.lender, estate=estate, amount=amount, left=left,
        rule=loan.rule,
    )  # fmt: skip


def books_of(*events: Event) -> Books:
    books = Books()
    for envelope in enveloped(events):
        books.fold(envelope)
    return books


def test_each_loan_has_an_account_and_each_lender_has_claims() -> None:
    """Principal and interest are owed from the start; cash is another event's."""
    books = books_of(FROM_BOB, FROM_BANK)
    assert books.balances == {"loan:1:7": -500, "claims:2": 500, "loan:1:8": -1200, "claims": 1200}
    entry, _ = ledger.entries(enveloped([FROM_BOB, FROM_BANK]))
    assert (entry.kind, entry.credited, entry.debited, entry.rule) == ("loan", "loan:1:7", "claims:2", "SJG-14")
    assert entry.breakdown == (Part(what="principal", amount=400), Part(what="interest", amount=100))


def test_a_repayment_empties_the_loans_own_account() -> None:
    books = books_of(FROM_BOB, FROM_BANK, paid(FROM_BOB, 500))
    assert books.debts() == {"loan:1:7": 0, "claims:2": 0, "loan:1:8": -1200, "claims": 1200}
    *_, entry = ledger.entries(enveloped([FROM_BOB, paid(FROM_BOB, 500)]))
    assert (entry.kind, entry.reason, entry.ref, entry.amount) == ("repayment", "loan_paid", "loan:1:7", 500)


def test_an_estate_pays_in_part_and_the_rest_is_written_off() -> None:
    rest = LoanWrittenOff(loan=7, borrower=1, lender=2, estate=False, amount=380, rule="SJG-4b")
    books = books_of(FROM_BOB, paid(FROM_BOB, 120, left=380), rest)
    assert books.debts() == {"loan:1:7": 0, "claims:2": 0}
    *_, entry = ledger.entries(enveloped([FROM_BOB, rest]))
    assert (entry.kind, entry.credited, entry.debited, entry.amount) == ("write_off", "claims:2", "loan:1:7", 380)


def test_an_estate_takes_over_the_claims_of_who_is_out() -> None:
    """What is repaid then comes off the claims of the estate, not of the bank's own."""
    inherited = LoanInherited(loan=7, borrower=1, lender=2, amount=500, rule="SJG-4b")
    books = books_of(FROM_BOB, inherited)
    assert books.debts() == {"loan:1:7": -500, "claims:2": 0, "claims:2:estate": 500}
    books = books_of(FROM_BOB, inherited, paid(FROM_BOB, 500, estate=True))
    assert books.debts() == {"loan:1:7": 0, "claims:2": 0, "claims:2:estate": 0}


@pytest.mark.parametrize(
    ("account", "kind", "seats"),
    [
        (loan_account(1, 7), "loan", [1]),
        (loan_account(2), "loan", [2]),
        (claims_account(0), "claims", []),
        (claims_account(2), "claims", [2]),
        (claims_account(2, estate=True), "claims", [2]),
        ("bank", "purse", []),
        (ANN, "seat", [1]),
    ],
)
def test_the_chart_knows_whose_an_account_is(account: str, kind: str, seats: list[int]) -> None:
    assert kind_of(account) == kind
    assert is_cash(account) == (kind in ("purse", "seat"))
    assert [seat for seat in range(9) if belongs_to(account, seat)] == seats


def test_loans_are_compared_with_the_state() -> None:
    books, cash = books_of(FROM_BOB, moved(BOB, ANN, 400)), {ANN: 400, BOB: -400}
    bob = "Account seat:2 stands at -$400 and may not be negative."
    assert check(books, cash) == [bob]
    assert check(books, cash, {"loan:1:7": -500, "claims:2": 500}) == [bob]
    assert check(books, cash, {"loan:1:7": -400, "claims:2": 500}) == [
        bob, "Account loan:1:7 stands at -$500 in the ledger and at -$400 in the game.",
    ]  # fmt: skip


def test_what_was_paid_twice_is_found() -> None:
    books = books_of(FROM_BOB, paid(FROM_BOB, 500), paid(FROM_BOB, 500))
    assert check(books, {}) == [
        "Account claims:2 stands at -$500 and may not be negative.",
        "Account loan:1:7 stands at $500: more was paid back than was owed.",
    ]
