"""The books: double entry, folded from the events alone.

Nothing here reads the game state: the two are computed apart, so that one can be checked against the other
(`projections.ledger.check`). Only events of money and the beginnings of steps reach the books; any other event costs
one dictionary look-up.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct, field

from events.base import Account, Envelope, Event, Opaque
from events.lobby import CustodianNamed, GameCreated
from events.play import ActionTaken, DebtForgiven, MoneyMoved
from projections.ledger.chart import LedgerEntry, amount_on, is_cash
from projections.ledger.entries import BOOKINGS, describe


class UnreadableBooks(Exception):
    """The stream holds an event type of a later release, which may have moved money.

    Attributes:
        version: Where it stands; the books before it are good.
        name: Its wire name.
    """

    def __init__(self, version: int, name: str) -> None:
        super().__init__(f"event {version} has the type {name}: this release does not know if it moved money")
        self.version = version
        self.name = name


class Books(Struct, kw_only=True):
    """Every balance at one version; changed in place by its owner.

    Attributes:
        version: Version of the last event posted.
        step: Actions so far; the first is the game's creation.
        custodian: Seat of record for the public purse; 0 for none.
        balances: By account; an account opens with its first posting and never closes.
    """

    version: int = 0
    step: int = 0
    custodian: int = 0
    balances: dict[Account, int] = field(default_factory=dict)

    def fold(self, *envelopes: Envelope[Event]) -> None:
        """Post entries of the stream, in order.

        Raises:
            UnreadableBooks: At the first of a type that is not known; the books are as they were before it.
        """
        handlers, version = HANDLERS, self.version
        for envelope in envelopes:
            version += 1
            assert envelope.version == version, "versions have no gaps"
            handler = handlers.get(type(envelope.data))
            if handler is not None:
                handler(self, envelope)
            self.version = version

    def post(self, envelope: Envelope[Event]) -> LedgerEntry | None:
        """Fold one entry and return what it did to the books; None where it did nothing.

        Raises:
            UnreadableBooks: As `fold`.
        """
        self.fold(envelope)
        return describe(envelope, self.balances, step=self.step, custodian=self.custodian)

    def cash(self) -> dict[Account, int]:
        """Return the balances of cash alone."""
        return {account: balance for account, balance in self.balances.items() if is_cash(account)}

    def debts(self) -> dict[Account, int]:
        """Return the balances of loans and claims alone."""
        return {account: balance for account, balance in self.balances.items() if not is_cash(account)}

    def move(self, credited: Account, debited: Account, amount: int) -> None:
        """Move an amount from one account to another; the one place where a balance changes."""
        balances = self.balances
        balances[credited] = balances.get(credited, 0) - amount
        balances[debited] = balances.get(debited, 0) + amount


def entries(envelopes: Iterable[Envelope[Event]], books: Books | None = None) -> Iterator[LedgerEntry]:
    """List what happened to the books, in order, from the first event or onto books that are given away."""
    books = books or Books()
    for envelope in envelopes:
        entry = books.post(envelope)
        if entry is not None:
            yield entry


def statement(
    envelopes: Iterable[Envelope[Event]], account: Account, books: Books | None = None
) -> Iterator[tuple[LedgerEntry, int, int]]:
    """List one account's entries, each with its amount there and the balance after it.

    A forgiven debt is listed for both accounts, with the amount 0: it moved nothing and must be seen.
    """
    books = books or Books()
    for entry in entries(envelopes, books):
        if account in (entry.credited, entry.debited):
            yield entry, amount_on(entry, account), books.balances.get(account, 0)


def _money_moved(books: Books, envelope: Envelope[MoneyMoved]) -> None:
    event = envelope.data
    books.move(event.payer, event.payee, event.amount)


def _debt_changed(books: Books, envelope: Envelope[Event]) -> None:
    booking = BOOKINGS[type(envelope.data)](envelope.data)
    books.move(booking.credited, booking.debited, booking.amount)


def _step_begun(books: Books, _envelope: Envelope[GameCreated] | Envelope[ActionTaken]) -> None:
    books.step += 1


def _custodian_named(books: Books, envelope: Envelope[CustodianNamed]) -> None:
    books.custodian = envelope.data.seat


def _opaque(_books: Books, envelope: Envelope[Opaque]) -> None:
    raise UnreadableBooks(envelope.version, envelope.data.name)


Handler: TypeAlias = Callable[[Books, Any], None]

HANDLERS: Mapping[type[Event], Handler] = {
    **{kind: _debt_changed for kind in BOOKINGS if kind is not DebtForgiven},
    MoneyMoved: _money_moved,
    CustodianNamed: _custodian_named,
    GameCreated: _step_begun,
    ActionTaken: _step_begun,
    Opaque: _opaque,
}
"""What reaches the books; a type that is not here leaves them alone."""
