"""What a sentence may refer to: seats by name, accounts, blocks, cards, amounts and times.

Every look-up has an answer: a name that is not known becomes its number, so that a damaged or foreign stream can still
be shown.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct, field

from events.base import BANK, CUSTODIAN, ESCROW, Account, Event, Json
from events.public_assistance.board import Block, PublicAssistanceBoard
from events.social_justice.board import SocialJusticeBoard, Square
from projections.timeline.words import listed, money, plain

AnyBoard: TypeAlias = PublicAssistanceBoard | SocialJusticeBoard
"""Every board there is: one kind for each rulebook."""


class Scene(Struct, frozen=True, kw_only=True):
    """What the sentences of one game refer to.

    Attributes:
        names: Given names by seat.
        board: The board that the game is played on.
        cards: Texts of cards by id; a card that is not here is shown by its id.
        at: Time of the event (UTC, ms).
        actor: Who caused the event.
        texts: Typed-in texts by digest; one that is not here is shown by the beginning of its digest.
    """

    names: Mapping[int, str]
    board: AnyBoard
    cards: Mapping[str, str]
    at: int
    actor: str
    texts: Mapping[str, str] = field(default_factory=dict)

    def who(self, seat: int) -> str:
        """Return the name of a seat."""
        return plain(self.names.get(seat, "")).strip() or f"Seat {seat}"

    def all(self, seats: tuple[int, ...]) -> str:
        """Return the names of seats, in order."""
        return listed([self.who(seat) for seat in seats]) if seats else "nobody"

    def account(self, account: Account) -> str:
        """Return the name of an account of cash, as it begins a sentence."""
        kind, _, seat = account.partition(":")
        if kind == "seat" and seat.isdecimal() and len(seat) < 4:
            return self.who(int(seat))
        return {CUSTODIAN: "The public purse", BANK: "The bank", ESCROW: "Escrow"}.get(account, account)

    def to_account(self, account: Account) -> str:
        """Return the same as it stands within a sentence."""
        return {CUSTODIAN: "the public purse", BANK: "the bank", ESCROW: "escrow"}.get(account) or self.account(account)

    def doer(self, seat: int) -> str:
        """Return who acted: a seat, a bot in its place, or an actor without a seat, perhaps for one."""
        if self.actor.startswith("bot:") and seat:
            return f"A bot for {self.who(seat)}"
        if self.actor.startswith("seat:") and seat:
            return self.who(seat)
        return f"The {self.actor} for {self.who(seat)}" if seat else f"The {self.actor}"

    def block(self, track: str, index: int) -> str:
        """Return a block of the two loops or the jail: `Have Child (promenade 4)`."""
        blocks = self.board.tracks[track] if isinstance(self.board, PublicAssistanceBoard) else ()
        return f"{_name(blocks, index)} ({track} {index})"

    def square(self, index: int) -> str:
        """Return a square of The Social Justice Game: `Redline Road (square 3)`."""
        squares = self.board.squares if isinstance(self.board, SocialJusticeBoard) else ()
        return f"{_name(squares, index)} (square {index})"

    def walk(self, index: int) -> str:
        """Return a block of the Cake Walk."""
        blocks = self.board.cake_walk if isinstance(self.board, PublicAssistanceBoard) else ()
        return f"{_name(blocks, index)} (walk {index})"

    def side(self, track: str, index: int) -> str:
        """Return a step along a side track, whose blocks count from 1: `to Night safe (block 5)`."""
        blocks = self.board.side_tracks.get(track, ()) if isinstance(self.board, PublicAssistanceBoard) else ()
        if blocks and index > len(blocks):
            return "past the last block"
        return f"to {_name(blocks, index - 1)} (block {index})"

    def card(self, card: str) -> str:
        """Return what a card says, quoted, or its id."""
        return quoted(self.cards[card]) if card in self.cards else card

    def typed(self, digest: str) -> str:
        """Return a typed-in text, quoted, or the beginning of its digest."""
        return quoted(self.texts[digest]) if digest in self.texts else f"(text {digest[:8]}…)"

    def within(self, deadline: int | None) -> str:
        """Return how long it is until a deadline; empty without one."""
        return "" if deadline is None else f", within {max(0, deadline - self.at) // 1000:,} s"


Sentence: TypeAlias = Callable[[Any, Scene], str]
Sentences: TypeAlias = Mapping[type[Event], Sentence]


def quoted(text: str) -> str:
    """Quote what a card says, to be followed by the rest of a sentence or its full stop."""
    return f"“{text.rstrip('.')}”"


def track_name(track: str) -> str:
    """Write a track's name as a title: `Card Room`."""
    return track.replace("_", " ").title()


def words(name: str) -> str:
    """Write a stable word as plain words: `monthly grant`."""
    return name.replace("_", " ")


def settings(values: Mapping[str, Json]) -> str:
    """Write options or parameters in order of name: `bump no, months 6`."""
    return ", ".join(f"{words(name)} {_value(value)}" for name, value in sorted(values.items()))


def because(reason: str, rule: str, ref: str = "", shares: str = "") -> str:
    """Write why money is due: `(monthly grant, promenade 0: basic $500; PA-11)`."""
    subject = ", ".join(filter(None, [words(reason), ref.replace(":", " ")]))
    return f"({subject}{': ' if shares else ''}{shares}; {rule})"


def shares_of(parts: tuple[Any, ...]) -> str:
    """Write the shares of an amount: `basic $500, children $600`."""
    return ", ".join(f"{words(part.what)} {money(part.amount)}" for part in parts)


def _name(blocks: tuple[Block | Square, ...], index: int) -> str:
    return blocks[index].name if 0 <= index < len(blocks) else "a block"


def _value(value: Json) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, Mapping):
        return f"({settings(value)})"
    if not isinstance(value, str | int):
        return " + ".join(_value(item) for item in value) or "nothing"
    text = str(value)
    return f"{text[:8]}…" if len(text) == 64 else words(text)
