"""What is due by the clock in a game: defaults of prompts whose deadlines have passed, and time that is given back."""

import contextlib

from events.store import StoreFull
from service.errors import Busy, Frozen, NotRecordable, UnsupportedRules
from service.games.appending import Appender
from service.games.clock import Clock
from service.games.due import Due, dues_of
from service.games.loading import Loader
from service.games.records import LoadedGame, RequestContext
from service.games.uptime import Uptime
from service.rules.actions import CreditOutage, Expire, OpenAction
from service.rules.timing import SETTLE_MS, credits_of
from service.rules.violations import RuleViolation

MOST_AT_ONCE = 20  # ballots of a whole table fall due at once


class Deadlines:
    """Does what is due.

    Args:
        loader: Games in memory.
        appender: Appends.
        clock: The store's time.
        uptime: Whether anyone could be served; None: always.
    """

    def __init__(self, loader: Loader, appender: Appender, clock: Clock, uptime: Uptime | None = None) -> None:
        self._loader = loader
        self._appender = appender
        self._clock = clock
        self._uptime = uptime

    def apply(self, loaded: LoadedGame) -> LoadedGame:
        """Do what is due in a game by now; return the game after it."""
        self._clock.saw(loaded.state.at)
        for _ in range(MOST_AT_ONCE):
            if loaded.due is None or self._loader.guard.is_frozen(loaded.state.game):
                break
            late = self._late(loaded)
            newer = self._credit(loaded, surely=late is not None)
            if newer is loaded and late is not None and self._clock.now() >= late.at and self._was_served(late):
                newer = self._expire(loaded, late)
            if newer is loaded:
                break
            loaded = newer
        return loaded

    def _late(self, loaded: LoadedGame) -> Due | None:
        """Find the deadline that passed first; its default is taken once its time to settle is over, too."""
        first = next((due for due in dues_of(loaded.state) if due.kind == "deadline"), None)
        return first if first is not None and self._clock.now() >= first.at - SETTLE_MS else None

    def _was_served(self, late: Due) -> bool:
        """Return whether the person who let a deadline pass could have moved at its last moment."""
        return self._uptime is None or self._uptime.served_at(late.at - SETTLE_MS)

    def _credit(self, loaded: LoadedGame, *, surely: bool) -> LoadedGame:
        """Credit the time of an outage during which a prompt was open."""
        if self._uptime is None:
            return loaded
        self._uptime.refresh(surely=surely)
        opened = min((prompt.opened for prompt in loaded.state.prompts.values()), default=0)
        for since, until in self._uptime.since(opened):
            if until <= self._clock.now() and credits_of(loaded.state, since=since, until=until):
                return self._do(loaded, CreditOutage(since=since, until=until), f"{since}:{until}", "credit")
        return loaded

    def _expire(self, loaded: LoadedGame, late: Due) -> LoadedGame:
        action = Expire(prompt=late.prompt, deadline=late.deadline)
        return self._do(loaded, action, f"{late.prompt}:{late.deadline}", "expire")

    def _do(self, loaded: LoadedGame, action: OpenAction, key: str, digest: str) -> LoadedGame:
        """Append an action of the clock, which happens once; return the game after it."""
        request = RequestContext(key=key, digest=digest, system="clock", received=self._clock.now())
        # The game has moved past it, which is as good; or nothing can be written now, and reading goes on.
        with contextlib.suppress(RuleViolation, UnsupportedRules, NotRecordable, Busy, Frozen, StoreFull):
            self._appender.append(loaded, action, request)
        return self._loader.load(loaded.state.game)
