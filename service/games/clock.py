"""The one source of time: the store's clock, sampled once, and carried on by this machine's monotonic one.

So all API processes agree about deadlines, and a wall clock that jumps changes nothing: small differences to the store
are followed, and what is more than `JUMP_MS` is reported and left. A process that finds a later heartbeat goes on from
there: so all agree again, and nothing on record lies in the future.
"""

import logging
import time
from collections.abc import Callable

SAMPLE_EVERY = 30.0
"""Seconds for which a sample is carried on."""

JUMP_MS = 2000
"""A difference to the store that is no drift: a clock was set."""

_log = logging.getLogger("rollbook.clock")


def since_boot() -> float:
    """Return seconds on a clock that is never set, and that counts while the machine sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class Clock:
    """The time in milliseconds since 1970 (UTC); it never goes back.

    Args:
        sample: Asks the store.
        monotonic: Seconds on a clock that is never set.

    Attributes:
        apart: Milliseconds by which this time is ahead of the store's; 0 unless a clock was set.
    """

    def __init__(self, sample: Callable[[], int], monotonic: Callable[[], float] = since_boot) -> None:
        self._sample = sample
        self._monotonic = monotonic
        self._sampled_at: float | None = None
        self._base = 0
        self._last = 0
        self.apart = 0

    def saw(self, at: int) -> None:
        """Note the time of an event: the process that recorded it may be a little ahead, and `now` is never earlier.

        One that is far ahead is no measure for all other games.
        """
        if at - self.now() <= JUMP_MS:
            self._last = max(self._last, at)

    def follow(self, at: int) -> None:
        """Go on from the time of another process, if that is ahead."""
        ahead = at - self.now()
        if ahead > JUMP_MS:
            self._base += ahead
            self._note(self.apart + ahead)
        self._last = max(self._last, at)

    def now(self) -> int:
        """Return the time; ask the store when the last sample is old."""
        monotonic = self._monotonic()
        if self._sampled_at is None or monotonic - self._sampled_at > SAMPLE_EVERY:
            sample = self._sample()
            monotonic = self._monotonic()  # after the reply: a slow one must not put us ahead
            self._go_on_from(sample, monotonic)
        self._last = max(self._last, self._carried(monotonic))
        return self._last

    def _carried(self, monotonic: float) -> int:
        return self._base + int(1000 * (monotonic - (self._sampled_at or 0.0)))

    def _go_on_from(self, sample: int, monotonic: float) -> None:
        """Take over the store's time, unless it has jumped."""
        carried = sample if self._sampled_at is None else self._carried(monotonic)
        jumped = abs(carried - sample) > JUMP_MS
        self._base, self._sampled_at = carried if jumped else sample, monotonic
        self._note(carried - sample if jumped else 0)

    def _note(self, apart: int) -> None:
        if abs(apart - self.apart) > JUMP_MS:
            _log.warning("%s", set_apart(apart) or "the store's clock was set: the games' time is the store's again")
        self.apart = apart


def set_apart(apart: int) -> str:
    """Return in a sentence that the time of the games is not the store's; empty where it is."""
    where = f"{round(abs(apart) / 1000):,} s {'ahead of' if apart > 0 else 'after'} it"
    return f"the store's clock was set: the games' own time goes on, {where}" if abs(apart) > JUMP_MS else ""
