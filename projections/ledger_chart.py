"""The chart of accounts and what a line of the books looks like; `docs/ledger.md` says it for readers.

A balance is a signed whole number: a debit is positive, a credit is negative, and the postings of an entry sum to
zero. Cash received is a debit. What a seat owes is a credit on its loan account; `claims` holds the other side.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from events.base import ESCROW, Account
from events.play import Part

CLAIMS: Account = "claims"
"""The other side of every loan account: what the public purse may ask for."""

EntryKind: TypeAlias = Literal["transfer", "loan", "repayment", "forgiven"]
AccountKind: TypeAlias = Literal["purse", "seat", "escrow", "loan", "claims"]


class Posting(Struct, frozen=True):
    """One account's share of an entry.

    Attributes:
        account: Name of the account.
        amount: Whole dollars; a debit is positive, a credit negative.
    """

    account: Account
    amount: int


class LedgerEntry(Struct, frozen=True, kw_only=True):
    """What one event did to the books.

    Attributes:
        version: Version of the event.
        turn: Turn that it belongs to.
        at: When it was recorded (UTC, ms).
        actor: Who caused it.
        action: Id of the action that it came of.
        kind: Cash moved, notes were written or paid back, or a debt was let go.
        reason: Stable word for reports.
        rule: Number in the rule catalogue.
        ref: What it is about; empty where there is nothing.
        breakdown: The shares of the amount, where it has several.
        custodian: Seat of record for the public purse at that time; 0 for none.
        credited: Account that the amount came from.
        debited: Account that it went to.
        amount: Whole dollars, always positive.
        postings: The two of them, credit first; none when a debt was forgiven, for nothing moved.
    """

    version: int
    turn: int
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


def loan_account(seat: int) -> Account:
    """Name the account of what a seat still owes: one for each seat, since its notes are equal counters."""
    return f"loan:{seat}"


def kind_of(account: Account) -> AccountKind:
    """Tell what an account is for, by its name."""
    if account.startswith("seat:"):
        return "seat"
    if account.startswith("loan:"):
        return "loan"
    if account == ESCROW:
        return "escrow"
    return "claims" if account == CLAIMS else "purse"


def is_cash(account: Account) -> bool:
    """Tell whether an account holds cash."""
    return kind_of(account) in ("purse", "seat", "escrow")


def may_be_negative(account: Account) -> bool:
    """Tell whether an account may stand in credit: the purse has no limit, and a loan is owed."""
    return kind_of(account) in ("purse", "loan")


def digest_of(cash: Mapping[Account, int]) -> str:
    """Sum up a trial balance of cash in 64 hex digits, as `books_attested` gives it."""
    rows = [[account, balance] for account, balance in sorted(cash.items()) if balance]
    return sha256(msgspec.json.encode(rows)).hexdigest()
