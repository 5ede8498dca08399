"""The clock: the store's time, carried on, never back, and never ahead by a slow reply."""

from service.games.clock import SAMPLE_EVERY, Clock


def test_a_slow_reply_does_not_put_the_clock_ahead() -> None:
    """The store's time is that of its reply: what the way took is not added to it."""
    now = [100.0]

    def sample() -> int:
        now[0] += 2.0  # the reply takes two seconds, and tells the time at its end
        return int(1000 * now[0])

    clock = Clock(sample, monotonic=lambda: now[0])
    assert clock.now() == 102_000
    now[0] += 1.5
    assert clock.now() == 103_500


def test_it_never_goes_back() -> None:
    now, store = [0.0], [5_000]
    clock = Clock(lambda: store[0], monotonic=lambda: now[0])
    assert clock.now() == 5_000
    now[0], store[0] = SAMPLE_EVERY + 1, 1_000
    assert clock.now() == 5_000
