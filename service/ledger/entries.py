"""The ledger for readers: entries with filters, and statements, in pages from any version on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from events import codec
from events.base import Account, Envelope, Event
from events.store import Entry
from projections.ledger.books import Books
from projections.ledger.chart import LedgerEntry, amount_on, belongs_to
from service.errors import NoSuchAccount
from service.games.loading import Loader

MOST_SCANNED = 5_000
"""Events looked at for one page."""

MOST_AMOUNT = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries to list; an empty field (0 for `seat`, None for `turn`) takes all.

    Attributes:
        account: Credited or debited.
        seat: Its cash, what it owes, or what it lent.
        reason: Stable word.
        rule: Number in the rule catalogue.
        turn: Number of the turn; 0 is what came before the first.
        least: Smallest amount.
        most: Largest amount.
    """

    account: str = ""
    seat: int = 0
    reason: str = ""
    rule: str = ""
    turn: int | None = None
    least: int = 0
    most: int = MOST_AMOUNT

    def takes(self, entry: LedgerEntry) -> bool:
        """Tell whether an entry is to be listed."""
        touched = {entry.credited, entry.debited}
        return (
            self.account in ("", *touched)
            and (not self.seat or any(belongs_to(account, self.seat) for account in touched))
            and self.reason in ("", entry.reason)
            and self.rule in ("", entry.rule)
            and self.turn in (None, entry.turn)
            and self.least <= entry.amount <= self.most
        )


class Booked(NamedTuple):
    """An event on its way through the books.

    Attributes:
        stored: As it stands in the stream.
        envelope: The same, read.
        entry: What it did to the books; None when they do not know it.
    """

    stored: Entry
    envelope: Envelope[Event]
    entry: LedgerEntry | None


class Line(NamedTuple):
    """A line of a statement.

    Attributes:
        entry: The entry.
        amount: By how much it changed the account; 0 for a forgiven debt.
        balance: What the account stands at after it.
    """

    entry: LedgerEntry
    amount: int
    balance: int


class Walk:
    """The books on their way from one version to another, event by event.

    Attributes:
        books: Where they are; those right after the event that was given last.
    """

    def __init__(self, loader: Loader, game: str, *, after: int, upto: int) -> None:
        self.books: Books = loader.at(game, after).books
        self._batches = loader.stream(game, after=after, upto=upto)

    def __iter__(self) -> Iterator[Booked]:
        """Go on, event by event.

        Raises:
            UnreadableBooks: An event of a later release is next.
        """
        for batch in self._batches:
            for stored in batch:
                envelope = codec.decode(stored.data)
                yield Booked(stored, envelope, self.books.post(envelope))


def page(
    loader: Loader, game: str, wanted: Wanted, *, after: int, upto: int, limit: int
) -> tuple[list[LedgerEntry], int | None]:
    """List entries of the versions above `after`, up to and with `upto`, at most `limit`.

    Returns:
        The entries, and the version to go on after; None at the end. A page may be short.

    Raises:
        UnreadableBooks: An event of a later release stands in between.
    """
    found: list[LedgerEntry] = []
    for _, envelope, entry in Walk(loader, game, after=after, upto=upto):
        version = envelope.version
        if entry is not None and wanted.takes(entry):
            found.append(entry)
        if len(found) == limit or version >= after + MOST_SCANNED:
            return found, version if version < upto else None
    return found, None


def balance_of(loader: Loader, game: str, account: Account, *, at: int) -> int:
    """Give what an account stands at.

    Raises:
        NoSuchAccount: Nothing was posted to it up to that version.
    """
    balances = loader.at(game, at).books.balances
    if account not in balances:
        raise NoSuchAccount(f"Game {game} has no account of this name at version {at}.")
    return balances[account]


def lines(entries: list[LedgerEntry], account: Account, opening: int) -> list[Line]:
    """Make a statement of entries that all touch one account, from what it stood at before them."""
    found: list[Line] = []
    for entry in entries:
        amount = amount_on(entry, account)
        opening += amount
        found.append(Line(entry, amount, opening))
    return found
