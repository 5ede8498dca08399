"""Short words for what every rule of Public Assistance needs: the play, a player, the board, a card."""

from collections.abc import Callable
from typing import TypeAlias

from events.base import seat_account
from events.public_assistance.board import (
    Block,
    Card,
    PublicAssistanceBoard,
    public_assistance_board,
    public_assistance_deck,
)
from projections.state.public_assistance import PublicAssistanceState
from service.rules.play import Play, pinned

State: TypeAlias = PublicAssistanceState
PaPlay: TypeAlias = Play[PublicAssistanceState]

BOARD = "public_assistance_board"
"""Name of the board among the data files."""


def board_of(state: State) -> PublicAssistanceBoard:
    """Return the board of a game."""
    return public_assistance_board(pinned(state, BOARD))


def deck_of(state: State, name: str) -> dict[str, Card]:
    """Return the cards of a game's deck by id."""
    return public_assistance_deck(name, pinned(state, f"public_assistance_{name}"))


def cash_of(state: State, seat: int) -> int:
    """Return a seat's cash in whole dollars."""
    return state.cash[seat_account(seat)]


def block_under(play: PaPlay, seat: int) -> Block:
    """Return the block that a seat's piece stands on."""
    player = play.state.players[seat]
    return public_assistance_board(play.pins[BOARD]).tracks[player.track][player.block]


def stopped(play: PaPlay) -> bool:
    """Return whether nothing of the turn may follow: the game is over, or a prompt must be answered first."""
    return play.state.status != "playing" or bool(play.state.prompts)


ref_of: Callable[[str, int], str] = "{}:{}".format
"""Return how a posting refers to a block, by track and index: `promenade:12`, `heist:4`."""
