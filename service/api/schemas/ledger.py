"""What answers about the books look like: statements, explanations, the bank's policy, the exported document."""

import marshmallow as ma

from service.api.schemas.answers import Account, EntryAnswer, flag, many, text, whole
from service.api.schemas.fields import Component
from service.api.schemas.requests import Strict


def cursor() -> ma.fields.String:
    """Where a list goes on."""
    return ma.fields.String(required=True, allow_none=True, metadata={"description": "Cursor of the next page."})


class StatementLine(Strict):
    """An entry, as it is to one account."""

    amount = whole("By how much it changed the account; 0 for a forgiven debt.")
    balance = whole("What the account stands at after it.")
    entry = Component("LedgerEntry", required=True)


class StatementAnswer(Strict):
    """The statement of an account, or a page of it."""

    game = text()
    version = whole("Version that it ends at.")
    account = text()
    kind = text()
    after = whole("Version that it begins behind.")
    opening = whole("What the account stood at there.")
    closing = whole("What it stands at in the end; not of this page.")
    lines = many(StatementLine)
    next = cursor()


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
    """A posting and all that it came of."""

    amount = whole("The posting's.")
    balance = whole("What the account stands at after it.")
    rule = text("Number of the rule that made it due.")
    entry = Component("LedgerEntry", required=True)
    event = ma.fields.Nested(EntryAnswer, required=True)
    action = ma.fields.Nested(EntryAnswer, required=True, metadata={"description": "The event that tells of it."})


class ExplainAnswer(Strict):
    """A balance, explained: the sums by reason add up to it, and so do the postings of all pages."""

    game = text()
    version = whole()
    account = text()
    kind = text()
    balance = whole()
    reasons = many(ShareOf)
    postings = many(CauseOf)
    next = cursor()


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
    """The custodian's word for the books."""

    version = whole("Version of the event.")
    at = whole("UTC, milliseconds.")
    seat = whole()
    upto = whole("Every event up to this version is meant.")
    digest = text("What was attested.")
    found = text("Digest of the ledger's cash there.")
    agrees = flag("The ledger says the same.")


class CustodianOf(Strict):
    """A custodian of record, from a version on."""

    version = whole()
    seat = whole()
    why = text()


class PolicyAnswer(Strict):
    """What the public purse or the bank did between two versions."""

    game = text()
    version = whole("Version that it ends at.")
    after = whole("Version that it begins behind.")
    account = text("The purse's.")
    in_play = whole("Money in everybody's hands and in escrow at the end.")
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
    names = ma.fields.Dict(
        keys=ma.fields.String(),
        values=ma.fields.String(),
        required=True,
        metadata={"description": "Names of the seats that have one, by seat; [erased] when it was erased."},
    )
    accounts = many(Account)
    entries = many(Component("LedgerEntry"))
