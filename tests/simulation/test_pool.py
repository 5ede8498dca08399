"""Games shared among processes: an interrupt ends the work whenever it comes, and a process that is lost is noticed."""

import subprocess
import sys
import threading
from collections.abc import Iterable

import pytest

from service.simulation.pool import share
from tests.simulation.interrupted import Result, end_before_time

PATIENCE = 60


def test_an_interrupt_within_a_result_ends_the_work() -> None:
    """The players are killed, one of them in the middle of what it sends; nobody waits for the rest of it."""
    command = [sys.executable, "-m", "tests.simulation.interrupted"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr


def one(_numbers: Iterable[int]) -> Result:
    return Result()


def test_no_other_thread_takes_part() -> None:
    """So no lock can be left held for one by an interrupt, which may come between any two instructions."""
    before, seen = threading.active_count(), set[int]()
    share(one, 40, Result(), processes=2, progress=lambda _done: seen.add(threading.active_count()))
    assert seen == {before}


def test_a_player_that_is_killed_is_noticed() -> None:
    with pytest.raises(RuntimeError, match="ended before its time"):
        share(end_before_time, 40, Result(), processes=2)


def fail(_numbers: Iterable[int]) -> Result:
    message = "no such card"
    raise LookupError(message)


def test_what_a_player_raises_comes_with_its_trace() -> None:
    with pytest.raises(LookupError, match="no such card") as raised:
        share(fail, 40, Result(), processes=2)
    assert any("in fail" in note for note in raised.value.__notes__)
