"""Whether anyone could be served: heartbeats of the API, and the outages that are credited.

A deadline counts only if its last moment was one at which the API was there: a person who wanted to move could. An
outage of ten seconds or more is put on record by the first API process that is there again, and every game that looks
at it gives back the time that it took. A shorter one changes nothing.
"""

import logging
import threading
import time
from collections.abc import Callable

from events.store import Heartbeats, StoreError
from service.games.clock import Clock

API = "api"
CLOCK = "clock"
OUTAGE_MS = 10_000
BEAT_SECONDS = 0.5
LOOK_MS = 500
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
        self.outages: list[tuple[int, int]] = []

    def serve(self) -> None:
        """Be an API process from now on; before the first request, so that an outage is known by then.

        Raises:
            StoreError: The store does not answer.
        """
        self._serving = True
        self.beat()

    def beat(self) -> None:
        """Note that this API process is there.

        Raises:
            StoreError: The store does not answer.
        """
        now = self._clock.now()
        self.outages = self._heartbeats.beat(API, now, least=OUTAGE_MS)
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

        thread = threading.Thread(target=run, daemon=True, name="beat")
        thread.start()
        return thread

    def refresh(self, *, surely: bool = False) -> None:
        """Read what API processes have noted; one that serves knows it, unless it was held up.

        Args:
            surely: It matters right now. Otherwise what was read half a second ago will do.

        Raises:
            StoreError: The store does not answer.
        """
        now = self._clock.now()
        if self._serving:
            if surely and now - (self._seen or 0) >= LOOK_MS:
                self.beat()
        elif surely or self._looked is None or now - self._looked >= LOOK_MS:
            self._looked = now
            self._seen, self.outages = self._heartbeats.last(API), self._heartbeats.outages()

    def served_at(self, moment: int) -> bool:
        """Return whether the API was there at a past moment, as far as is known, or never was."""
        return self._seen is None or self._seen >= moment
