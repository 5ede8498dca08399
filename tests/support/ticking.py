"""A clock and its jobs, ticked by a test, for games in memory."""

import pytest

from events.play import ActionTaken
from service.games.due import dues_of
from service.games.games import Games
from tests.support.clocks import SetClock, history
from tests.support.played import Table
from workers.bots import BotMoves
from workers.clock import BOT_LATE_MS, Ticker

RULEBOOKS = pytest.mark.parametrize("rulebook", ["public_assistance", "social_justice"])


class Jobs:
    """A queue whose jobs are done, or left."""

    def __init__(self) -> None:
        self.waiting: list[tuple[str, int, int]] = []

    def hand(self, _job: str, game: str, seat: int, moves: int) -> None:
        self.waiting.append((game, seat, moves))

    def work(self, games: Games) -> int:
        made = sum(BotMoves(games).move(*job) for job in self.waiting)
        self.waiting.clear()
        return made


def expiries(club: Table) -> int:
    return sum(isinstance(e.data, ActionTaken) and e.data.name == "expire" for e in history(club))


def run(games: Games, clock: SetClock, club: Table, *, work: bool, most: int = 20_000) -> None:
    """Pass time from one due moment to the next until the game is over; nobody but clock and workers acts."""
    jobs = Jobs()
    ticker = Ticker(games, games.store, jobs.hand)
    for _ in range(most):
        if not (dues := dues_of(club.state)):
            return
        due = dues[0]
        clock.at = max(clock.at, due.at if work else due.at + BOT_LATE_MS)
        ticker.tick()
        if work:
            jobs.work(games)
    raise AssertionError(f"{most} ticks, and the game goes on")
