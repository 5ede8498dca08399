"""A bot as one who sits at the table: what it does now, from the state alone.

It is made anew for each move, since any worker may make it; the same move of the same seat comes to the same choice.
"""

from zlib import crc32

from projections.evolve import AnyState
from service.bots import LEVELS, Bot, Json, menu_of, view_of
from service.bots.offers import waiting_seats


def move_of(state: AnyState, seat: int) -> Json | None:
    """Choose the body to send for a bot's seat; None when nothing is asked of it."""
    sitter = state.seats[seat]
    steady = sitter.level == "sensible" or sitter.keeper == "sensible"  # one mind for a turn; chance is anew each time
    about = f"{state.game}/{seat}/{state.turn if steady else sitter.moves}"
    bot = LEVELS[sitter.bot](crc32(about.encode()))
    menu, view = menu_of(state, seat, bot.ignored), view_of(state)
    if seat in waiting_seats(state):
        return bot.answer(menu, view) or _refusal(menu) or _chosen(bot, menu, view, state, seat)
    return _chosen(bot, menu, view, state, seat)


def _chosen(bot: Bot, menu: list[Json], view: Json, state: AnyState, seat: int) -> Json | None:
    if not any(prompt.seat == seat for prompt in state.prompts.values()):
        return None
    return bot.choose(menu, view) or bot.choose(menu, view)  # it has waited for answers already


def _refusal(menu: list[Json]) -> Json | None:
    """Say no to the oldest offer: nobody waits for a bot for ever."""
    return next((action["body"] for action in menu if action["name"] == "decline_offer"), None)
