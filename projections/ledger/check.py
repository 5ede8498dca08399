"""Whether the books are right: the trial balance, and the checks that hold after every event.

A finding is a plain sentence that names account and amounts: an error here is a value, for the auditor's report.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from events.base import Account
from projections.ledger.books import Books
from projections.ledger.chart import is_cash, may_be_negative
from projections.timeline.words import money


class TrialRow(Struct, frozen=True):
    """One account of a trial balance; one of the two columns is 0."""

    account: Account
    debit: int
    credit: int


class TrialBalance(Struct, frozen=True, kw_only=True):
    """Every account at one version, by name, and the totals of both columns, which are equal in right books."""

    version: int
    rows: tuple[TrialRow, ...]
    debit: int
    credit: int


def trial_balance(books: Books) -> TrialBalance:
    """List every account that was ever posted to, in the column of its side."""
    rows = tuple(
        TrialRow(account, max(balance, 0), max(-balance, 0)) for account, balance in sorted(books.balances.items())
    )
    return TrialBalance(
        version=books.version,
        rows=rows,
        debit=sum(row.debit for row in rows),
        credit=sum(row.credit for row in rows),
    )


def check(
    books: Books, state_cash: Mapping[Account, int], state_debts: Mapping[Account, int] | None = None
) -> list[str]:
    """List what is wrong with books, compared with the game state at the same version; empty when all is well.

    Args:
        books: The books.
        state_cash: Balance of each account of cash in the game state.
        state_debts: Its loans and claims (`projections.ledger.debts`); None where the state does not hold amounts.
    """
    differences = list(_differences(books.cash(), state_cash))
    if state_debts is not None:
        differences += _differences(books.debts(), state_debts)
    return [*_sums(books), *_signs(books), *differences]


def _sums(books: Books) -> Iterator[str]:
    for what, cash in (("accounts of cash", True), ("loan accounts and claims", False)):
        total = sum(balance for account, balance in books.balances.items() if is_cash(account) == cash)
        if total:
            yield f"The {what} sum to {money(total)} and not to $0."


def _signs(books: Books) -> Iterator[str]:
    for account, balance in sorted(books.balances.items()):
        if balance < 0 and not may_be_negative(account):
            yield f"Account {account} stands at {money(balance)} and may not be negative."
        if balance > 0 and account.startswith("loan:"):
            yield f"Account {account} stands at {money(balance)}: more was paid back than was owed."


def _differences(ledger: Mapping[Account, int], state: Mapping[Account, int]) -> Iterator[str]:
    for account in sorted({*ledger, *state}):
        booked, held = ledger.get(account, 0), state.get(account, 0)
        if booked != held:
            yield f"Account {account} stands at {money(booked)} in the ledger and at {money(held)} in the game."
