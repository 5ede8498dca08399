"""Board and decks of Public Assistance: what can exist, loaded from data files and checked once."""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from events.data_files import pin, read, require
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
DECK_SIZE = 54

SATURDAYS = ("card_room", "heist", "contraband", "hustle")
"""Side tracks of the promenade, each entered from a Saturday Night block of its own (PA-16)."""

SURPRISES = ("union_job", "business")
"""Side tracks of the rut, each entered by the blocks and the cards of its name (PA-35, PA-37)."""

KINDS: Mapping[str, frozenset[BlockKind]] = {
    "promenade": frozenset({
        "benefit", "cheat", "child", "collect_grant", "first_of_month", "get_a_job", "govt_job", "saturday",
    }),
    "rut": frozenset({
        "advance", "burden", "business", "go_on_welfare", "govt_job", "month_line", "pay_day", "time_clock",
        "union_job",
    }),
    "jail": frozenset({"back_on_welfare", "get_a_job", "lockup", "lockup_return"}),
    "cake_walk": frozenset({"conscience", "start"}),
    **dict.fromkeys(SATURDAYS, frozenset[BlockKind]({"jail"})),
    **dict.fromkeys(SURPRISES, frozenset[BlockKind]()),
}  # fmt: skip
"""Kinds of block that each part of the board must have; other than these it may have only the plain ones."""

PLAIN: frozenset[BlockKind] = frozenset({"collect", "pay", "rest"})
"""Kinds of block that have a rule everywhere."""

CARD_KINDS: Mapping[str, frozenset[CardKind]] = {
    "public_assistance_benefit": frozenset({
        "advance", "collect", "collect_per_child", "gain_child", "go_track", "govt_job", "keep_exemption",
        "keep_monthly", "pay", "rut_pays_you",
    }),
    "public_assistance_burden": frozenset({
        "advance", "business", "collect", "go_on_welfare", "govt_job", "lose_turn", "pay", "pay_each_promenade",
        "pay_pct", "rut_collect_each", "union_job",
    }),
}  # fmt: skip
"""Kinds of card that each deck has."""

_PRICED: frozenset[CardKind] = frozenset(
    {"collect", "collect_per_child", "keep_monthly", "pay", "pay_each_promenade", "rut_collect_each", "rut_pays_you"}
)


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


class PublicAssistanceBoard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The board of Public Assistance: two loops, the side tracks, the jail and the Cake Walk."""

    name: str
    version: int
    promenade: tuple[Block, ...]
    rut: tuple[Block, ...]
    jail: tuple[Block, ...]
    cake_walk: tuple[Block, ...]
    side_tracks: dict[str, tuple[Block, ...]]

    @cached_property
    def tracks(self) -> Mapping[str, tuple[Block, ...]]:
        """The blocks of `promenade`, `rut` and `jail`, by index."""
        return {"promenade": self.promenade, "rut": self.rut, "jail": self.jail}


class PublicAssistanceDeck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deck of cards by id, with their counts."""

    name: str
    version: int
    cards: tuple[Card, ...]

    def by_id(self) -> dict[str, Card]:
        """Index the cards by id."""
        return {card.id: card for card in self.cards}


@cache
def public_assistance_board(version: int = 1) -> PublicAssistanceBoard:
    """Load the board of Public Assistance.

    Raises:
        BoardError: It is not one that the rules can be played on.
    """
    board = read("public_assistance_board", version, PublicAssistanceBoard)
    check_board(board)
    return board


@cache
def public_assistance_deck(name: str, version: int = 1) -> dict[str, Card]:
    """Load the `benefit` or the `burden` deck, by card id.

    Raises:
        BoardError: It is not a full deck.
    """
    deck = read(f"public_assistance_{name}", version, PublicAssistanceDeck)
    check_deck(deck)
    return deck.by_id()


@cache
def public_assistance_pins() -> tuple[DataPin, ...]:
    """Pin the newest data files, for a new game."""
    return tuple(pin(f"public_assistance_{part}", 1) for part in ("board", "benefit", "burden"))


def check_board(board: PublicAssistanceBoard) -> None:
    """Check that the board keeps every promise of the rulebook.

    Raises:
        BoardError: Says which one it breaks.
    """
    require(set(board.side_tracks) == {*SATURDAYS, *SURPRISES}, "the side tracks are not the six of the rulebook")
    parts = {"promenade": board.promenade, "rut": board.rut, "jail": board.jail, "cake_walk": board.cake_walk}
    for name, blocks in {**parts, **board.side_tracks}.items():
        _check_blocks(name, blocks)
    _check_beginnings(board)
    _check_children(board)
    _check_links(board)


def _check_blocks(name: str, blocks: tuple[Block, ...]) -> None:
    """Check that each block is where it says, of a kind with a rule there, and has what that rule needs."""
    # A side track is entered from before its first block.
    first = 1 if name in (*SATURDAYS, *SURPRISES) else 0
    require(bool(blocks), f"{name}: no blocks")
    require([block.i for block in blocks] == list(range(first, len(blocks) + first)), f"{name}: indices have a gap")
    kinds = {block.type for block in blocks}
    require(kinds >= KINDS[name], f"{name}: no block of the kind {_listed(KINDS[name] - kinds)}")
    require(kinds <= KINDS[name] | PLAIN, f"{name}: no rule for the kind {_listed(kinds - KINDS[name] - PLAIN)}")
    for block in blocks:
        said = f"{name}, block {block.i}"
        require(block.amount > 0 or block.type not in ("pay", "collect"), f"{said}: no amount")
        require(block.multiplier > 0 or block.type != "collect_grant", f"{said}: no grants")


def _listed(kinds: Iterable[str]) -> str:
    return ", ".join(sorted(kinds))


def _check_beginnings(board: PublicAssistanceBoard) -> None:
    """Check where each part begins, and that a piece can leave the parts that only a block lets it leave."""
    require(len(board.promenade) == PROMENADE_LENGTH and len(board.rut) == RUT_LENGTH, "a loop has 52 blocks")
    for blocks, kind, what in (
        (board.promenade, "first_of_month", "the promenade starts at its one 1st of the Month (PA-6)"),
        (board.rut, "month_line", "the rut starts at its one New Month (PA-5)"),
        (board.jail, "lockup", "the jail starts at its one lock-up (PA-17)"),
        (board.cake_walk, "start", "the Cake Walk starts at its one start (PA-45)"),
    ):
        require(blocks[0].type == kind and _count(blocks, kind) == 1, what)
    require(board.jail[-1].type not in PLAIN, "the jail's last block keeps a player for ever (PA-18)")
    require(_count(board.cake_walk, "conscience") == 1, "one block of the Cake Walk ends the job (PA-47)")


def _count(blocks: tuple[Block, ...], kind: str) -> int:
    return sum(block.type == kind for block in blocks)


def _check_children(board: PublicAssistanceBoard) -> None:
    """Sixteen children in two trips must be possible (PA-14): eight blocks, each within a throw of the next."""
    at = [block.i for block in board.promenade if block.type == "child"]
    require(len(at) >= 8, "fewer than eight Have Child blocks (PA-14)")
    steps = [at[0], *(b - a for a, b in zip(at, [*at[1:], at[0] + PROMENADE_LENGTH], strict=True))]
    require(all(3 <= step <= 12 for step in steps), "Have Child blocks out of reach of each other (PA-14)")


def _check_links(board: PublicAssistanceBoard) -> None:
    """Check that each block that leads to another one leads to the right kind."""
    clocks = {block.i for block in board.rut if block.type == "time_clock"}
    for block in (*board.promenade, *board.jail):
        require(block.enters in clocks or block.type != "get_a_job", f"{block.name} must lead to a time clock (PA-30)")
    saturdays = sorted(block.track for block in board.promenade if block.type == "saturday")
    require(saturdays == sorted(SATURDAYS), "each Saturday Night leads to a side track of its own (PA-16)")
    for block in board.rut:
        leads = block.to in range(RUT_LENGTH) and block.to != block.i
        require(leads or block.type != "advance", f"{block.name} directs to nowhere (PA-34)")


def check_deck(deck: PublicAssistanceDeck) -> None:
    """Check that a deck is whole.

    Raises:
        BoardError: Says what is wrong with it.
    """
    require(deck.name in CARD_KINDS, f"{deck.name}: no such deck")
    require(len({card.id for card in deck.cards}) == len(deck.cards), f"{deck.name}: two cards of one id")
    require(sum(card.count for card in deck.cards) == DECK_SIZE, f"{deck.name}: a deck has 54 cards")
    kinds, known = {card.kind for card in deck.cards}, CARD_KINDS[deck.name]
    require(kinds >= known, f"{deck.name}: no card of the kind {_listed(known - kinds)}")
    require(kinds <= known, f"{deck.name}: no rule for the kind {_listed(kinds - known)}")
    for card in deck.cards:
        require(card.count > 0, f"{card.id}: no copies")
        require(bool(card.text), f"{card.id}: it says nothing")
        require(card.amount > 0 or card.kind not in _PRICED, f"{card.id}: no amount")
        require(card.pct in range(1, 101) or card.kind != "pay_pct", f"{card.id}: no share of a hundred")
        require(card.to in range(PROMENADE_LENGTH) or card.kind != "advance", f"{card.id}: it directs to nowhere")
        require(card.track in SATURDAYS or card.kind != "go_track", f"{card.id}: it leads to no side track")
