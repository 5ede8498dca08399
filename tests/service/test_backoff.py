"""When something that died is started again."""

import pytest

from service.hosting.supervisor.backoff import LONGEST_DELAY, SETTLED, Backoff


class _Clock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> _Clock:
    clock = _Clock()
    monkeypatch.setattr("service.hosting.supervisor.backoff.time", clock)
    return clock


def _wait_after(backoff: Backoff, clock: _Clock) -> float:
    start = clock.now
    while not backoff.is_over:
        clock.now += 0.25
    return clock.now - start


def test_each_death_is_waited_for_longer_up_to_a_limit(clock: _Clock) -> None:
    """The first three not at all, and none so long that players wait five seconds with the start."""
    backoff, waits = Backoff(), []
    for _ in range(10):
        backoff.started()
        backoff.died()
        waits.append(_wait_after(backoff, clock))
    assert waits == [0, 0, 0, 0.5, 1, 2, 2, 2, 2, 2]
    assert LONGEST_DELAY < 3


def test_a_long_life_makes_earlier_deaths_forgotten(clock: _Clock) -> None:
    backoff = Backoff()
    for _ in range(5):
        backoff.started()
        backoff.died()
    backoff.started()
    clock.now += SETTLED
    backoff.died()
    assert backoff.deaths == 1
    assert backoff.is_over
