"""Money between people as it stands: open offers, loans and agreements.

What is settled is gone from here, and stands in its events alone.
"""

from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from events.social_justice.deals import AnyTerms, LoanTerms, SaleTerms, ScheduledPayment

LOAN = -1
"""Stands for a loan where a square stands for its title."""


class Offer(Struct, kw_only=True, frozen=True):
    """An open offer; see `OfferMade`."""

    offer: int
    by: int
    to: int
    window: str
    terms: AnyTerms

    def parties(self) -> tuple[int, int]:
        """Return both sides; 0 is the bank."""
        return self.by, self.to


class Loan(Struct, kw_only=True, frozen=True):
    """An open loan.

    Attributes:
        loan: Its number.
        borrower: Who owes it.
        lender: Who lent it; 0 for the bank.
        estate: The lender is out, and their estate is the creditor.
        principal: Cash lent.
        pct: Flat interest in percent of it.
        owed: What is due: principal and interest.
        due: The borrower's own turn at whose start it is due.
        rule: Rule that it was lent by.
    """

    loan: int
    borrower: int
    lender: int
    estate: bool = False
    principal: int
    pct: int
    owed: int
    due: int
    rule: str

    @property
    def kind(self) -> Literal["bank", "player", "estate"]:
        """Return who the creditor is."""
        # An estate's loan is no bank loan, though what is repaid passes to the bank.
        if self.estate:
            return "estate"
        return "player" if self.lender else "bank"


class Schedule(Struct, kw_only=True, frozen=True):
    """A scheduled payment under way.

    Attributes:
        terms: What was agreed on.
        since: Own turns that the payer had begun when it was.
        done: How often it has run.
    """

    terms: ScheduledPayment
    since: int
    done: int = 0

    def left(self) -> int:
        """Return how often it is still to run."""
        return self.terms.times - self.done


class Agreement(Struct, kw_only=True, frozen=True):
    """An agreement of two.

    Attributes:
        agreement: Its number.
        parties: Who proposed it and who accepted.
        text: Digest of its text; empty without one.
        payments: What runs by itself.
        cancels: The party that wants it to end; 0 for none.
    """

    agreement: int
    parties: tuple[int, int]
    text: str
    payments: tuple[Schedule, ...]
    cancels: int = 0


class Refused(Struct, frozen=True):
    """What the banker's seat declined in a raise-funds window (SJG-9).

    Attributes:
        window: The prompt of the window.
        square: The title; `LOAN` for a loan.
    """

    window: str
    square: int


class Deals(Struct, kw_only=True):
    """All offers, loans and agreements; each number is used once in a game.

    Attributes:
        offers: Open offers by number.
        loans: Open loans by number, oldest first.
        agreements: Agreements in force by number.
        refused: What the banker declined in the raise-funds window that is open.
        last_offer: Last number given to an offer.
        last_loan: Last number given to a loan.
        last_agreement: Last number given to an agreement.
    """

    offers: dict[int, Offer] = field(default_factory=dict)
    loans: dict[int, Loan] = field(default_factory=dict)
    agreements: dict[int, Agreement] = field(default_factory=dict)
    refused: tuple[Refused, ...] = ()
    last_offer: int = 0
    last_loan: int = 0
    last_agreement: int = 0

    def copy(self) -> "Deals":
        """Return deals that can be changed alone."""
        return replace(self, offers=self.offers.copy(), loans=self.loans.copy(), agreements=self.agreements.copy())

    def owed_by(self, seat: int) -> list[Loan]:
        """List what a seat owes, oldest first."""
        return [loan for loan in self.loans.values() if loan.borrower == seat]

    def owed_to(self, seat: int) -> list[Loan]:
        """List what a living seat lent, oldest first."""
        return [loan for loan in self.loans.values() if loan.lender == seat and not loan.estate]


def subject_of(terms: AnyTerms) -> int:
    """Return the square that an offer to the bank is about, or `LOAN`."""
    assert isinstance(terms, SaleTerms | LoanTerms)
    return terms.square if isinstance(terms, SaleTerms) else LOAN
