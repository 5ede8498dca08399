"""Why a balance is what it is, down to posting, event, action and rule; and what the bank or the purse did.

The sums by reason add up to the balance, and so do the amounts of all postings.
"""

from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from events import codec
from events.base import BANK, CUSTODIAN, Account, Envelope, Opaque, Rulebook
from events.lobby import CustodianNamed
from events.play import ActionTaken, BooksAttested
from events.store import Entry
from projections.ledger.books import UnreadableBooks
from projections.ledger.chart import LedgerEntry, amount_on, digest_of
from projections.ledger.entries import BOOKINGS, Booking
from service.games.loading import Loader
from service.ledger.entries import MOST_SCANNED, BookedEvent, BooksReplay

PURSES: dict[Rulebook, Account] = {"public_assistance": CUSTODIAN, "social_justice": BANK}
"""The account that money comes from and goes back to."""


@dataclass(slots=True)
class Share:
    """What one reason, under one rule, did to an account.

    Attributes:
        reason: Stable word.
        rule: Number in the rule catalogue.
        entries: How many.
        debit: Sum of what came in.
        credit: Sum of what went out.
        first: Version of the first of them.
        last: Version of the last.
    """

    reason: str
    rule: str
    entries: int = 0
    debit: int = 0
    credit: int = 0
    first: int = 0
    last: int = 0

    @property
    def sum(self) -> int:
        """By how much they changed the account."""
        return self.debit - self.credit

    def as_dict(self) -> dict[str, Any]:
        """Return it in the shape of the API's answer."""
        return {**asdict(self), "sum": self.sum}

    def as_policy(self) -> dict[str, Any]:
        """Return it as what a purse did: its credits are money created, its debits money taken back."""
        fields = asdict(self)
        return {"created": fields.pop("credit"), "taken_back": fields.pop("debit"), **fields}

    def add(self, version: int, amount: int) -> None:
        """Count an entry."""
        self.entries += 1
        self.debit += max(amount, 0)
        self.credit += max(-amount, 0)
        self.first = self.first or version
        self.last = version


class Cause(NamedTuple):
    """A posting and what caused it.

    Attributes:
        entry: The entry that it is a part of; it names the rule.
        amount: The posting's, on the explained account.
        balance: The balance of the account after it.
        stored: The event, as it stands in the stream.
        action: The stored event that records the action; the game's creation before any action.
    """

    entry: LedgerEntry
    amount: int
    balance: int
    stored: Entry
    action: Entry


class Attestation(NamedTuple):
    """The custodian's statement that the books are right.

    Attributes:
        version: Version of the event.
        at: When it was given (UTC, ms).
        seat: The custodian's seat.
        upto: Version that the books are attested up to.
        digest: The attested digest of the cash.
        found: The digest of the ledger's cash there.
    """

    version: int
    at: int
    seat: int
    upto: int
    digest: str
    found: str

    @property
    def agrees(self) -> bool:
        """Whether the ledger has the same digest, and the statement is about the version right before it."""
        return self.digest == self.found and self.upto == self.version - 1


class Named(NamedTuple):
    """A custodian of record, from a version on."""

    version: int
    seat: int
    why: str


@dataclass(slots=True)
class Policy:
    """What the public purse or the bank did between two versions.

    Attributes:
        account: Its account; a credit there is money created, a debit money taken back.
        balance: Its balance in the end: what is in play, with a minus.
        shares: By reason.
        attestations: The custodian's statements about the books.
        custodians: The custodians of record.
    """

    account: Account
    balance: int = 0
    shares: tuple[Share, ...] = ()
    attestations: list[Attestation] = field(default_factory=list)
    custodians: list[Named] = field(default_factory=list)

    @property
    def created(self) -> int:
        """Money that came into play."""
        return sum(share.credit for share in self.shares)

    @property
    def taken_back(self) -> int:
        """Money that went out of play."""
        return sum(share.debit for share in self.shares)

    def as_dict(self) -> dict[str, Any]:
        """Return it in the shape of the API's answer."""
        return {
            "account": self.account,
            "in_play": -self.balance,
            "created": self.created,
            "taken_back": self.taken_back,
            "reasons": [share.as_policy() for share in self.shares],
            "custodians": [named._asdict() for named in self.custodians],
            "attestations": [{**word._asdict(), "agrees": word.agrees} for word in self.attestations],
        }


def shares_of(loader: Loader, game: str, account: Account, *, after: int = 0, upto: int) -> tuple[Share, ...]:
    """Sum up by reason and rule what changed an account; the largest change first."""
    return _summed(loader, game, account, after, upto, loader.at(game, upto).link)[0]


Noted: TypeAlias = Envelope[BooksAttested] | Envelope[CustodianNamed]


@lru_cache(maxsize=256)
def _summed(
    loader: Loader, game: str, account: Account, after: int, upto: int, _link: bytes
) -> tuple[tuple[Share, ...], tuple[Noted, ...]]:
    """Read a game once: for its shares, and for what is said of its purse.

    No balances are made: they would cost most of the time. It is kept for the next page, since what is below a link
    never changes.

    Raises:
        UnreadableBooks: An event of a later release stands there.
    """
    found: dict[tuple[str, str], Share] = {}
    noted: list[Noted] = []
    for batch in loader.stream(game, after=after, upto=upto):
        for envelope in codec.decode_all(entry.data for entry in batch):
            event = envelope.data
            if book := BOOKINGS.get(type(event)):
                _add(found, account, envelope.version, book(event))
            elif isinstance(event, BooksAttested | CustodianNamed):
                noted.append(envelope)  # type: ignore[arg-type] # its data is one of the two
            elif isinstance(event, Opaque):
                raise UnreadableBooks(envelope.version, event.name)
    shares = sorted(found.values(), key=lambda share: (-abs(share.sum), share.reason, share.rule))
    return tuple(shares), tuple(noted)


def _add(found: dict[tuple[str, str], Share], account: Account, version: int, booking: Booking) -> None:
    amount = booking.amount * ((booking.debited == account) - (booking.credited == account))
    if amount and booking.kind != "forgiven":
        key = (booking.reason, booking.rule)
        found.setdefault(key, Share(*key)).add(version, amount)


def causes(
    loader: Loader, game: str, account: Account, *, after: int, upto: int, limit: int
) -> tuple[list[Cause], int | None]:
    """List the postings of an account after a version, each with what caused it.

    Returns:
        The causes, and the version to go on after; None at the end. A page may be short.
    """
    found: list[Cause] = []
    action = _begun(loader, game, after)
    for booked in BooksReplay(loader, game, after=after, upto=upto):
        version = booked.envelope.version
        if version == 1 or isinstance(booked.envelope.data, ActionTaken):
            action = booked.stored
        if cause := _cause(booked, account, action):
            found.append(cause)
        if len(found) == limit or version >= after + MOST_SCANNED:
            return found, version if version < upto else None
    return found, None


def _cause(booked: BookedEvent, account: Account, action: Entry | None) -> Cause | None:
    """Return an event as the cause of a posting to an account; None where it made none."""
    entry = booked.entry
    if entry is None or action is None:
        return None
    for posting in entry.postings:
        if posting.account == account:
            return Cause(entry, amount_on(entry, account), posting.balance, booked.stored, action)
    return None


def _begun(loader: Loader, game: str, version: int) -> Entry | None:
    """Return the event that begins the step of a version; None before the first."""
    while version:
        batch = loader.read(game, after=max(version - BACK, 0), upto=version)
        for stored in reversed(batch):
            envelope = codec.decode(stored.data)
            if envelope.version == 1 or isinstance(envelope.data, ActionTaken):
                return stored
        version = max(version - BACK, 0)
    return None


BACK = 50
"""Events read at once on the way back to the beginning of a step; most steps are shorter."""


def policy_of(loader: Loader, game: str, *, after: int, upto: int) -> Policy:
    """Return what the public purse or the bank did after a version, up to another."""
    found = loader.at(game, upto)
    assert found.state is not None, "a version from 1 has a state"
    rulebook: Rulebook = found.state.__struct_config__.tag  # type: ignore[assignment] # the tag of a state is its rulebook
    policy = Policy(account=PURSES[rulebook], balance=found.books.balances.get(PURSES[rulebook], 0))
    policy.shares, noted = _summed(loader, game, policy.account, after, upto, found.link)
    for envelope in noted:
        _note(policy, envelope, loader, game)
    return policy


def _note(policy: Policy, envelope: Noted, loader: Loader, game: str) -> None:
    """Collect attestations and custodians; an attestation is compared with the books right before it."""
    match envelope.data:
        case BooksAttested() as event:
            found = digest_of(loader.at(game, envelope.version - 1).books.cash())
            policy.attestations.append(
                Attestation(envelope.version, envelope.at, event.seat, event.version, event.digest, found)
            )
        case CustodianNamed() as event:
            policy.custodians.append(Named(envelope.version, event.seat, event.why))
