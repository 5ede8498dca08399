"""The clock process: reads what is due, each second, and does it.

Any number of them may run, since all that they do happens once: a deadline's default and a bot's move have action ids
that follow from what they are about. A bot's move is handed to the queue; one that was not made in time is made
here, so that nothing waits for a worker that is not there, or for a job that was lost. A second thread keeps the
statistics up to date (`workers.counting`).
"""

import logging
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

import click

from events.store import Store, StoreError
from events.store.due import Overdue
from service.bootstrap import Services
from service.errors import Busy, NoSuchGame
from service.games.due import Due, dues_of
from service.games.games import Games
from service.games.uptime import CLOCK
from service.jobs import BOT_JOB
from workers.bots import BotMoves
from workers.counting import keep_counting
from workers.wiring import services as wired

TICK_SECONDS = 1.0
BOT_LATE_MS = 2000
"""A bot's move that nobody has made so long after it was due is made by the clock; so is one with no more time left."""

MOST_REMEMBERED = 10_000
ASIDE_MS = 60_000
"""A game that cannot be served, since its history is damaged or a bug bites, is looked at again after this."""

_log = logging.getLogger("rollbook.clock")
Hand = Callable[[str, str, int, int], None]
"""Hands a job about a game, a seat and its move to the workers."""


class Ticker:
    """Does what is due.

    Args:
        games: The games.
        store: Where they lie.
        hand: Hands bots' moves to the workers.
    """

    def __init__(self, games: Games, store: Store, hand: Hand) -> None:
        self._games = games
        self._bots = BotMoves(games)
        self._store = store
        self._hand = hand
        self._handed: OrderedDict[tuple[str, int, int], None] = OrderedDict()
        self._aside: dict[str, int] = {}
        self._reported: dict[str, str] = {}

    def tick(self) -> int:
        """Do everything that is due now, the earliest first; return how many games were read.

        Raises:
            StoreError: The store does not answer.
        """
        self._games.clock.follow(self._store.heartbeats.newest())
        now = self._games.clock.now()
        self._store.heartbeats.beat(CLOCK, now)
        entries = self._store.due_index.overdue(until=now)
        for entry in entries:
            self._serve(entry, now)
        return len(entries)

    def _serve(self, entry: Overdue, now: int) -> None:
        game = entry.game
        if game is not None and self._aside.get(game, 0) > now:
            return
        try:
            if game is None:
                raise NoSuchGame("no game has such an id")
            self._do_due(game, entry)
            self._aside.pop(game, None)
            self._reported.pop(game, None)
        except NoSuchGame as error:
            self._store.due_index.quarantine(entry)
            _log.error(
                "the due index of bucket %d holds %r, which is put in quarantine: %s", entry.bucket, entry.member, error
            )
        except StoreError:
            raise
        except Busy:
            pass  # other processes are at it; the next look comes in a second
        except Exception as error:  # one game that cannot be served must not keep all others waiting
            self._leave_alone(entry.member.decode(), now, f"{type(error).__name__}: {error}")

    def _leave_alone(self, game: str, now: int, why: str) -> None:
        self._aside[game] = now + ASIDE_MS
        if self._reported.get(game) != why:
            self._reported[game] = why
            _log.error("game %s is left alone, and looked at again each minute: %s", game, why)

    def _do_due(self, game: str, entry: Overdue) -> None:
        state = self._games.current(game).state
        dues, now = dues_of(state), self._games.clock.now()
        for due in dues:
            if due.kind == "bot" and due.at <= now:
                self._hand_over_or_play(game, due, now)
        if not dues or dues[0].at > now:
            self._store.due_index.reschedule(entry, dues[0].at if dues else None)

    def _hand_over_or_play(self, game: str, due: Due, now: int) -> None:
        if now - due.at >= BOT_LATE_MS or 0 < due.last <= now + BOT_LATE_MS:
            self._bots.move(game, due.seat, due.moves)
            return
        move = (game, due.seat, due.moves)
        if move not in self._handed:
            self._hand(BOT_JOB, *move)
            self._handed[move] = None
            if len(self._handed) > MOST_REMEMBERED:
                self._handed.popitem(last=False)


def run_until(stop: threading.Event, services: Services, hand: Hand) -> None:
    """Tick each second until the end is asked for; a store that is away is waited for."""
    ticker, well = Ticker(services.games, services.store, hand), True
    while not stop.is_set():
        began = time.monotonic()
        try:
            ticker.tick()
            well = True
        except StoreError as error:
            if well:
                _log.warning("the clock stands still: %s", error)
            well = False
        stop.wait(max(0.0, TICK_SECONDS - (time.monotonic() - began)))


@click.command("clock")
def clock() -> None:
    """Do what is due in the games of the store that ROLLBOOK_REDIS_URL names; any number may run. Ctrl-C stops it."""
    run()


def run() -> None:
    """Run one clock process until SIGINT or SIGTERM.

    Raises:
        OperatorError: No store is named, or a key file cannot be used.
        StoreError: The store is not one that this program can use.
    """
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    services = wired()
    counting = keep_counting(stop, services)
    run_until(stop, services, services.hand)
    counting.join(timeout=TICK_SECONDS)


if __name__ == "__main__":
    run()
