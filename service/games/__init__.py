"""Games as a whole: create them, act in them, read them. Everything above talks to `Games`."""

from service.games.records import Answer, Ask, Created, Loaded, NewFork, NewGame, NewSeat, Seated
from service.games.table import Games

__all__ = ["Answer", "Ask", "Created", "Games", "Loaded", "NewFork", "NewGame", "NewSeat", "Seated"]
