"""The chart of accounts and the entries of the books; `docs/ledger.md` explains them to readers.

A balance is a signed whole number: a debit is positive, a credit is negative, and the postings of an entry sum to
zero. Cash received is a debit. What is owed on a loan is a credit on its loan account; the claims of the lender are the
other side.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from events.base import ESCROW, Account
from events.play import Part

CLAIMS: Account = "claims"
"""The other side of what the public purse or the bank lent: what it may claim."""

ESTATE = "estate"
"""Marks the claims of a seat that is out (SJG-4b)."""

EntryKind: TypeAlias = Literal["transfer", "loan", "repayment", "forgiven", "write_off", "inheritance"]
AccountKind: TypeAlias = Literal["purse", "seat", "escrow", "loan", "claims"]


class Posting(Struct, frozen=True):
    """One account's share of an entry.

    Attributes:
        account: Name of the account.
        amount: Whole dollars; a debit is positive, a credit negative.
        balance: Balance of the account after it.
    """

    account: Account
    amount: int
    balance: int


class LedgerEntry(Struct, frozen=True, kw_only=True):
    """What one event did to the books.

    Attributes:
        version: Version of the event.
        turn: Turn that it belongs to.
        step: Number of the action that caused it, from 1, as in the replay.
        at: When it was recorded (UTC, ms).
        actor: Who caused it.
        action: Id of the action that caused it.
        kind: Cash moved, a loan was made or paid back, a debt was forgiven, a loan was written off, or an estate took
            over what a seat had lent.
        reason: Stable word for reports.
        rule: Number in the rule catalogue.
        ref: What it is about; empty where there is nothing.
        breakdown: The shares of the amount, where it has several.
        custodian: Seat of record for the public purse at that time; 0 for none.
        credited: Account that the amount came from.
        debited: Account that it went to.
        amount: Whole dollars, always positive.
        postings: The two of them, credit first; none for a forgiven debt, which moved nothing.
    """

    version: int
    turn: int
    step: int
    at: int
    actor: str
    action: str
    kind: EntryKind
    reason: str
    rule: str
    ref: str
    breakdown: tuple[Part, ...]
    custodian: int
    credited: Account
    debited: Account
    amount: int
    postings: tuple[Posting, ...]


def loan_account(seat: int, loan: int = 0) -> Account:
    """Return the name of the account of what a seat still owes.

    Notes are equal counters and have one account for each seat; a loan with a number has one of its own.
    """
    return f"loan:{seat}:{loan}" if loan else f"loan:{seat}"


def claims_account(lender: int, *, estate: bool = False) -> Account:
    """Return the name of the account of what a lender may claim; 0 is the bank."""
    if not lender:
        return CLAIMS
    return f"{CLAIMS}:{lender}:{ESTATE}" if estate else f"{CLAIMS}:{lender}"


def amount_on(entry: LedgerEntry, account: Account) -> int:
    """Return by how much an entry changed an account; 0 for a forgiven debt, which moved nothing."""
    return sum(posting.amount for posting in entry.postings if posting.account == account)


def belongs_to(account: Account, seat: int) -> bool:
    """Return whether an account is a seat's: its cash, what it owes, or what it (or its estate) may claim."""
    owner = account.split(":")[:2]
    return owner in (["seat", f"{seat}"], ["loan", f"{seat}"], [CLAIMS, f"{seat}"])


def kind_of(account: Account) -> AccountKind:
    """Return what an account is for, by its name."""
    if account.startswith("seat:"):
        return "seat"
    if account.startswith("loan:"):
        return "loan"
    if account == ESCROW:
        return "escrow"
    return "claims" if account.partition(":")[0] == CLAIMS else "purse"


def is_cash(account: Account) -> bool:
    """Return whether an account holds cash."""
    return kind_of(account) in ("purse", "seat", "escrow")


def may_be_negative(account: Account) -> bool:
    """Return whether an account may be in credit: the purse has no limit, and a loan is owed."""
    return kind_of(account) in ("purse", "loan")


def digest_of(cash: Mapping[Account, int]) -> str:
    """Return the digest of a trial balance of cash, as in `books_attested`."""
    rows = [[account, balance] for account, balance in sorted(cash.items()) if balance]
    return sha256(msgspec.json.encode(rows)).hexdigest()
