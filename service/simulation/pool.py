"""Sharing games among processes. Each is spawned, so none inherits a thread, a lock or a connection."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Any, Protocol, Self, TypeVar

MOST_AT_ONCE = 10
"""Games in one piece of work: few enough for a smooth progress bar, and for an end within moments."""


class Sum(Protocol):
    """Counts that add up in any order."""

    def add(self, other: Self, /) -> None:
        """Add another one's counts."""


W = TypeVar("W", bound=Sum)


def cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share(
    work: Callable[[range], W],
    games: int,
    whole: W,
    *,
    processes: int,
    progress: Callable[[int], None] = lambda _: None,
) -> W:
    """Share games among processes; what is counted does not depend on how many processes there are.

    Args:
        work: Plays the games of some numbers and counts; it is sent to other processes.
        games: How many games, numbered from 0.
        whole: Gets the counts.
        processes: How many processes share the work; 1 plays here.
        progress: Called with how many games more are done.

    Raises:
        KeyboardInterrupt: It was ended from outside; no process is left running.
    """
    for part, done in _parts(work, games, processes):
        whole.add(part)
        progress(done)
    return whole


def _pieces(games: int, processes: int) -> list[range]:
    """Cut the games into pieces, at least a few for each process."""
    size = max(1, min(MOST_AT_ONCE, games // (4 * processes)))
    return [range(first, min(first + size, games)) for first in range(0, games, size)]


def _parts(play: Callable[[range], W], games: int, processes: int) -> Iterator[tuple[W, int]]:
    pieces = _pieces(games, processes)
    if processes == 1:
        for piece in pieces:
            yield play(piece), len(piece)
        return
    pool = ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"))
    try:
        with _no_interrupt():
            work: dict[Any, int] = {pool.submit(play, piece): len(piece) for piece in pieces}
        for done in as_completed(work):
            yield done.result(), work[done]
    except KeyboardInterrupt:
        # Nobody waits for what they play.
        for player in multiprocessing.active_children():
            player.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Start processes that do not hear Ctrl-C: a terminal sends it to all, and this process alone ends the work.

    A mask goes on to the processes started under it. It is this thread's alone, and Ctrl-C may reach us by another: so
    what comes meanwhile is noted, and heeded at the end, when no process is half started.
    """
    noted: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _frame: noted.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
    if noted:
        raise KeyboardInterrupt
