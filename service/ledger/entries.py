"""The ledger for readers: filtered entries and statements, in pages that begin at any version."""

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
"""Events read for one page."""

MOST_AMOUNT = 2**53 - 1


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """Which entries to list; an empty field (0 for `seat`, None for `turn`) passes all.

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

    def passes(self, entry: LedgerEntry) -> bool:
        """Return whether an entry is to be listed."""
        touched = {entry.credited, entry.debited}
        return (
            self.account in ("", *touched)
            and (not self.seat or any(belongs_to(account, self.seat) for account in touched))
            and self.reason in ("", entry.reason)
            and self.rule in ("", entry.rule)
            and self.turn in (None, entry.turn)
            and self.least <= entry.amount <= self.most
        )


EVERY_ENTRY = EntryFilter()


class BookedEvent(NamedTuple):
    """An event and its ledger entry.

    Attributes:
        stored: The event as it stands in the stream.
        envelope: The same, decoded.
        entry: Its entry; None for an event that moves no money.
    """

    stored: Entry
    envelope: Envelope[Event]
    entry: LedgerEntry | None


class StatementLine(NamedTuple):
    """A line of a statement.

    Attributes:
        entry: The entry.
        amount: By how much it changed the account; 0 for a forgiven debt.
        balance: The balance of the account after it.
    """

    entry: LedgerEntry
    amount: int
    balance: int


class BooksReplay:
    """The books of a game folded from one version to another, event by event.

    Attributes:
        books: The books right after the event that was yielded last.
    """

    def __init__(self, loader: Loader, game: str, *, after: int, upto: int) -> None:
        self.books: Books = loader.at(game, after).books
        self._batches = loader.stream(game, after=after, upto=upto)

    def __iter__(self) -> Iterator[BookedEvent]:
        """Yield the next events.

        Raises:
            UnreadableBooks: An event of a later release is next.
        """
        for batch in self._batches:
            for stored in batch:
                envelope = codec.decode(stored.data)
                yield BookedEvent(stored, envelope, self.books.post(envelope))


def page(
    loader: Loader, game: str, wanted: EntryFilter, *, after: int, upto: int, limit: int
) -> tuple[list[LedgerEntry], int | None]:
    """List entries of the versions above `after`, up to and with `upto`, at most `limit`.

    Returns:
        The entries, and the version to go on after; None at the end. A page may be short.

    Raises:
        UnreadableBooks: An event of a later release stands among them.
    """
    found: list[LedgerEntry] = []
    for _, envelope, entry in BooksReplay(loader, game, after=after, upto=upto):
        version = envelope.version
        if entry is not None and wanted.passes(entry):
            found.append(entry)
        if len(found) == limit or version >= after + MOST_SCANNED:
            return found, version if version < upto else None
    return found, None


def balance_of(loader: Loader, game: str, account: Account, *, at: int) -> int:
    """Return the balance of an account.

    Raises:
        NoSuchAccount: Nothing was posted to it up to that version.
    """
    balances = loader.at(game, at).books.balances
    if account not in balances:
        raise NoSuchAccount(f"Game {game} has no account of this name at version {at}.")
    return balances[account]


def statement(entries: list[LedgerEntry], account: Account, opening: int) -> list[StatementLine]:
    """Return a statement of entries that all touch one account, from its balance before them."""
    found: list[StatementLine] = []
    for entry in entries:
        amount = amount_on(entry, account)
        opening += amount
        found.append(StatementLine(entry, amount, opening))
    return found
