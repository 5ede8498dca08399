"""The clock: the store's time, carried on, never back, not ahead by a slow reply, by even steps whatever is set."""

import logging

import pytest

from events.clocks import OutageCredited
from events.store import Store
from events.store.keys import HEARTBEAT_KEYS
from service.games.clock import SAMPLE_EVERY, Clock
from service.games.records import RequestContext
from service.games.uptime import Uptime
from service.hosting.health import background_faults
from tests.support.clocks import expiry, happened, left, only_prompt, table
from tests.support.played import empty, games_on
from workers.clock import Ticker

HOUR = 3_600_000


class Machine:
    """A store's clock that can be set, and a process's own that cannot."""

    def __init__(self) -> None:
        self.store = 1_767_225_600_000
        self.own = 100.0

    def passes(self, ms: int) -> None:
        self.store += ms
        self.own += ms / 1000

    def clock(self) -> Clock:
        return Clock(lambda: self.store, lambda: self.own)


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


def test_it_follows_a_store_that_drifts_and_never_goes_back() -> None:
    machine = Machine()
    clock = machine.clock()
    before = clock.now()
    machine.passes(31_000)
    machine.store += 500
    assert clock.now() == before + 31_500
    machine.passes(31_000)
    machine.store -= 500
    assert clock.now() == before + 62_000
    assert clock.apart == 0


@pytest.mark.parametrize("jump", [HOUR, -HOUR, 3_000, -3_000])
def test_a_clock_that_is_set_changes_no_step(jump: int, caplog: pytest.LogCaptureFixture) -> None:
    """It is noticed and logged once, and once more when it is set right."""
    machine = Machine()
    clock = machine.clock()
    began = clock.now()
    for turn, moved in enumerate((jump, 0, 0, -jump, 0), 1):
        machine.passes(int(SAMPLE_EVERY) * 1000 + 1)
        machine.store += moved
        assert clock.now() == began + turn * (int(SAMPLE_EVERY) * 1000 + 1)
        assert clock.apart == (-jump if turn < 4 else 0)
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2


def test_a_process_that_is_ahead_is_followed() -> None:
    """Time goes on in even steps from there, and does not stand still until the store has caught up."""
    machine = Machine()
    clock = machine.clock()
    clock.follow(machine.store + HOUR)
    assert clock.now() == machine.store + HOUR
    machine.passes(5_000)
    assert clock.now() == machine.store + HOUR
    machine.passes(60_000)
    assert (clock.now(), clock.apart) == (machine.store + HOUR, HOUR)


def test_an_event_that_is_far_ahead_sets_no_clock() -> None:
    machine = Machine()
    clock = machine.clock()
    clock.saw(machine.store + HOUR)
    assert clock.now() == machine.store
    clock.saw(machine.store + 100)
    assert clock.now() == machine.store + 100


def test_a_clock_that_was_ahead_and_is_set_back_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """Deadlines pass and bots move in all processes, also those that begin later; and no outage is credited."""
    machine, client = Machine(), empty()
    machine.store += HOUR

    def process() -> tuple[Clock, Uptime, Ticker]:
        clock = machine.clock()
        uptime = Uptime(Store(client).heartbeats, clock)
        games = games_on(client, clock=clock, uptime=uptime)
        return clock, uptime, Ticker(games, games.store, lambda *_: None)

    clock, uptime, ticker = process()
    uptime.serve()
    uptime.beat()
    club = table(games_on(client, clock=clock, uptime=uptime), turn_seconds=20)
    machine.store -= HOUR
    for restart in (False, True):
        if restart:
            clock, uptime, ticker = process()
            uptime.serve()
        asked, due, looks = only_prompt(club), expiry(club), 0
        while asked.prompt in club.state.prompts:
            machine.passes(500)
            uptime.beat()
            ticker.tick()
            looks += 1
            assert looks < 100
        assert 0 <= club.state.at - due < 1_500
        assert club.state.at <= clock.now()
    assert not happened(club, OutageCredited)
    faults = background_faults(Store(client).heartbeats, clock.now(), lambda: 1, apart=clock.apart)
    assert list(faults) == ["the store's clock was set: the games' own time goes on, 3,600 s ahead of it"]


def test_a_process_that_begins_ahead_takes_all_others_with_it() -> None:
    """The store's clock was set ahead: what that looks like is an outage, which costs nobody anything."""
    machine, client = Machine(), empty()
    clock, late = machine.clock(), machine.clock()
    uptime, newcomer = (Uptime(Store(client).heartbeats, each) for each in (clock, late))
    uptime.serve()
    uptime.beat()
    games = games_on(client, clock=clock, uptime=uptime)
    club = table(games, turn_seconds=20)
    machine.store += HOUR
    newcomer.serve()
    newcomer.beat()
    machine.passes(500)
    uptime.beat()
    games.watch(club.game, RequestContext())
    assert late.now() - clock.now() == 500  # as old as the heartbeat
    assert left(club, clock.now()) == 20_000
    assert len(happened(club, OutageCredited)) == 1


def test_an_outage_that_ends_in_the_future_is_not_credited() -> None:
    """It was put on record while a clock was ahead, and everything has been stopped since."""
    machine, client = Machine(), empty()
    clock = machine.clock()
    uptime = Uptime(Store(client).heartbeats, clock)
    games = games_on(client, clock=clock, uptime=uptime)
    club = table(games, turn_seconds=20)
    until = machine.store + HOUR
    client.execute_command("ZADD", HEARTBEAT_KEYS[1], until, f"{machine.store}:{until}")
    games.watch(club.game, RequestContext())
    assert not happened(club, OutageCredited)
