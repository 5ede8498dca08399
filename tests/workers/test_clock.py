"""The clock process: what is due is done once, by the first that comes; what cannot be done keeps no other waiting."""

import logging
from itertools import pairwise
from typing import Any

import pytest

from events.lobby import GameFinished, GameStarted
from events.play import ActionTaken, PromptClosed
from events.social_justice.deals import OfferEnded, OfferMade
from events.store.keys import bucket_keys, bucket_of
from service.audit.verify import StoredHistory, verify
from service.errors import Busy, Frozen
from service.games.due import LEAST_PAUSE_MS, MORE_PAUSE_MS, dues_of
from service.games.records import RequestContext
from service.rules.actions import Roll
from service.rules.timing import SETTLE_MS
from service.rules.violations import RuleViolation
from tests.support.clocks import clocked, expiry, happened, history, last, only_prompt, table
from tests.support.executed import execute
from tests.support.played import Table, empty
from tests.support.ticking import RULEBOOKS, Jobs, expiries, run
from tests.support.waiting import waiting
from workers.bots import BotMoves
from workers.clock import BOT_LATE_MS, Ticker


@RULEBOOKS
@pytest.mark.parametrize("work", [True, False], ids=["workers", "no worker"])
def test_a_game_of_bots_alone_is_played_to_its_end(rulebook: str, work: bool) -> None:
    """By workers, or by the clock alone where there is none; each event is marked as a bot's."""
    games, clock = clocked()
    short: dict[str, Any] = {"months": 2} if rulebook == "public_assistance" else {"end.rounds": 4}
    club = table(games, rulebook, persons=0, bots=("random", "sensible", "random"), **short)
    run(games, clock, club, work=work)
    (over,) = happened(club, GameFinished)
    assert isinstance(over.data, GameFinished)
    assert over.data.reason == "completed"
    start, *acts = [e for e in happened(club, ActionTaken) if e.version > happened(club, GameStarted)[0].version - 2]
    assert start.actor == "host"
    actors = {act.actor for act in acts}
    assert actors == {"bot:1", "bot:2", "bot:3"}
    assert verify(StoredHistory(club.store), club.game).findings == []
    assert list(execute(history(club))) == []


@RULEBOOKS
@pytest.mark.parametrize(
    ("work", "seconds", "grace"),
    [(True, 1, 0), (False, 3, 1000), (True, 4, 1000)],
    ids=["the shortest clock", "no worker", "shorter than its pause after an offer"],
)
def test_no_bot_misses_a_deadline_by_its_pause(rulebook: str, work: bool, seconds: int, grace: int) -> None:
    """It hurries where the clock is shorter than its natural pause."""
    games, clock = clocked()
    short: dict[str, Any] = {"months": 1} if rulebook == "public_assistance" else {"end.rounds": 3}
    short |= {"turn_seconds": seconds, "grace_ms": grace}
    club = table(games, rulebook, persons=0, bots=("random", "sensible", "random"), **short)
    jobs = Jobs()
    ticker = Ticker(games, games.store, jobs.hand)
    while not happened(club, GameFinished):
        clock.at += 999  # a clock looks each second
        ticker.tick()
        if work:
            jobs.work(games)
    assert expiries(club) == 0


@pytest.mark.parametrize("work", [True, False], ids=["workers", "no worker"])
def test_offers_of_bots_hold_up_nobody(work: bool) -> None:
    """They are answered in the same breath, and who made them moves on after a moment, as ever."""
    games, clock = clocked()
    short: dict[str, Any] = {"end.rounds": 6}
    club = table(games, "social_justice", persons=0, bots=("random", "sensible", "random"), key="offers", **short)
    run(games, clock, club, work=work)
    moments = [envelope.at for envelope in history(club)]
    longest = LEAST_PAUSE_MS + MORE_PAUSE_MS + (0 if work else BOT_LATE_MS)
    assert max(later - earlier for earlier, later in pairwise(moments)) <= longest
    made = {e.data.offer: e.at for e in happened(club, OfferMade) if isinstance(e.data, OfferMade)}
    ended = {e.data.offer: e.at for e in happened(club, OfferEnded) if isinstance(e.data, OfferEnded)}
    assert made
    assert ended == made


def test_an_offer_of_a_bot_waits_for_no_person() -> None:
    """It lapses with the turn, which goes on at the pace of any other."""
    games, clock = clocked()
    club = table(games, "social_justice", persons=1, bots=("random", "sensible"), key="offers", turn_seconds=30)
    jobs = Jobs()
    ticker = Ticker(games, games.store, jobs.hand)
    while not (offered := happened(club, OfferMade)):
        due = dues_of(club.state)[0]
        clock.at = due.at
        ticker.tick()
        jobs.work(games)
    maker = int(offered[-1].actor.partition(":")[2])
    (due,) = [due for due in dues_of(club.state) if due.kind == "bot" and due.seat == maker]
    assert due.at <= clock.at + LEAST_PAUSE_MS + MORE_PAUSE_MS


def test_a_bot_that_is_too_late_keeps_no_deadline_waiting() -> None:
    """Between its last moment and the expiry it can do nothing, which is no trouble: then the default is taken."""
    games, clock = clocked()
    club = table(games, persons=0, bots=("sensible", "random"), turn_seconds=3, grace_ms=0)
    ticker = Ticker(games, games.store, Jobs().hand)
    (due,) = [due for due in dues_of(club.state) if due.kind == "bot"]
    clock.at = last(club) + 1
    version = club.version
    assert not BotMoves(games).move(club.game, due.seat, due.moves)
    ticker.tick()
    assert club.version == version
    clock.at = expiry(club)
    ticker.tick()
    assert expiries(club) == 1


@RULEBOOKS
def test_a_bot_moves_once_however_often_its_job_comes(rulebook: str) -> None:
    """Delivered ten times by two processes, and late once more: one move. Too early: none."""
    client = empty()
    games, clock = clocked(client)
    other, other_clock = clocked(client)
    club = table(games, rulebook, persons=0, bots=("sensible", "sensible"))
    due = dues_of(club.state)[0]
    assert due.kind == "bot"
    clock.at = other_clock.at = due.at - 1
    assert not BotMoves(games).move(club.game, due.seat, due.moves)
    clock.at = other_clock.at = due.at
    made = [BotMoves(each).move(club.game, due.seat, due.moves) for _ in range(5) for each in (games, other)]
    assert made == [True] + [False] * 9
    clock.at += 60_000
    assert not BotMoves(other).move(club.game, due.seat, due.moves)
    bots = [e for e in happened(club, ActionTaken) if e.actor == f"bot:{due.seat}"]
    assert len(bots) == 1


def test_a_lost_job_keeps_nobody_waiting() -> None:
    """The queue's keys are flushed: the clock makes the move itself, two seconds late."""
    games, clock = clocked()
    club = table(games, persons=0, bots=("random", "random"))
    jobs = Jobs()
    ticker = Ticker(games, games.store, jobs.hand)
    due = dues_of(club.state)[0]
    clock.at = due.at
    version = club.version
    for _ in range(3):
        ticker.tick()
    assert jobs.waiting == [(club.game, due.seat, due.moves)]
    jobs.waiting.clear()
    clock.at = due.at + BOT_LATE_MS
    ticker.tick()
    assert club.version > version


def test_the_same_expiry_delivered_ten_times_changes_the_game_once() -> None:
    """E4: also late, after the turn has moved on; the next seat's clock is whole."""
    client = empty()
    games, clock = clocked(client)
    club = table(games, persons=3, turn_seconds=20)
    asked = only_prompt(club)
    clock.at = expiry(club)
    for _ in range(10):
        other = clocked(client, at=clock.at)[0]
        Ticker(other, other.store, Jobs().hand).tick()
    assert expiries(club) == 1
    turned = only_prompt(club)
    assert turned.seat != asked.seat
    assert turned.deadline == clock.at + 20_000
    clock.at += 15_000
    Ticker(games, games.store, Jobs().hand).tick()
    assert expiries(club) == 1


def test_an_early_look_changes_nothing_but_a_wrong_index() -> None:
    """E25: an entry that is too early, or of a game that waits for nothing, is put right without an event."""
    games, clock = clocked()
    timed, free = table(games, turn_seconds=20), table(games)
    client = games.store.client
    for club in (timed, free):
        client.execute_command("ZADD", bucket_keys(bucket_of(club.game)).due, 5, club.game)
    versions = [timed.version, free.version]
    Ticker(games, games.store, Jobs().hand).tick()
    assert [timed.version, free.version] == versions
    assert waiting(games.store, until=2**52) == [(expiry(timed), timed.game)]
    assert clock.at < expiry(timed)


@pytest.mark.parametrize("member", [b"no{game}", b"\xff\xfe", b"", b"a" * 50, b"neverwasagame"])
def test_garbage_in_the_due_index_is_parked(member: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """S55: it is kept aside with a line in the log, and all others fire."""
    games, clock = clocked()
    club = table(games, turn_seconds=20)
    store = games.store
    bucket = bucket_of("neverwasagame")
    clock.at = expiry(club)
    for score in ("-inf", 1):
        store.client.execute_command("ZADD", bucket_keys(bucket).due, score, member)
        Ticker(games, games.store, Jobs().hand).tick()
        assert "is put in quarantine" in caplog.text
        assert [entry.member for entry in store.due_index.quarantined()] == [member]
    assert expiries(club) == 1


def test_a_game_that_cannot_be_served_keeps_nobody_waiting(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left alone for a minute, stays in the index, and is looked at again."""
    games, clock = clocked()
    bad, good = table(games, turn_seconds=20), table(games, turn_seconds=20)
    look, tried = games.current, []

    def broken(game: str) -> object:
        tried.append(game)
        if game == bad.game:
            raise ZeroDivisionError("a bug")
        return look(game)

    monkeypatch.setattr(games, "current", broken)
    ticker = Ticker(games, games.store, Jobs().hand)
    clock.at = expiry(good)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            ticker.tick()
    assert (expiries(good), tried.count(bad.game)) == (1, 1)
    monkeypatch.setattr(games, "current", look)
    clock.at += 60_000
    ticker.tick()
    assert expiries(bad) == 1


def test_what_keeps_a_game_from_being_served_is_logged_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not each minute; again when it is something else, or comes back after the game was served."""
    games, clock = clocked()
    bad = table(games, turn_seconds=20)
    look = games.current
    ticker = Ticker(games, games.store, Jobs().hand)
    clock.at = expiry(bad)

    def fails(error: Exception) -> int:
        caplog.clear()
        monkeypatch.setattr(games, "current", lambda _: (_ for _ in ()).throw(error))
        for _ in range(5):
            clock.at += 60_000
            ticker.tick()
        return caplog.text.count("left alone")

    assert fails(ZeroDivisionError("a bug")) == 1
    assert fails(ZeroDivisionError("a bug")) == 0
    assert fails(Frozen("it is damaged")) == 1
    monkeypatch.setattr(games, "current", look)
    clock.at += 60_000
    ticker.tick()
    assert expiries(bad) == 1
    clock.at = expiry(bad)
    assert fails(Frozen("it is damaged")) == 1


def test_a_game_in_which_others_were_faster_is_looked_at_again_at_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, clock = clocked()
    club = table(games, turn_seconds=20)
    look = games.current
    ticker = Ticker(games, games.store, Jobs().hand)
    clock.at = expiry(club)
    monkeypatch.setattr(games, "current", lambda _: (_ for _ in ()).throw(Busy("others")))
    ticker.tick()
    monkeypatch.setattr(games, "current", look)
    ticker.tick()
    assert (expiries(club), caplog.text) == (1, "")


def outcome(club: Table, asked: str) -> str:
    """How a prompt ended: answered by its seat, or by its default; never both."""
    (closed,) = (e.data for e in happened(club, PromptClosed) if getattr(e.data, "prompt", "") == asked)
    assert isinstance(closed, PromptClosed)
    return closed.how


OFFSETS = (-50, -20, -1, 0, 1, 20, 50)


@pytest.mark.parametrize("first", ["move", "expiry"])
@pytest.mark.parametrize("offset", OFFSETS)
def test_around_the_deadline_the_receipt_alone_decides(offset: int, first: str) -> None:
    """Received from 50 ms before the last moment to 50 ms after it, handled before or after the clock has looked."""
    client = empty()
    games, clock = clocked(client)
    other, other_clock = clocked(client)
    club = table(games, turn_seconds=10)
    asked, moment = only_prompt(club), last(club)
    clock.at = moment + offset
    if first == "expiry":  # the move is received, and stalls on its way for as long as there is time to settle
        settle = games.deadlines.apply

        def stalled(loaded: object) -> object:
            clock.at = other_clock.at = moment + SETTLE_MS - 1
            Ticker(other, other.store, Jobs().hand).tick()
            return settle(loaded)  # type: ignore[arg-type] # what was handed in

        games.deadlines.apply = stalled  # type: ignore[method-assign, assignment] # the test slows it down
    _act_or_late(club, asked.prompt, asked.seat, late=offset > 0)
    other_clock.at = moment + SETTLE_MS
    Ticker(other, other.store, Jobs().hand).tick()
    assert outcome(club, asked.prompt) == ("answered" if offset <= 0 else "defaulted")


def _act_or_late(club: Table, prompt: str, seat: int, *, late: bool) -> None:
    if not late:
        club.games.actions.perform(club.game, Roll(prompt=prompt), RequestContext(club.tokens[seat]))
        return
    with pytest.raises(RuleViolation) as refused:
        club.games.actions.perform(club.game, Roll(prompt=prompt), RequestContext(club.tokens[seat]))
    assert refused.value.refusal.code == "too_late"


def test_a_move_in_time_that_was_overtaken_is_told_so() -> None:
    """Received in time, and not appended when the time to settle was over: `too_late`, and nothing of it happens."""
    client = empty()
    games, clock = clocked(client)
    other, other_clock = clocked(client)
    club = table(games, turn_seconds=10)
    asked = only_prompt(club)
    clock.at = last(club)
    other_clock.at = last(club) + SETTLE_MS
    Ticker(other, other.store, Jobs().hand).tick()
    _act_or_late(club, asked.prompt, asked.seat, late=True)
    assert outcome(club, asked.prompt) == "defaulted"
