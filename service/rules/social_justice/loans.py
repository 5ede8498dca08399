"""Loans (SJG-11 to SJG-16)."""

from events.agenda import AnyTask, DueLoan, LoanPaid
from service.rules.social_justice.table import SjPlay, State


def due_tasks(_state: State, _seat: int) -> list[AnyTask]:
    """List what is due now, oldest first."""
    return []


def fall_due(play: SjPlay, task: DueLoan) -> None:
    """Let a seat pay a loan that is due: push `LoanPaid` and owe the amount."""


def paid(play: SjPlay, task: LoanPaid) -> None:
    """A due loan was paid in full."""


def bank_loan_cap(_state: State, _seat: int) -> int:
    """Give the most that the bank would lend a seat now; 0 for nothing."""
    return 0


def borrow_from_bank(play: SjPlay, seat: int, amount: int) -> None:
    """Take a loan from the automatic bank."""


def settle_estate(play: SjPlay, seat: int, *, first: str) -> None:
    """Pay lenders pro rata out of what cash is left, behind the creditor of `first`, and write off the rest."""


def assign_to_estate(play: SjPlay, seat: int) -> None:
    """Let loans owed to a seat run on with its estate as creditor."""
