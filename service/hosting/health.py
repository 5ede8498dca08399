"""Whether there are processes that move bots and keep clocks, as `readyz` and `rollbook doctor` report it."""

from collections.abc import Callable, Iterator

from events.store import Heartbeats
from service.games.clock import set_apart
from service.games.uptime import CLOCK

LATE_MS = 10_000


def background_faults(
    heartbeats: Heartbeats, now: int, workers: Callable[[], int | None], *, apart: int = 0
) -> Iterator[str]:
    """Yield a sentence for each thing that is missing in the background.

    Args:
        heartbeats: Of the store.
        now: UTC, ms.
        workers: Counts workers; None where the queue does not answer or there is none.
        apart: Milliseconds by which `now` is ahead of the store's time.
    """
    if fault := set_apart(apart):
        yield fault
    seen = heartbeats.last(CLOCK)
    count = workers()
    if seen is None or now - seen > LATE_MS:
        when = "ever" if seen is None else f"for {(now - seen) // 1000:,} s"
        yield (
            f"no clock process was there {when}: deadlines wait until a player sends a request, and bots do not move"
            " (`rollbook clock`)"
        )
    if count is None:
        yield "the queue of jobs does not answer: clock processes move the bots, and no other job is done"
    elif not count:
        yield "no worker is there: clock processes move the bots, and no other job is done (`rollbook worker`)"
