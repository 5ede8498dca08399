"""Outages: time in which nobody could be served is given back, once, and a deadline never passes unseen."""

import pytest

from events.clocks import OutageCredited
from events.store import Client, Store
from service.audit.verify import StoredHistory, verify
from service.games.games import Games
from service.games.records import RequestContext
from service.games.uptime import OUTAGE_MS, Uptime
from service.rules.actions import Pause, Resume, Roll
from tests.support.clocks import SetClock, expiry, happened, last, left, only_prompt, table
from tests.support.played import Table, empty, games_on
from workers.clock import Ticker

TURN = 60_000


def process(client: Client, at: int, *, api: bool) -> tuple[Games, SetClock, Uptime]:
    """One process on a store: of the API, or of the clock."""
    clock = SetClock(at)
    uptime = Uptime(Store(client).heartbeats, clock)
    games = games_on(client, clock=clock, uptime=uptime)
    if api:
        uptime.serve()
        uptime.beat()
    return games, clock, uptime


def began(client: Client) -> tuple[Table, SetClock, Uptime]:
    games, clock, uptime = process(client, 1_767_225_600_000, api=True)
    return table(games, turn_seconds=TURN // 1000), clock, uptime


def serve(clock: SetClock, uptime: Uptime, until: int) -> None:
    """Pass time while the API is there."""
    while clock.at < until:
        clock.at = min(until, clock.at + OUTAGE_MS - 1)
        uptime.beat()


@pytest.mark.parametrize("seen", [0, 1, 30_000, TURN, TURN + 999])
def test_an_outage_over_a_deadline_costs_nobody_anything(seen: int) -> None:
    """E9: ten minutes away; what was left when the service was last seen is left when it is back."""
    client = empty()
    club, clock, uptime = began(client)
    serve(clock, uptime, clock.at + seen)
    before = left(club, clock.at)
    games, clock, _ = process(client, clock.at + 600_000, api=True)
    club.games = games
    games.watch(club.game, RequestContext())
    assert left(club, clock.at) == before
    (credited,) = happened(club, OutageCredited)
    assert isinstance(credited.data, OutageCredited)
    assert credited.data.until - credited.data.since == 600_000
    asked = only_prompt(club)
    clock.at = last(club)
    games.actions.perform(club.game, Roll(prompt=asked.prompt), RequestContext(club.tokens[asked.seat]))
    assert verify(StoredHistory(club.store), club.game).findings == []


def test_an_outage_shorter_than_the_threshold_changes_nothing() -> None:
    client = empty()
    club, clock, _ = began(client)
    asked = only_prompt(club)
    games, clock, _ = process(client, clock.at + OUTAGE_MS - 1, api=True)
    games.watch(club.game, RequestContext())
    assert only_prompt(club) == asked
    assert not happened(club, OutageCredited)


@pytest.mark.parametrize("away", [OUTAGE_MS, 1_000, 3_000, 9_999])
@pytest.mark.parametrize("before", [1, 200, 999])
def test_a_short_restart_over_a_deadline_costs_nobody_the_turn(before: int, away: int) -> None:
    """The first request after it, the player's move, is in time, though no other was there to end the outage."""
    client = empty()
    club, clock, uptime = began(client)
    serve(clock, uptime, last(club) - before)
    asked = only_prompt(club)
    clock = SetClock(clock.at + away)
    back = Uptime(Store(client).heartbeats, clock)
    back.serve()
    games = games_on(client, clock=clock, uptime=back)
    games.actions.perform(club.game, Roll(prompt=asked.prompt), RequestContext(club.tokens[asked.seat]))
    (credited,) = happened(club, OutageCredited)
    assert isinstance(credited.data, OutageCredited)
    assert asked.deadline is not None
    assert credited.data.deadlines == {asked.prompt: asked.deadline + away}


def test_the_clock_waits_while_nobody_is_served() -> None:
    """No API process: no deadline passes. When one is back, however soon, what was left of the time is left again."""
    client = empty()
    club, clock, uptime = began(client)
    serve(clock, uptime, last(club) - 1)
    ticking, ticker_clock, _ = process(client, expiry(club), api=False)
    ticker = Ticker(ticking, ticking.store, lambda *_: None)
    asked = only_prompt(club)
    for _ in range(5):
        ticker_clock.at += 1_000
        ticker.tick()
    assert only_prompt(club) == asked
    games, _, _ = process(client, ticker_clock.at, api=True)
    ticker.tick()
    games.actions.perform(club.game, Roll(prompt=asked.prompt), RequestContext(club.tokens[asked.seat]))
    assert len(happened(club, OutageCredited)) == 1


def test_what_was_over_before_stays_over() -> None:
    """A deadline whose last moment had passed when the service was last seen is not given back."""
    client = empty()
    club, clock, uptime = began(client)
    asked = only_prompt(club)
    serve(clock, uptime, last(club))
    games, _, _ = process(client, clock.at + 600_000, api=True)
    games.watch(club.game, RequestContext())
    assert asked.prompt not in club.state.prompts
    assert not happened(club, OutageCredited)


def test_an_outage_is_credited_once_and_each_of_several() -> None:
    client = empty()
    club, clock, _ = began(client)
    for round_ in (1, 2, 3):
        for _ in range(2):  # two processes come back at once
            games, clock, uptime = process(client, clock.at + 60_000 * (_ == 0), api=True)
            games.watch(club.game, RequestContext())
        assert len(happened(club, OutageCredited)) == round_
        uptime.beat()
    assert left(club, clock.at) == TURN


def test_an_outage_in_a_pause_is_no_loss() -> None:
    client = empty()
    club, clock, _ = began(client)
    clock.at += 5_000
    club.games.actions.perform(club.game, Pause(), RequestContext(club.host))
    games, clock, _ = process(client, clock.at + 600_000, api=True)
    club.games = games
    games.watch(club.game, RequestContext())
    games.actions.perform(club.game, Resume(), RequestContext(club.host))
    games.watch(club.game, RequestContext())
    assert left(club, clock.at) == TURN - 5_000
    assert not happened(club, OutageCredited)


def test_a_process_that_knows_nothing_new_yet_credits_before_it_lets_a_deadline_pass() -> None:
    """The clock has looked a moment ago; meanwhile the API was away and came back. It reads again when it matters."""
    client = empty()
    club, clock, _ = began(client)
    ticking, ticker_clock, known = process(client, clock.at, api=False)
    asked = only_prompt(club)
    moment = expiry(club) + 60_000
    ticker_clock.at = moment
    known.refresh()
    process(client, moment, api=True)
    Ticker(ticking, ticking.store, lambda *_: None).tick()
    assert only_prompt(club).prompt == asked.prompt
    assert len(happened(club, OutageCredited)) == 1
