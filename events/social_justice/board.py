"""Board, roles and Change deck of The Social Justice Game: what can exist, loaded from data files and checked once.

What may be voted on (salaries, prices in percent, fees) has its defaults in the rules' catalogue of parameters; the
data hold what no vote changes: squares, list prices, rents, cards.
"""

from functools import cache
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from events.data_files import pin, read, require
from events.lobby import DataPin

SquareKind: TypeAlias = Literal[
    "payday", "property", "change", "utility", "college", "hospital", "white_house", "back_taxes", "military",
    "go_to_jail",
]  # fmt: skip
ChangeKind: TypeAlias = Literal[
    "keep_jail_pass", "go_to_jail", "go_to", "collect", "set_role", "pay", "pay_per_house", "utility_owner_pays_each",
    "pay_or_jail", "free_house", "pay_each_role",
]  # fmt: skip
RoleName: TypeAlias = Literal["unemployed", "employee", "manager", "owner"]
Scope: TypeAlias = Literal["drawer", "all", "table"]

ROLES: tuple[RoleName, ...] = ("unemployed", "employee", "manager", "owner")
"""Every role, lowest first: the order in which a role is a floor for another (SJG-53)."""

UTILITIES = ("enron", "flint", "froogle")
"""Keys of the utilities, in the order in which they are charged (SJG-47)."""

_PRICED: frozenset[ChangeKind] = frozenset(
    {"collect", "pay", "pay_each_role", "pay_or_jail", "pay_per_house", "utility_owner_pays_each"}
)

LAP = 40
MOST_HOUSES = 3
PAYDAY = 0
"""Index of the square where a lap ends."""


class Square(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One square of the board.

    Attributes:
        i: Index, from 0 at Payday.
        type: Its kind; each kind has one rule.
        name: What it says.
        group: Colour group of a property.
        price: List price of a title.
        house_cost: List price of a house on it.
        rent: Rent without a house, and with one, two and three.
        key: Name of a utility.
        start_holder: Who holds a utility at the start.
    """

    i: int
    type: SquareKind
    name: str
    group: str = ""
    price: int = 0
    house_cost: int = 0
    rent: tuple[int, ...] = ()
    key: Literal["", "enron", "flint", "froogle"] = ""
    start_holder: Literal["bank", "owner"] = "bank"


class Role(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a role may become; empty for nothing.

    Attributes:
        degree: Role that a degree gives (SJG-49, SJG-50).
        enlists_to: Role that enlisting gives (SJG-53).
    """

    degree: Literal["", "employee", "manager"]
    enlists_to: Literal["", "employee", "manager"]


class SocialJusticeBoard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The board of The Social Justice Game."""

    name: str
    version: int
    roles: dict[RoleName, Role]
    squares: tuple[Square, ...]

    def utility(self, key: str) -> Square:
        """Find the square of a utility."""
        return next(square for square in self.squares if square.key == key)

    def titles(self) -> list[Square]:
        """List the squares that have a title: properties and utilities."""
        return [square for square in self.squares if square.type in ("property", "utility")]

    def kind(self, kind: str) -> list[Square]:
        """List the squares of a kind."""
        return [square for square in self.squares if square.type == kind]


class ChangeCard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One Change card, with how many copies there are.

    Attributes:
        id: Its name on the wire.
        count: Copies in the deck.
        kind: Its kind; each kind has one rule.
        text: What it says.
        roles: Roles that it is for (SJG-38).
        scope: For the drawer alone, for all who hold such a role, or for the table no matter who draws.
        amount: Whole dollars, for kinds that pay or charge.
        to: Index that it directs to, for `go_to`.
        collect_payday: The piece moves forward and collects; else it goes there directly.
        role: Role that it gives, for `set_role`.
        utility: Utility whose holder pays, for `utility_owner_pays_each`.
        to_roles: Roles that are paid, for `pay_each_role`.
    """

    id: str
    count: int
    kind: ChangeKind
    text: str
    roles: tuple[RoleName, ...]
    scope: Scope
    amount: int = 0
    to: int = -1
    collect_payday: bool = False
    role: Literal["", "unemployed", "employee", "manager"] = ""
    utility: str = ""
    to_roles: tuple[RoleName, ...] = ()


class ChangeDeck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The Change deck."""

    name: str
    version: int
    cards: tuple[ChangeCard, ...]


@cache
def social_justice_board(version: int = 1) -> SocialJusticeBoard:
    """Load the board.

    Raises:
        BoardError: It is not one that the rules can be played on.
    """
    board = read("social_justice_board", version, SocialJusticeBoard)
    check_squares(board)
    return board


@cache
def change_deck(version: int = 1) -> dict[str, ChangeCard]:
    """Load the Change deck, by card id.

    Raises:
        BoardError: It is not a full deck.
    """
    deck = read("social_justice_change", version, ChangeDeck)
    check_change(deck)
    return {card.id: card for card in deck.cards}


@cache
def social_justice_pins() -> tuple[DataPin, ...]:
    """Pin the newest data files, for a new game."""
    return tuple(pin(f"social_justice_{part}", 1) for part in ("board", "change"))


def check_squares(board: SocialJusticeBoard) -> None:
    """Check that the board keeps every promise of the rulebook.

    Raises:
        BoardError: Says which one it breaks.
    """
    require([square.i for square in board.squares] == list(range(LAP)), "squares: indices are not 0 to 39")
    require(board.squares[PAYDAY].type == "payday", "the board starts at Payday")
    require(set(board.roles) == set(ROLES), "a role is missing")
    for kind in ("payday", "college", "hospital", "white_house", "back_taxes", "military", "go_to_jail"):
        require(len(board.kind(kind)) == 1, f"there is one square of the kind {kind}")
    require(tuple(square.key for square in board.kind("utility")) == UTILITIES, "three utilities, in their order")
    for square in board.titles():
        require(square.price > 0, f"{square.name}: no price")
    require(bool(board.kind("property")), "no property")
    for square in board.kind("property"):
        rents = list(square.rent)
        require(len(rents) == MOST_HOUSES + 1 and rents == sorted(rents), f"{square.name}: four rising rents (SJG-24)")
        require(rents[0] > 0 and square.house_cost > 0, f"{square.name}: a price is missing")
        require(bool(square.group), f"{square.name}: of no group")
    require(bool(board.kind("change")), "no Change square (SJG-37)")


def check_change(deck: ChangeDeck) -> None:
    """Check that the deck is whole.

    Raises:
        BoardError: Says what is wrong with it.
    """
    require(len({card.id for card in deck.cards}) == len(deck.cards), f"{deck.name}: two cards of one id")
    require(sum(card.count for card in deck.cards) == 32, f"{deck.name}: a deck has 32 cards")
    missing = set(get_args(ChangeKind)) - {card.kind for card in deck.cards}
    require(not missing, f"{deck.name}: no card of the kind {', '.join(sorted(missing))}")
    for card in deck.cards:
        require(card.count > 0, f"{card.id}: no copies")
        require(bool(card.text), f"{card.id}: it says nothing")
        require(bool(card.roles), f"{card.id}: for nobody (SJG-38)")
        require(card.amount > 0 or card.kind not in _PRICED, f"{card.id}: no amount")
        require(card.to in range(LAP) or card.kind != "go_to", f"{card.id}: it leads to nowhere")
        require(bool(card.role) or card.kind != "set_role", f"{card.id}: it gives no role")
        require(bool(card.to_roles) or card.kind != "pay_each_role", f"{card.id}: nobody is paid")
        require(card.utility in UTILITIES or card.kind != "utility_owner_pays_each", f"{card.id}: of no utility")
