"""The ledger for readers: pages of entries, with filters, from any version on."""

from dataclasses import dataclass

from events import codec
from projections.ledger_chart import LedgerEntry, belongs_to
from service.games import Games

MOST_SCANNED = 5_000
"""Events looked at for one page."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries to list; an empty field (0 for `seat`) takes all.

    Attributes:
        account: Credited or debited.
        seat: Its cash, what it owes, or what it lent.
        reason: Stable word.
        rule: Number in the rule catalogue.
    """

    account: str = ""
    seat: int = 0
    reason: str = ""
    rule: str = ""

    def takes(self, entry: LedgerEntry) -> bool:
        """Tell whether an entry is to be listed."""
        touched = {entry.credited, entry.debited}
        return (
            self.account in ("", *touched)
            and (not self.seat or any(belongs_to(account, self.seat) for account in touched))
            and self.reason in ("", entry.reason)
            and self.rule in ("", entry.rule)
        )


def page(
    games: Games, game: str, wanted: Wanted, *, after: int, upto: int, limit: int
) -> tuple[list[LedgerEntry], int | None]:
    """List entries of the versions above `after`, up to and with `upto`, at most `limit`.

    Returns:
        The entries, and the version to go on after; None at the end. A page may be short.

    Raises:
        UnreadableBooks: An event of a later release stands in between.
    """
    found: list[LedgerEntry] = []
    books = games.loader.at(game, after).books
    for batch in games.loader.store.stream(game, after=after, upto=upto):
        for envelope in codec.decode_all(entry.data for entry in batch):
            entry = books.post(envelope)
            if entry is not None and wanted.takes(entry):
                found.append(entry)
            if len(found) == limit or books.version >= after + MOST_SCANNED:
                return found, books.version if books.version < upto else None
    return found, None
