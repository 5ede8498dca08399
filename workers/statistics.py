"""The counting of statistics: beside each clock, in a thread of its own, so that no deadline waits for it."""

import logging
import os
import threading
import time
from collections.abc import Callable

from events.store import StoreError, StreamDamaged
from events.store.keys import BUCKETS
from service.bootstrap import Services
from service.statistics.counting import Counting

LOOK_SECONDS = 1.0
ASIDE_SECONDS = 60.0
"""A bucket that cannot be counted is looked at again after this."""

_log = logging.getLogger("rollbook.statistics")


class Statistician:
    """Looks for what is to be counted, and has it counted.

    Args:
        counting: Counts.
        first: Bucket to begin with; of several processes each begins at another, lest all count the same.
        monotonic: Seconds on a clock that nobody sets.
    """

    def __init__(self, counting: Counting, *, first: int = 0, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._counting = counting
        self._first = first
        self._monotonic = monotonic
        self._aside: dict[int, float] = {}

    def look(self, stop: threading.Event) -> None:
        """Count in each bucket what comes next, until the end is asked for.

        Raises:
            StoreError: The store does not answer, or takes nothing.
        """
        behind = sorted(self._counting.behind(), key=lambda bucket: (bucket - self._first) % BUCKETS)
        for bucket in behind:
            if stop.is_set():
                return
            if self._aside.get(bucket, 0) <= self._monotonic():
                self._count(bucket)

    def _count(self, bucket: int) -> None:
        try:
            self._counting.count(bucket)
        except Exception as error:  # one bucket that cannot be counted must not keep all others waiting
            if isinstance(error, StoreError) and not isinstance(error, StreamDamaged):
                raise
            self._aside[bucket] = self._monotonic() + ASIDE_SECONDS
            _log.error("bucket %d is not counted for a minute: %s: %s", bucket, type(error).__name__, error)


def keep_counting(stop: threading.Event, services: Services) -> threading.Thread:
    """Count each second in a thread, until the end is asked for; a store that is away is waited for."""
    statistician = Statistician(Counting(services.store), first=os.getpid() % BUCKETS)

    def run() -> None:
        well = True
        while not stop.is_set():
            try:
                statistician.look(stop)
                well = True
            except Exception as error:  # nobody would miss a thread that has ended
                if well:
                    _log.warning("statistics stand still: %s: %s", type(error).__name__, error)
                well = False
            stop.wait(LOOK_SECONDS)

    thread = threading.Thread(target=run, daemon=True, name="statistics")
    thread.start()
    return thread
