"""A bot's move, which a clock has handed over."""

from workers import wiring
from workers.bots import BotMoves


def move_bot(game: str, seat: int, moves: int) -> bool:
    """Make a bot's move, unless it was made or the seat is a person's again; return whether this job made it."""
    return BotMoves(wiring.services().games).move(game, seat, moves)
