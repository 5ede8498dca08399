"""When a process that died may be started again: at once the first times, then after longer and longer delays."""

import time

AT_ONCE = 3  # deaths after which nothing is waited for
FIRST_DELAY = 0.5  # seconds after the next death; doubled each time
LONGEST_DELAY = 2.0  # players wait as long, so that it is short even for what dies again and again
SETTLED = 60.0  # seconds of life after which earlier deaths are forgotten


class Backoff:
    """The deaths of one process.

    Attributes:
        deaths: How many there were since it last lived long.
    """

    def __init__(self) -> None:
        self.deaths = 0
        self._since = 0.0
        self._not_before = 0.0

    def started(self) -> None:
        """Note that it was started."""
        self._since = time.monotonic()

    def died(self) -> None:
        """Note that it was found dead."""
        now = time.monotonic()
        self.deaths = 1 if now - self._since >= SETTLED else self.deaths + 1
        delay = 0.0 if self.deaths <= AT_ONCE else min(LONGEST_DELAY, FIRST_DELAY * 2 ** (self.deaths - AT_ONCE - 1))
        self._not_before = now + delay

    @property
    def is_over(self) -> bool:
        """Whether it may be started now."""
        return time.monotonic() >= self._not_before
