"""Persons who are away: when a bot comes, when they may come back, and when a table is over."""

import pytest

from events.clocks import BotTookOver
from events.lobby import GameFinished
from events.play import ActionTaken
from service.games.due import dues_of
from service.games.records import RequestContext
from service.rules.actions import HandBack, HandOver, Leave
from service.rules.decide import default_of
from service.rules.timing import expires_at
from tests.support.clocks import clocked, happened, history, only_prompt, table
from tests.support.executed import execute
from tests.support.ticking import RULEBOOKS, Jobs, expiries, run
from workers.clock import BOT_LATE_MS, Ticker


@RULEBOOKS
@pytest.mark.parametrize("after", [1, 2, 3])
def test_a_bot_comes_after_so_many_turns_however_much_was_asked_in_them(rulebook: str, after: int) -> None:
    """Of two persons one never moves: what is asked in one turn is missed once."""
    games, clock = clocked()
    club = table(games, rulebook, persons=2, turn_seconds=30, absent_after=after)
    away = only_prompt(club).seat
    missed: set[int] = set()
    while not club.state.seats[away].keeper:
        state = club.state
        prompt = next(iter(state.prompts.values()))
        if prompt.seat == away:
            missed.add(state.turn)
            assert len(missed) <= after
            clock.at = max(clock.at, expires_at(state, prompt) or 0)
            games.watch(club.game, RequestContext())
            assert club.state.seats[away].missed == len(missed)
        else:
            request = RequestContext(club.tokens[prompt.seat])
            games.actions.perform(club.game, default_of(state, prompt.prompt), request)
    assert len(missed) == after


@RULEBOOKS
def test_with_every_person_gone_it_is_abandoned(rulebook: str) -> None:
    """In bounded time and events: at most three turns of each of them are missed, and bots end with them."""
    games, clock = clocked()
    club = table(games, rulebook, persons=3, bots=("sensible",), turn_seconds=30)
    began = clock.at
    run(games, clock, club, work=True)
    (over,) = happened(club, GameFinished)
    assert isinstance(over.data, GameFinished)
    assert over.data.reason == "abandoned"
    acts = [e for e in happened(club, ActionTaken) if isinstance(e.data, ActionTaken) and e.data.name == "expire"]
    assert len({act.turn for act in acts}) <= 3 * 3
    assert len(happened(club, BotTookOver)) == 2
    assert clock.at - began < 3600_000
    assert len(history(club)) < 2_000


@pytest.mark.parametrize("seconds", [0, 30], ids=["no clock", "a clock"])
def test_whoever_handed_a_seat_over_may_come_back(seconds: int) -> None:
    """Nobody missed anything: the bots play on, and at most to the end."""
    games, clock = clocked()
    club = table(games, persons=2, bots=(), turn_seconds=seconds, months=1)
    for seat in (1, 2):
        games.actions.perform(club.game, HandOver(level="random"), RequestContext(club.tokens[seat]), seat=seat)
    assert club.state.status == "playing"
    run(games, clock, club, work=True)
    (over,) = happened(club, GameFinished)
    assert isinstance(over.data, GameFinished)
    assert (over.data.reason, expiries(club)) == ("completed", 0)


@RULEBOOKS
def test_who_leaves_last_leaves_no_game_of_bots_behind(rulebook: str) -> None:
    """Of two persons one is absent and a bot keeps the seat: when the other one leaves, nobody is there."""
    games, clock = clocked()
    club = table(games, rulebook, persons=2, bots=("sensible",), turn_seconds=30, absent_after=1)
    ticker = Ticker(games, games.store, Jobs().hand)
    while not happened(club, BotTookOver):
        clock.at = dues_of(club.state)[0].at + BOT_LATE_MS
        ticker.tick()
    (there,) = [seat for seat in (1, 2) if not club.state.seats[seat].keeper]
    assert club.state.status == "playing"
    games.actions.perform(club.game, Leave(), RequestContext(club.tokens[there]), seat=there)
    assert (club.state.status, club.state.reason) == ("finished", "abandoned")
    assert list(execute(history(club))) == []


@RULEBOOKS
@pytest.mark.parametrize("absent_after", [0, 1])
def test_who_leaves_ends_no_game_to_which_others_may_come_back(rulebook: str, absent_after: int) -> None:
    """The host hands all seats to bots for a while, and one leaves: the bots play on, and the others come back."""
    games, _ = clocked()
    club = table(games, rulebook, persons=4, turn_seconds=30, absent_after=absent_after)
    for seat in club.tokens:
        games.actions.perform(club.game, HandOver(level="sensible"), RequestContext(club.host), seat=seat)
    games.actions.perform(club.game, Leave(), RequestContext(club.tokens[4]), seat=4)
    assert club.state.status == "playing"
    games.actions.perform(club.game, HandBack(), RequestContext(club.tokens[2]), seat=2)
    games.actions.perform(club.game, Leave(), RequestContext(club.tokens[2]), seat=2)
    assert club.state.status == "playing"
    assert list(execute(history(club))) == []


@RULEBOOKS
def test_who_is_absent_ends_no_game_to_which_another_may_come_back(rulebook: str) -> None:
    """One handed the seat over on purpose, the other lets deadlines pass: the bots play on."""
    games, clock = clocked()
    club = table(games, rulebook, persons=2, bots=("sensible",), turn_seconds=30, absent_after=1)
    games.actions.perform(club.game, HandOver(level="sensible"), RequestContext(club.tokens[1]), seat=1)
    ticker = Ticker(games, games.store, Jobs().hand)
    while not any(isinstance(e.data, BotTookOver) and e.data.why == "absent" for e in happened(club, BotTookOver)):
        clock.at = dues_of(club.state)[0].at + BOT_LATE_MS
        ticker.tick()
    assert club.state.status == "playing"
    games.actions.perform(club.game, HandBack(), RequestContext(club.tokens[1]), seat=1)
