"""A bot with a seat at the table: what it does now, from the state alone.

It is made again for each move, since any worker may play it; the same move of the same seat comes to the same choice.
"""

from zlib import crc32

from projections.evolve import AnyState
from service.bots import LEVELS, Bot, Json, menu_of, view_of
from service.bots.offers import waiting_seats


def move_of(state: AnyState, seat: int) -> Json | None:
    """Choose the body to send for a bot's seat; None when nothing is asked of it."""
    sitter = state.seats[seat]
    # A sensible bot has one mind for a whole turn, one that plays by chance a new one for each move.
    steady = sitter.level == "sensible" or sitter.keeper == "sensible"
    about = f"{state.game}/{seat}/{state.turn if steady else sitter.moves}"
    bot = LEVELS[sitter.bot](crc32(about.encode()))
    menu, view = menu_of(state, seat, bot.ignored), view_of(state)
    if seat in waiting_seats(state):
        return bot.answer(menu, view) or _refusal(menu) or _chosen(bot, menu, view, state, seat)
    return _chosen(bot, menu, view, state, seat)


def _chosen(bot: Bot, menu: list[Json], view: Json, state: AnyState, seat: int) -> Json | None:
    if not any(prompt.seat == seat for prompt in state.prompts.values()):
        return None
    # Asked twice: a bot may wait for answers once, and has waited already.
    return bot.choose(menu, view) or bot.choose(menu, view)


def _refusal(menu: list[Json]) -> Json | None:
    """Return the refusal of the oldest offer: nobody waits for a bot for ever."""
    return next((action["body"] for action in menu if action["name"] == "decline_offer"), None)
