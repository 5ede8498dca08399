"""How a rate is taken: the best of some rounds, since everything else on the machine only ever slows it down.

Where things are compared that are slowed down by different things, the middle of the rounds is taken (`http`).
"""

import gc
from collections.abc import Callable, Iterable
from time import perf_counter


def rate(count: int, work: Callable[[], object], rounds: int = 5) -> float:
    """Best of some rounds, in things a second."""
    return count / seconds(work, rounds)


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """Best of some rounds, in seconds."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        started = perf_counter()
        work()
        best = min(best, perf_counter() - started)
    return best


def median(found: Iterable[float]) -> float:
    """Middle of some figures."""
    ordered = sorted(found)
    return ordered[len(ordered) // 2]
