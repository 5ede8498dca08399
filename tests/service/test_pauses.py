"""Pause and resume: the time left is kept to the millisecond, whatever happens in between."""

import pytest

from events.clocks import GamePaused
from service.audit.verify import StoredHistory, verify
from service.games.records import RequestContext
from service.rules.actions import Leave, Pause, Resume, Roll
from service.rules.timing import GRACE_MS, SETTLE_MS
from service.rules.violations import RuleViolation
from tests.support.clocks import clocked, expiry, happened, history, last, left, only_prompt, table
from tests.support.executed import execute
from tests.support.played import Table, empty
from tests.support.waiting import waiting

TURN = 60_000
MOMENTS = (0, 1, 7, 30_000, TURN - 1, TURN, TURN + 1, TURN + GRACE_MS, TURN + GRACE_MS + SETTLE_MS - 1)


def refused(table: Table, code: str) -> None:
    prompt = only_prompt(table)
    with pytest.raises(RuleViolation) as violation:
        table.games.actions.perform(table.game, Roll(prompt=prompt.prompt), RequestContext(table.tokens[prompt.seat]))
    assert violation.value.refusal.code == code


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("rulebook", ["public_assistance", "social_justice"])
def test_the_time_left_is_kept_to_the_millisecond(rulebook: str, moment: int) -> None:
    """Paused at any moment of a turn, read and restarted in the pause, resumed a week and a bit later."""
    client = empty()
    games, clock = clocked(client)
    club = table(games, rulebook, turn_seconds=TURN // 1000)
    clock.at += moment
    before = left(club, clock.at)
    games.actions.perform(club.game, Pause(), RequestContext(club.host))
    for later in (0, 1, 604_800_123):
        games, clock = clocked(client, at=clock.at + later)
        club.games = games
        games.watch(club.game, RequestContext())
        assert left(club, clock.at) == before
        refused(club, "game_paused")
    games.actions.perform(club.game, Resume(), RequestContext(club.host))
    assert left(club, clock.at) == before == TURN - moment
    clock.at = expiry(club) - 1
    games.watch(club.game, RequestContext())
    assert only_prompt(club).opened > 0
    version = club.version
    clock.at += 1
    games.watch(club.game, RequestContext())
    assert club.version > version


def test_ten_pauses_give_nobody_more_time() -> None:
    """E12: time to think stays bounded, however often the host pauses, also in the time of grace."""
    games, clock = clocked()
    club = table(games, turn_seconds=10)
    thought = 0
    for _ in range(10):
        clock.at += 1_050
        thought += 1_050
        games.actions.perform(club.game, Pause(), RequestContext(club.host))
        clock.at += 86_400_000
        games.actions.perform(club.game, Resume(), RequestContext(club.host))
    assert left(club, clock.at) == 10_000 - thought < 0
    clock.at = last(club)
    assert thought + clock.at - (last(club) - GRACE_MS) + left(club, clock.at) <= 10_000 + GRACE_MS
    clock.at += 1
    refused(club, "too_late")


def test_nothing_is_due_in_a_pause_and_everything_behind_it() -> None:
    games, clock = clocked()
    club = table(games, turn_seconds=10)
    assert waiting(club.store, until=2**52)
    games.actions.perform(club.game, Pause(), RequestContext(club.host))
    assert waiting(club.store, until=2**52) == []
    clock.at += 10**9
    games.actions.perform(club.game, Resume(), RequestContext(club.host))
    assert waiting(club.store, until=2**52) == [(expiry(club), club.game)]


@pytest.mark.parametrize("rulebook", ["public_assistance", "social_justice"])
def test_who_leaves_in_a_pause_starts_a_turn_whose_clock_stands_still(rulebook: str) -> None:
    """The next seat has its whole time after the pause."""
    games, clock = clocked()
    club = table(games, rulebook, persons=3, turn_seconds=10)
    clock.at += 4_000
    games.actions.perform(club.game, Pause(), RequestContext(club.host))
    clock.at += 50_000
    active = only_prompt(club).seat
    games.actions.perform(club.game, Leave(), RequestContext(club.tokens[active]), seat=active)
    assert only_prompt(club).seat != active
    assert left(club, clock.at) == 10_000
    clock.at += 1_000
    games.actions.perform(club.game, Resume(), RequestContext(club.host))
    assert left(club, clock.at) == 10_000


@pytest.mark.parametrize("rulebook", ["public_assistance", "social_justice"])
def test_a_game_that_ends_in_a_pause_is_paused_no_longer(rulebook: str) -> None:
    """All leave in the pause: the result stands, and no clock stands still."""
    games, clock = clocked()
    club = table(games, rulebook, turn_seconds=10)
    games.actions.perform(club.game, Pause(), RequestContext(club.host))
    clock.at += 50_000
    for seat in (1, 2):
        if club.state.status == "playing":
            games.actions.perform(club.game, Leave(), RequestContext(club.tokens[seat]), seat=seat)
    assert (club.state.status, club.state.paused) == ("finished", 0)
    assert verify(StoredHistory(club.store), club.game).findings == []


@pytest.mark.parametrize(("moment", "expected"), [(TURN - 1, 1), (TURN, 0), (TURN + 1, 0), (TURN + GRACE_MS, 0)])
def test_what_is_left_is_never_less_than_nothing(moment: int, expected: int) -> None:
    """Between a deadline and its default only the grace is left, of which the event does not speak."""
    games, clock = clocked()
    club = table(games, turn_seconds=TURN // 1000)
    clock.at += moment
    games.actions.perform(club.game, Pause(), RequestContext(club.host))
    (paused,) = happened(club, GamePaused)
    assert isinstance(paused.data, GamePaused)
    assert list(paused.data.left.values()) == [expected]
    assert verify(StoredHistory(club.store), club.game).findings == []


def test_pausing_twice_and_resuming_what_runs_is_refused() -> None:
    games, _ = clocked()
    club = table(games)
    with pytest.raises(RuleViolation) as runs:
        games.actions.perform(club.game, Resume(), RequestContext(club.host))
    games.actions.perform(club.game, Pause(), RequestContext(club.host))
    with pytest.raises(RuleViolation) as stands:
        games.actions.perform(club.game, Pause(), RequestContext(club.host))
    assert (runs.value.refusal.code, stands.value.refusal.code) == ("not_paused", "game_paused")


def test_a_game_with_pauses_verifies_and_executes_again() -> None:
    games, clock = clocked()
    club = table(games, turn_seconds=10)
    for _ in range(3):
        games.actions.perform(club.game, Pause(), RequestContext(club.host))
        clock.at += 777
        games.actions.perform(club.game, Resume(), RequestContext(club.host))
        clock.at = expiry(club)
        games.watch(club.game, RequestContext())
    assert verify(StoredHistory(club.store), club.game).findings == []
    assert list(execute(history(club))) == []
