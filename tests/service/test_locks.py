"""Calls to one game wait for each other, not for other games, and not for ever."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from service.games import actions
from service.games.actions import GameLocks


def test_those_who_act_in_one_game_wait_for_each_other() -> None:
    held, inside, most = GameLocks(), [0], [0]

    def act(_: int) -> None:
        with held.hold("game"):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            Event().wait(0.001)
            inside[0] -= 1

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(act, range(50)))
    assert most == [1]


def test_another_game_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "LONGEST_WAIT", -1)  # for ever
    held = GameLocks()
    with held.hold("game"), held.hold("another"):
        pass


def test_a_call_that_hangs_keeps_nobody_waiting_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those after it go on without the lock, and do not end its own hold."""
    monkeypatch.setattr(actions, "LONGEST_WAIT", 0.01)
    held = GameLocks()
    with held.hold("game"):
        for _ in range(2):
            with held.hold("game"):
                pass


def test_an_error_ends_the_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    held = GameLocks()
    with pytest.raises(ZeroDivisionError), held.hold("game"):
        raise ZeroDivisionError
    monkeypatch.setattr(actions, "LONGEST_WAIT", -1)  # for ever
    with held.hold("game"):
        pass
