"""The books: accounts, entries, statements, explanations, the bank's policy, exports."""

from typing import get_args

import marshmallow as ma
from marshmallow.validate import Length, OneOf, Regexp

from projections.ledger.chart import AccountKind
from service.api.http.converters import GameId
from service.api.schemas import fields as f
from service.api.schemas.base import AtQuery, Strict, flag, many, names, next_page, page_before, text, whole
from service.api.schemas.fields import Component
from service.api.schemas.play import EntryAnswer
from service.ledger.exports import FORMATS

MOST_EXPORTED = 50
ONE_GAME = GameId.regex
GAMES_WANTED = f"Ids of 1 to {MOST_EXPORTED} games with commas between."


class AccountsQuery(AtQuery):
    """Which accounts to list."""

    kind = ma.fields.String(validate=OneOf(get_args(AccountKind)))
    seat = f.QueryWhole(least=1, most=8, metadata={"description": "Its cash, what it owes, or what it lent."})
    limit = f.QueryWhole(least=1, most=500, load_default=500)
    cursor = page_before()


class EntriesQuery(AtQuery):
    """Which entries of the ledger to list."""

    account = ma.fields.String(validate=Length(1, 40))
    seat = f.QueryWhole(least=1, most=8)
    reason = ma.fields.String(validate=Length(1, 80))
    rule = ma.fields.String(validate=Length(1, 40))
    turn = f.QueryWhole(least=0, metadata={"description": "Number of the turn; 0 is before the first."})
    least = f.QueryWhole(least=0, metadata={"description": "Smallest amount."})
    most = f.QueryWhole(least=0, metadata={"description": "Largest amount."})
    limit = f.QueryWhole(least=1, most=500, load_default=100)
    cursor = page_before()


class PeriodQuery(AtQuery):
    """Between which versions."""

    after = f.QueryWhole(least=0, load_default=0, metadata={"description": "Version that it begins after."})


class StatementQuery(PeriodQuery):
    """Whose statement, from when to when."""

    account = ma.fields.String(required=True, validate=Length(1, 40))
    limit = f.QueryWhole(least=1, most=500, load_default=100)
    cursor = page_before()


class ExplainQuery(AtQuery):
    """Which balance to explain."""

    account = ma.fields.String(required=True, validate=Length(1, 40))
    limit = f.QueryWhole(least=1, most=100, load_default=50)
    cursor = page_before()


class ExportQuery(AtQuery):
    """Which file to make."""

    format = ma.fields.String(required=True, validate=OneOf(tuple(FORMATS)))


class ExportManyQuery(Strict):
    """Which games to export, and how."""

    format = ma.fields.String(required=True, validate=OneOf(tuple(FORMATS)))
    games = ma.fields.String(
        required=True,
        validate=Regexp(rf"^{ONE_GAME}(,{ONE_GAME}){{0,{MOST_EXPORTED - 1}}}\Z", error=GAMES_WANTED),
        metadata={"description": GAMES_WANTED, "pattern": f"^{ONE_GAME}(,{ONE_GAME}){{0,{MOST_EXPORTED - 1}}}$"},
    )


class Account(Strict):
    """An account of the ledger."""

    account = text()
    kind = text()
    balance = whole("Whole dollars; a debit is positive.")


class AccountListAnswer(Strict):
    """Every account that was ever posted to, by name."""

    game = text()
    version = whole()
    accounts = many(Account)
    next = next_page()


class LedgerEntryListAnswer(Strict):
    """Entries of the ledger, in order."""

    game = text()
    version = whole("Version up to which they are listed.")
    entries = many(Component("LedgerEntry"))
    next = next_page()


class TrialRow(Strict):
    """An account, in the column of its side."""

    account = text()
    debit = whole()
    credit = whole()


class TrialBalanceAnswer(Strict):
    """The trial balance; both totals are equal in right books."""

    game = text()
    version = whole()
    rows = many(TrialRow)
    debit = whole()
    credit = whole()


class StatementLine(Strict):
    """An entry, from the side of one account."""

    amount = whole("By how much it changed the account; 0 for a forgiven debt.")
    balance = whole("What the account stands at after it.")
    entry = Component("LedgerEntry", required=True)


class StatementAnswer(Strict):
    """The statement of an account, or a page of it."""

    game = text()
    version = whole("Version that it ends at.")
    account = text()
    kind = text()
    after = whole("Version that it begins after.")
    opening = whole("What the account stood at there.")
    closing = whole("What it stands at in the end; not of this page.")
    lines = many(StatementLine)
    next = next_page()


class ShareOf(Strict):
    """What one reason, under one rule, did to an account."""

    reason = text()
    rule = text()
    entries = whole("How many.")
    debit = whole("Sum of what came in.")
    credit = whole("Sum of what went out.")
    sum = whole("Debit less credit.")
    first = whole("Version of the first of them.")
    last = whole("Version of the last of them.")


class CauseOf(Strict):
    """A posting and what led to it."""

    amount = whole("The posting's.")
    balance = whole("What the account stands at after it.")
    rule = text("Number of the rule that made it due.")
    entry = Component("LedgerEntry", required=True)
    event = ma.fields.Nested(EntryAnswer, required=True)
    action = ma.fields.Nested(EntryAnswer, required=True, metadata={"description": "The event that records it."})


class ExplainAnswer(Strict):
    """A balance, explained: the sums by reason add up to it, and so do the postings of all pages."""

    game = text()
    version = whole()
    account = text()
    kind = text()
    balance = whole()
    reasons = many(ShareOf)
    postings = many(CauseOf)
    next = next_page()


class PolicyShare(Strict):
    """What the purse gave and took for one reason, under one rule."""

    reason = text()
    rule = text()
    entries = whole("How many.")
    created = whole("Money that came into play.")
    taken_back = whole("Money that went out of play.")
    first = whole("Version of the first of them.")
    last = whole("Version of the last of them.")


class AttestationOf(Strict):
    """An attestation of the books by the custodian."""

    version = whole("Version of the event.")
    at = whole("UTC, milliseconds.")
    seat = whole()
    upto = whole("Every event up to this version is meant.")
    digest = text("What was attested.")
    found = text("Digest of the ledger's cash there.")
    agrees = flag("The ledger has the same digest.")


class CustodianOf(Strict):
    """A custodian of record, from a version on."""

    version = whole()
    seat = whole()
    why = text()


class PolicyAnswer(Strict):
    """What the public purse or the bank did between two versions."""

    game = text()
    version = whole("Version that it ends at.")
    after = whole("Version that it begins after.")
    account = text("The purse's.")
    in_play = whole("Money of all players and in escrow at the end.")
    created = whole("Money that came into play.")
    taken_back = whole("Money that went out of play.")
    reasons = many(PolicyShare)
    custodians = many(CustodianOf)
    attestations = many(AttestationOf)


class LedgerDocumentAnswer(Strict):
    """The whole ledger as one document."""

    game = text()
    rulebook = text()
    version = whole()
    names = names()
    accounts = many(Account)
    entries = many(Component("LedgerEntry"))
