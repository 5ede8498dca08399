"""Short words for what every rule of The Social Justice Game needs: the play, a citizen, the board, a parameter."""

from typing import TypeAlias

from events.base import BANK, Account, seat_account
from events.social_justice.board import (
    ChangeCard,
    SocialJusticeBoard,
    Square,
    change_deck,
    social_justice_board,
)
from events.social_justice.tasks import AnyTask, CloseRound, CloseTurn, DealRoles, NextTurn
from projections.state.social_justice import Citizen, SocialJusticeState, Title
from service.rules.dice import Dice
from service.rules.play import Play, pinned
from service.rules.social_justice import parameters

State: TypeAlias = SocialJusticeState

START = frozenset({"turn_start"})
LANDING = frozenset(
    {"buy", "rent", "aid", "tuition", "enlist", "jail_pass", "bail", "pay_or_jail", "free_house", "speech"}
)
END = frozenset({"turn_end"})
OWN_TURN = START | LANDING | END
"""Kinds of prompts under which an active seat may make deals and set rates (SJG-18a)."""
RAISING = frozenset({"raise_funds"})
"""Kind of prompt under which a debtor may sell and borrow (SJG-9)."""
SELL_OR_BORROW = OWN_TURN | RAISING

OF_THE_GAME = (CloseTurn, NextTurn, CloseRound, DealRoles)
"""Tasks that are done even when the seat that they name is out."""


class SjPlay(Play[SocialJusticeState]):
    """One action of The Social Justice Game being decided.

    Attributes:
        agenda: What is left of the turn: the working copy, a stack with the next task last.
    """

    most_events = 10_000
    """A round in which all are in jail may hold ten transfers among eight seats for each of ten turns."""

    def __init__(self, state: State, dice: Dice, *, at: int, actor: str = "", action: str = "") -> None:
        super().__init__(state, dice, at=at, actor=actor, action=action)
        self.agenda: list[AnyTask] = list(state.agenda)

    def push(self, *tasks: AnyTask) -> None:
        """Put tasks on top, to be done in the order given."""
        self.agenda.extend(reversed(tasks))

    def in_order(self) -> list[int]:
        """List the seats that are in, from the active player's left; between turns from the first place."""
        if self.state.active:
            return self.seats_from_left_of(self.state.active)
        return [seat for seat in self.state.order if not self.state.citizens[seat].out]


def board_of(state: State) -> SocialJusticeBoard:
    """Return the board of a game."""
    return social_justice_board(pinned(state, "social_justice_board"))


def deck_of(state: State) -> dict[str, ChangeCard]:
    """Return the cards of a game's Change deck by id."""
    return change_deck(pinned(state, "social_justice_change"))


def card_of(state: State, card: str) -> ChangeCard:
    """Return a card of a game's Change deck."""
    return deck_of(state)[card]


def citizen_of(play: SjPlay, seat: int) -> Citizen:
    """Return a seat's things."""
    return play.state.citizens[seat]


def cash_of(state: State, seat: int) -> int:
    """Return a seat's cash in whole dollars."""
    return state.cash[seat_account(seat)]


def account_of(seat: int) -> Account:
    """Return the account of a seat; 0 for the bank."""
    return seat_account(seat) if seat else BANK


def square_under(state: State, seat: int) -> Square:
    """Return the square that a seat's token stands on."""
    return board_of(state).squares[state.citizens[seat].square]


def title_under(state: State, seat: int) -> Title:
    """Return the title of the square that a seat's token stands on."""
    return state.titles[state.citizens[seat].square]


def held_by(state: State, seat: int) -> list[Square]:
    """List the squares whose titles a seat holds, in board order."""
    return [square for square in board_of(state).titles() if state.titles[square.i].holder == seat]


def ref_of(square: int) -> str:
    """Return how a posting refers to a square: `square:12`."""
    return f"square:{square}"


def number(state: State, name: str) -> int:
    """Read a parameter that is a whole number, or a flag."""
    found = parameters.value(state, name)
    assert isinstance(found, int), name
    return found


def limit(state: State, name: str) -> int | None:
    """Read a parameter that is a whole number, or none."""
    found = parameters.value(state, name)
    assert found is None or isinstance(found, int), name
    return found


def word(state: State, name: str) -> str:
    """Read a parameter that is a word."""
    found = parameters.value(state, name)
    assert isinstance(found, str), name
    return found


def roles_in(state: State, name: str) -> list[str]:
    """Read a parameter that is a set of roles."""
    found = parameters.value(state, name)
    assert isinstance(found, list), name
    return [str(role) for role in found]


def is_asked(state: State, seat: int, kinds: frozenset[str]) -> bool:
    """Return whether a prompt of these kinds is open for a seat."""
    return any(prompt.seat == seat and prompt.kind in kinds for prompt in state.prompts.values())
