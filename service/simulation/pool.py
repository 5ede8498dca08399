"""Sharing games among processes. Each is spawned, so none inherits a thread, a lock or a connection."""

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Protocol, Self, TypeVar, cast

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
    players: dict[Connection, SpawnProcess] = {}
    # No pool of the standard library: its threads share locks with this one, and one of them waits for whole results.
    # An interrupt at the wrong moment left such a lock held, or killed a player within a result: the end never came.
    try:
        # It is started with the first process otherwise, and ends the mask under which all are to be started.
        resource_tracker.ensure_running()
        with _no_interrupt():
            for _ in range(min(processes, len(pieces))):
                _start_player(play, players)
        yield from _hand_out(pieces, [*players])
    except (EOFError, ConnectionError) as error:
        raise RuntimeError("a process that played games has ended before its time") from error
    finally:
        for player in players.values():  # nobody waits for what they play
            player.kill()
        for player in players.values():
            player.join()


def _start_player(play: Callable[[range], W], players: dict[Connection, SpawnProcess]) -> None:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with theirs:
        players[ours] = context.Process(target=_play, args=(play, theirs), daemon=True)
        players[ours].start()


def _play(play: Callable[[range], W], pipe: Connection) -> None:
    """Play pieces that come through a pipe until its other end is closed."""
    with suppress(EOFError, ConnectionError):
        while True:
            pipe.send(_attempt(play, pipe.recv()))


def _attempt(play: Callable[[range], W], piece: range) -> W | Exception:
    try:
        return play(piece)
    except Exception as error:  # a bug, reported by the process that shares the work
        error.add_note(traceback.format_exc())
        return error


def _hand_out(pieces: list[range], players: list[Connection]) -> Iterator[tuple[Any, int]]:
    """Keep every player at a piece until all are played; yield the counts of each, and how many games it was."""
    left = iter(pieces)
    playing: dict[Connection, range] = {}

    def hand(player: Connection) -> None:
        if (piece := next(left, None)) is not None:
            playing[player] = piece
            player.send(piece)

    for player in players:
        hand(player)
    while playing:
        for player in cast("list[Connection]", wait([*playing])):
            part, piece = player.recv(), playing.pop(player)
            if isinstance(part, Exception):
                raise part
            hand(player)
            yield part, len(piece)


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
