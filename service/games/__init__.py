"""Games as a whole: create them, act in them, read them. Everything above talks to `Games`."""

from service.games.games import Games
from service.games.records import Answer, Created, LoadedGame, NewFork, NewGame, NewSeat, RequestContext, Seated

__all__ = ["Answer", "Created", "Games", "LoadedGame", "NewFork", "NewGame", "NewSeat", "RequestContext", "Seated"]
