"""Whether anyone could be served: heartbeats of the API, and the outages that are credited.

A deadline counts only if its last moment was one at which the API was there: a person who wanted to move could. Where
three heartbeats are missing, the first API process that is there again puts an outage on record, and every game that
looks at it gives back the time that it took. A shorter one is no longer than the grace after a deadline.
"""

import logging
import threading
import time
from bisect import bisect_right
from collections.abc import Callable

from events.store import Heartbeats, StoreError
from service.games.clock import Clock

API = "api"
CLOCK = "clock"
OUTAGE_MS = 750
BEAT_SECONDS = 0.25
LOOK_MS = 250
MOST_KNOWN = 1000
_log = logging.getLogger("rollbook.uptime")


class Uptime:
    """What a process knows of the API's being there.

    Args:
        heartbeats: Of the store.
        clock: The store's time.
    """

    def __init__(self, heartbeats: Heartbeats, clock: Clock) -> None:
        self._heartbeats = heartbeats
        self._clock = clock
        self._serving = False
        self._seen: int | None = None
        self._looked: int | None = None
        self._outages: list[tuple[int, int]] = []

    def serve(self) -> None:
        """Be an API process from now on: the first beat or request ends an outage, as nobody is served before it."""
        self._serving = True

    def beat(self) -> None:
        """Note that this API process is there.

        Raises:
            StoreError: The store does not answer.
        """
        self._clock.follow(self._heartbeats.newest())
        now = self._clock.now()
        self._learn(self._heartbeats.beat(API, now, least=OUTAGE_MS, after=self._known))
        self._seen = max(now, self._seen or 0)

    def keep_beating(self, alive: Callable[[], bool]) -> threading.Thread:
        """Beat on in a thread, while `alive` says so."""

        def run() -> None:
            while alive():
                try:
                    self.beat()
                except StoreError:
                    # The store is away: no request is served either.
                    _log.debug("no heartbeat could be written")
                time.sleep(BEAT_SECONDS)
            self._serving = False  # what is still in flight is no sign that others are served

        thread = threading.Thread(target=run, daemon=True, name="beat")
        thread.start()
        return thread

    def refresh(self, *, surely: bool = False) -> None:
        """Read what API processes have noted; one that serves knows it, unless it was held up.

        Args:
            surely: It matters right now. Otherwise what was read a moment ago will do.

        Raises:
            StoreError: The store does not answer.
        """
        now = self._clock.now()
        if self._serving:
            if self._seen is None or (surely and now - self._seen >= LOOK_MS):
                self.beat()
        elif surely or self._looked is None or now - self._looked >= LOOK_MS:
            self._looked = now
            self._clock.follow(self._heartbeats.newest())
            self._seen = self._heartbeats.last(API)
            self._learn(self._heartbeats.outages(after=self._known))

    def since(self, moment: int) -> list[tuple[int, int]]:
        """List the outages that ended after a moment, as (since, until) in order."""
        return self._outages[bisect_right(self._outages, moment, key=lambda span: span[1]) :]

    @property
    def _known(self) -> int:
        return self._outages[-1][1] if self._outages else 0

    def _learn(self, newer: list[tuple[int, int]]) -> None:
        # Another greenlet may have learnt the same meanwhile.
        unknown = [span for span in newer if span[1] > self._known]
        self._outages = [*self._outages, *unknown][-MOST_KNOWN:] if unknown else self._outages

    def served_at(self, moment: int) -> bool:
        """Return whether the API was there at a past moment, as far as is known, or never was."""
        return self._seen is None or self._seen >= moment
