"""Boards and decks: what can exist, as data files that are loaded and checked once.

A published file is never edited: a game pins name, version and SHA-256 of each file that it is played on. A new board
is a new file with a higher version.
"""

from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from events.lobby import DataPin

BlockKind: TypeAlias = Literal[
    "advance", "back_on_welfare", "benefit", "burden", "business", "cheat", "child", "collect", "collect_grant",
    "conscience", "first_of_month", "get_a_job", "go_on_welfare", "govt_job", "jail", "lockup", "lockup_return",
    "month_line", "pay", "pay_day", "rest", "saturday", "start", "time_clock", "union_job",
]  # fmt: skip
CardKind: TypeAlias = Literal[
    "advance", "business", "collect", "collect_per_child", "gain_child", "go_on_welfare", "go_track", "govt_job",
    "keep_exemption", "keep_monthly", "lose_turn", "pay", "pay_each_promenade", "pay_pct", "rut_collect_each",
    "rut_pays_you", "union_job",
]  # fmt: skip
PROMENADE_LENGTH = RUT_LENGTH = 52


class BoardError(Exception):
    """A data file breaks a promise that the rules rely on."""


class Block(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One block of a track.

    Attributes:
        i: Index on its track.
        type: Its kind; each kind has one rule.
        name: What it says.
        amount: Whole dollars, for kinds that pay or charge.
        to: Index on the same track that it directs to, for `advance`.
        enters: Index on the rut that it leads to, for `get_a_job`.
        track: Side track that it leads to, for `saturday`.
        multiplier: How many monthly grants it pays, for `collect_grant`.
    """

    i: int
    type: BlockKind
    name: str
    amount: int = 0
    to: int = 0
    enters: int = 0
    track: str = ""
    multiplier: int = 0


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One card of a deck, with how many copies there are.

    Attributes:
        id: Its name on the wire.
        count: Copies in the deck.
        kind: Its kind; each kind has one rule.
        text: What it says.
        amount: Whole dollars, for kinds that pay or charge.
        to: Index that it directs to, for `advance`.
        track: Side track that it leads to, for `go_track`.
        pct: Percentage, for `pay_pct`.
    """

    id: str
    count: int
    kind: CardKind
    text: str
    amount: int = 0
    to: int = 0
    track: str = ""
    pct: int = 0


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The board of Public Assistance: two loops, the side tracks, the jail and the Cake Walk."""

    name: str
    version: int
    promenade: tuple[Block, ...]
    rut: tuple[Block, ...]
    jail: tuple[Block, ...]
    cake_walk: tuple[Block, ...]
    side_tracks: dict[str, tuple[Block, ...]]

    def track(self, name: str) -> tuple[Block, ...]:
        """Give the blocks of `promenade`, `rut` or `jail`, by index."""
        return self.promenade if name == "promenade" else self.rut if name == "rut" else self.jail


class Deck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deck of cards by id, with their counts."""

    name: str
    version: int
    cards: tuple[Card, ...]

    def by_id(self) -> dict[str, Card]:
        """Index the cards by id."""
        return {card.id: card for card in self.cards}


def bytes_of(name: str, version: int) -> bytes:
    """Read a data file."""
    return resources.files("events").joinpath("data", f"{name}_v{version}.json").read_bytes()


def pin(name: str, version: int) -> DataPin:
    """Pin a data file by its content."""
    return DataPin(name=name, version=version, sha256=sha256(bytes_of(name, version)).hexdigest())


@cache
def public_assistance_board(version: int = 1) -> Board:
    """Load the board of Public Assistance.

    Raises:
        BoardError: It is not one that the rules can be played on.
    """
    board = msgspec.json.decode(bytes_of("public_assistance_board", version), type=Board)
    check_board(board)
    return board


@cache
def public_assistance_deck(name: str, version: int = 1) -> dict[str, Card]:
    """Load the `benefit` or the `burden` deck, by card id.

    Raises:
        BoardError: It is not a full deck.
    """
    deck = msgspec.json.decode(bytes_of(f"public_assistance_{name}", version), type=Deck)
    check_deck(deck)
    return deck.by_id()


@cache
def public_assistance_pins() -> tuple[DataPin, ...]:
    """Pin the newest data files, for a new game."""
    return tuple(pin(f"public_assistance_{part}", 1) for part in ("board", "benefit", "burden"))


def require(holds: bool, what: str) -> None:
    """Insist on a promise of a data file.

    Raises:
        BoardError: It is broken.
    """
    if not holds:
        raise BoardError(what)


def check_board(board: Board) -> None:
    """See that the board keeps every promise of the rulebook.

    Raises:
        BoardError: Says which one it breaks.
    """
    _check_loops(board)
    _check_children(board)
    _check_links(board)
    for name, track in board.side_tracks.items():
        require([b.i for b in track] == list(range(1, len(track) + 1)), f"side track {name}: indices have a gap")
    for name, line in (("jail", board.jail), ("cake_walk", board.cake_walk)):
        require([b.i for b in line] == list(range(len(line))), f"{name}: indices have a gap")
    every = [*board.promenade, *board.rut, *board.jail, *board.cake_walk, *sum(board.side_tracks.values(), ())]
    require(all(b.amount > 0 for b in every if b.type in ("pay", "collect")), "a block that pays needs an amount")


def _check_loops(board: Board) -> None:
    for name, loop in (("promenade", board.promenade), ("rut", board.rut)):
        require([b.i for b in loop] == list(range(PROMENADE_LENGTH)), f"{name}: indices are not 0 to 51")
    require(board.promenade[0].type == "first_of_month", "the promenade starts at the 1st of the Month (PA-6)")
    require(board.rut[0].type == "month_line", "the rut starts at New Month (PA-5)")
    require(_count(board.promenade, "saturday") == 4, "there are four Saturday Night blocks (PA-16)")
    require(_count(board.cake_walk, "conscience") == 1, "one block of the Cake Walk ends the job (PA-47)")


def _count(blocks: tuple[Block, ...], kind: str) -> int:
    return sum(block.type == kind for block in blocks)


def _check_children(board: Board) -> None:
    """Sixteen children in two trips must be possible (PA-14): eight blocks, each within a throw of the next."""
    at = [block.i for block in board.promenade if block.type == "child"]
    require(len(at) >= 8, "fewer than eight Have Child blocks (PA-14)")
    steps = [at[0], *(b - a for a, b in zip(at, [*at[1:], at[0] + PROMENADE_LENGTH], strict=True))]
    require(all(3 <= step <= 12 for step in steps), "Have Child blocks out of reach of each other (PA-14)")


def _check_links(board: Board) -> None:
    for block in (*board.promenade, *board.jail):
        if block.type == "get_a_job":
            require(board.rut[block.enters].type == "time_clock", f"{block.name} must lead to a time clock (PA-30)")
        if block.type == "saturday":
            require(block.track in board.side_tracks, f"{block.name} leads to no side track")
    require({"union_job", "business"} <= set(board.side_tracks), "the rut's side tracks are missing (PA-35, PA-37)")
    require(all(0 <= b.to < RUT_LENGTH for b in board.rut), "a block directs to nowhere")


def check_deck(deck: Deck) -> None:
    """See that a deck is whole.

    Raises:
        BoardError: Says what is wrong with it.
    """
    require(len({card.id for card in deck.cards}) == len(deck.cards), f"{deck.name}: two cards of one id")
    require(all(card.count > 0 for card in deck.cards), f"{deck.name}: a card without copies")
    require(sum(card.count for card in deck.cards) == 54, f"{deck.name}: a deck has 54 cards")
    require(all(card.text for card in deck.cards), f"{deck.name}: a card says nothing")
    kept = sum(card.count for card in deck.cards if card.kind.startswith("keep_"))
    require(kept < 54, f"{deck.name}: every card could be kept")
