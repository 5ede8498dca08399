"""Bots: players that know the list of legal actions and the public state, and nothing else.

What they are given is what the API answers, as plain JSON values; so the same bot plays in process and over HTTP.
"""

from service.bots.base import Bot, Json, menu_of, view_of
from service.bots.chancy import RandomBot
from service.bots.sensible import SensibleBot

LEVELS: dict[str, type[RandomBot] | type[SensibleBot]] = {"random": RandomBot, "sensible": SensibleBot}
"""Bots by level; each is made from a seed."""

__all__ = ["LEVELS", "Bot", "Json", "RandomBot", "SensibleBot", "menu_of", "view_of"]
