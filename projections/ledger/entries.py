"""How an event of money reads as an entry of the books: what moved, between which accounts, and why."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from events.base import Account, Envelope, Event
from events.play import DebtForgiven, MoneyMoved, Part
from events.public_assistance.events import LoanRepaid, NotesWritten
from events.social_justice.deals import LoanGranted, LoanInherited, LoanPaid, LoanWrittenOff
from projections.ledger.chart import CLAIMS, EntryKind, LedgerEntry, Posting, claims_account, loan_account


class Booking(NamedTuple):
    """The part of an entry that comes from its event; the rest comes from the envelope. See `LedgerEntry`."""

    kind: EntryKind
    credited: Account
    debited: Account
    amount: int
    reason: str
    rule: str
    ref: str
    breakdown: tuple[Part, ...] = ()


def describe(
    envelope: Envelope[Event], balances: Mapping[Account, int], *, step: int, custodian: int
) -> LedgerEntry | None:
    """Return what an event did to the books; None where it did nothing.

    Args:
        envelope: The event.
        balances: Those right after it.
        step: Number of the action that caused it.
        custodian: Seat of record for the public purse; 0 for none.
    """
    book = BOOKINGS.get(type(envelope.data))
    if book is None:
        return None
    booking = book(envelope.data)
    return LedgerEntry(
        version=envelope.version,
        turn=envelope.turn,
        step=step,
        at=envelope.at,
        actor=envelope.actor,
        action=envelope.action,
        custodian=custodian,
        postings=() if booking.kind == "forgiven" else _postings(booking, balances),
        **booking._asdict(),
    )


def _postings(booking: Booking, balances: Mapping[Account, int]) -> tuple[Posting, ...]:
    return (
        Posting(booking.credited, -booking.amount, balances[booking.credited]),
        Posting(booking.debited, booking.amount, balances[booking.debited]),
    )


def _transfer(event: MoneyMoved) -> Booking:
    return Booking(
        "transfer", event.payer, event.payee, event.amount, event.reason, event.rule, event.ref, event.breakdown
    )


def _loan(event: NotesWritten) -> Booking:
    account, shares = loan_account(event.seat), _shares(event.principal, event.due)
    return Booking("loan", account, CLAIMS, event.due, "notes_written", event.rule, account, shares)


def _shares(principal: int, due: int) -> tuple[Part, ...]:
    return Part(what="principal", amount=principal), Part(what="interest", amount=due - principal)


def _repayment(event: LoanRepaid) -> Booking:
    account = loan_account(event.seat)
    return Booking("repayment", CLAIMS, account, event.amount, "loan_repaid", event.rule, account)


def _granted(event: LoanGranted) -> Booking:
    account, shares = loan_account(event.borrower, event.loan), _shares(event.principal, event.amount)
    return Booking("loan", account, claims_account(event.lender), event.amount, "loan", event.rule, account, shares)


def _back(kind: EntryKind, reason: str, event: LoanPaid | LoanWrittenOff) -> Booking:
    account = loan_account(event.borrower, event.loan)
    claims = claims_account(event.lender, estate=event.estate)
    return Booking(kind, claims, account, event.amount, reason, event.rule, account)


def _inherited(event: LoanInherited) -> Booking:
    account = loan_account(event.borrower, event.loan)
    living, estate = claims_account(event.lender), claims_account(event.lender, estate=True)
    return Booking("inheritance", living, estate, event.amount, "loan_inherited", event.rule, account)


def _forgiven(event: DebtForgiven) -> Booking:
    return Booking("forgiven", event.payer, event.payee, event.amount, event.reason, event.rule, event.ref)


BOOKINGS: Mapping[type[Event], Callable[[Any], Booking]] = {
    MoneyMoved: _transfer,
    NotesWritten: _loan,
    LoanRepaid: _repayment,
    DebtForgiven: _forgiven,
    LoanGranted: _granted,
    LoanPaid: lambda event: _back("repayment", "loan_paid", event),
    LoanWrittenOff: lambda event: _back("write_off", "loan_written_off", event),
    LoanInherited: _inherited,
}
"""The events that make an entry."""
