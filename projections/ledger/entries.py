"""How an event of money reads as an entry of the books: what moved, between which accounts, and why."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from events.base import Account, Envelope, Event
from events.play import DebtForgiven, MoneyMoved, Part
from events.public_assistance.events import LoanRepaid, NotesWritten
from events.social_justice.deals import LoanGranted, LoanInherited, LoanPaid, LoanWrittenOff
from projections.ledger.chart import CLAIMS, EntryKind, LedgerEntry, Posting, claims_account, loan_account


class Line(NamedTuple):
    """The part of an entry that its event gives; the envelope gives the rest. See `LedgerEntry`."""

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
    """Tell what an event did to the books; None when they do not know it.

    Args:
        envelope: The event.
        balances: Those right after it.
        step: Number of the action that it came of.
        custodian: Seat of record for the public purse; 0 for none.
    """
    line_of = LINES.get(type(envelope.data))
    if line_of is None:
        return None
    line = line_of(envelope.data)
    return LedgerEntry(
        version=envelope.version,
        turn=envelope.turn,
        step=step,
        at=envelope.at,
        actor=envelope.actor,
        action=envelope.action,
        custodian=custodian,
        postings=() if line.kind == "forgiven" else _postings(line, balances),
        **line._asdict(),
    )


def _postings(line: Line, balances: Mapping[Account, int]) -> tuple[Posting, ...]:
    return (
        Posting(line.credited, -line.amount, balances[line.credited]),
        Posting(line.debited, line.amount, balances[line.debited]),
    )


def _transfer(event: MoneyMoved) -> Line:
    return Line(
        "transfer", event.payer, event.payee, event.amount, event.reason, event.rule, event.ref, event.breakdown
    )


def _loan(event: NotesWritten) -> Line:
    account = loan_account(event.seat)
    shares = (
        Part(what="principal", amount=event.principal),
        Part(what="interest", amount=event.due - event.principal),
    )
    return Line("loan", account, CLAIMS, event.due, "notes_written", event.rule, account, shares)


def _repayment(event: LoanRepaid) -> Line:
    account = loan_account(event.seat)
    return Line("repayment", CLAIMS, account, event.amount, "loan_repaid", event.rule, account)


def _granted(event: LoanGranted) -> Line:
    account = loan_account(event.borrower, event.loan)
    shares = (
        Part(what="principal", amount=event.principal),
        Part(what="interest", amount=event.amount - event.principal),
    )
    return Line("loan", account, claims_account(event.lender), event.amount, "loan", event.rule, account, shares)


def _back(kind: EntryKind, reason: str, event: LoanPaid | LoanWrittenOff) -> Line:
    account = loan_account(event.borrower, event.loan)
    claims = claims_account(event.lender, estate=event.estate)
    return Line(kind, claims, account, event.amount, reason, event.rule, account)


def _inherited(event: LoanInherited) -> Line:
    account = loan_account(event.borrower, event.loan)
    living, estate = claims_account(event.lender), claims_account(event.lender, estate=True)
    return Line("inheritance", living, estate, event.amount, "loan_inherited", event.rule, account)


def _forgiven(event: DebtForgiven) -> Line:
    return Line("forgiven", event.payer, event.payee, event.amount, event.reason, event.rule, event.ref)


LINES: Mapping[type[Event], Callable[[Any], Line]] = {
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
