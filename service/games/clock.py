"""The one source of time: the store's clock, sampled, and carried on by this machine's monotonic one.

So all API processes agree about deadlines, and a wall clock that jumps changes nothing.
"""

import time
from collections.abc import Callable

SAMPLE_EVERY = 30.0
"""Seconds for which a sample is carried on."""


class Clock:
    """The time in milliseconds since 1970 (UTC); it never goes back.

    Args:
        sample: Asks the store.
        monotonic: Seconds on a clock that is never set.
    """

    def __init__(self, sample: Callable[[], int], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._sample = sample
        self._monotonic = monotonic
        self._sampled_at: float | None = None
        self._base = 0
        self._last = 0

    def saw(self, at: int) -> None:
        """Note the time of an event: the process that recorded it may be ahead, and `now` is never earlier."""
        self._last = max(self._last, at)

    def now(self) -> int:
        """Return the time; ask the store when the last sample is old."""
        monotonic = self._monotonic()
        if self._sampled_at is None or monotonic - self._sampled_at > SAMPLE_EVERY:
            self._base = self._sample()
            monotonic = self._sampled_at = self._monotonic()  # after the reply: a slow one must not put us ahead
        self._last = max(self._last, self._base + int(1000 * (monotonic - self._sampled_at)))
        return self._last
