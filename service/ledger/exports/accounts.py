"""Our accounts under the names that Beancount and hledger ask for.

No account here is the parent of another: a Beancount balance takes in what lies below. Two accounts never share a name;
one that the chart does not know, as a forged history may hold, is written in hex.
"""

import re

from events.base import BANK, CUSTODIAN, ESCROW, Account
from projections.ledger.chart import CLAIMS
from service.ledger.exports.source import Source
from service.ledger.exports.text import line

COMMODITY = "MNY"
"""Play money, in whole dollars."""

SINGLE = {
    CUSTODIAN: "Equity:Custodian",
    BANK: "Equity:Bank",
    ESCROW: "Assets:Escrow",
    CLAIMS: "Assets:Claims:Purse",
}

PATTERNS = (
    (re.compile(r"seat:([1-8])"), r"Assets:Cash:Seat\1"),
    (re.compile(r"loan:([1-8])"), r"Liabilities:Notes:Seat\1"),
    (re.compile(r"loan:([1-8]):([1-9][0-9]*)", re.ASCII), r"Liabilities:Loans:Seat\1:No\2"),
    (re.compile(r"claims:([1-8])"), r"Assets:Claims:Seat\1"),
    (re.compile(r"claims:([1-8]):estate"), r"Assets:Claims:Estate\1"),
)


def tool_name(account: Account, root: str = "") -> str:
    """Return the name of an account in the tools; with a root, `Assets:<root>:Escrow`."""
    kind, _, name = _plain_name(account).partition(":")
    return ":".join(filter(None, (kind, root, name)))


def _plain_name(account: Account) -> str:
    if account in SINGLE:
        return SINGLE[account]
    for pattern, name in PATTERNS:
        if found := pattern.fullmatch(account):
            return found.expand(name)
    return f"Equity:Other:X{account.encode('utf-8', 'replace').hex()}"


def owner(source: Source, account: Account) -> str:
    """Return the name of the seat whose cash an account holds; empty for every other account."""
    kind, _, seat = account.partition(":")
    name = source.names.get(int(seat), "") if kind == "seat" and seat.isdecimal() else ""
    return line(name)
