"""What happens around a golden game: the table pauses, seats change hands, the service was away, a game is forked."""

from typing import Protocol

from service.games.games import Games
from service.games.records import NewFork, NewSeat, RequestContext
from service.replay.steps import one
from service.rules.actions import CreditOutage, HandBack, HandOver, Leave, Pause, Resume, SetOptions
from tests.support.played import Table


class Around(Protocol):
    """What a script may use of the recorder: before the start, and between two actions."""

    table: Table
    games: Games
    join: str
    now: int


def lively_lobby(recorder: Around) -> None:
    """One stands up and another sits down, options change twice, and a token is renewed."""
    table, games, game = recorder.table, recorder.games, recorder.table.game
    games.actions.perform(game, Leave(), RequestContext(table.tokens[2], key="up"), seat=2)
    table.tokens[2] = games.seats.sit(game, NewSeat(name="Eve"), RequestContext(recorder.join, key="down")).token
    games.actions.ready(game, 1, None, RequestContext(table.tokens[1], key="soon"))
    games.actions.perform(
        game, SetOptions(options={"months": 9, "bump": True}), RequestContext(table.host, key="first")
    )
    games.actions.perform(
        game, SetOptions(options={"months": 4, "custodian": 3}), RequestContext(table.host, key="second")
    )
    table.tokens[1] = games.seats.renew(game, 1, RequestContext(table.host, key="renew")).token


def rest(recorder: Around) -> None:
    """The table has a break of a quarter of an hour."""
    games, table = recorder.games, recorder.table
    games.actions.perform(table.game, Pause(), RequestContext(table.host, key="pause"))
    recorder.now += 900_000
    games.actions.perform(table.game, Resume(), RequestContext(table.host, key="resume"))


def outage(recorder: Around) -> None:
    """The service was away for twenty seconds, which are given back."""
    since, recorder.now = recorder.now, recorder.now + 20_000
    loaded = recorder.games.loader.load(recorder.table.game)
    recorder.games.deadlines._do(loaded, CreditOutage(since=since, until=recorder.now), "away", "credit")


def hand_over(recorder: Around) -> None:
    """The first seat goes for a walk."""
    table = recorder.table
    recorder.games.actions.perform(
        table.game, HandOver(level="random"), RequestContext(table.tokens[1], key="walk"), seat=1
    )


def hand_back(recorder: Around) -> None:
    """It is there again."""
    table = recorder.table
    recorder.games.actions.perform(table.game, HandBack(), RequestContext(table.tokens[1], key="back"), seat=1)


def replace_third(recorder: Around) -> None:
    """The third seat is away for good, and someone else takes it."""
    games, table = recorder.games, recorder.table
    opened = games.seats.reopen(table.game, 3, RequestContext(table.host, key="open"))
    table.tokens[3] = games.seats.sit(
        table.game, NewSeat(name="Zoe"), RequestContext(opened.join_code, key="Zoe")
    ).token


def give_up_third(recorder: Around) -> None:
    """The third seat is given to a bot, as long as nobody else comes."""
    recorder.games.actions.perform(
        recorder.table.game, HandOver(level="sensible"), RequestContext(recorder.table.host, key="gone"), seat=3
    )


def fork(recorder: Around) -> None:
    """The table goes on in a fork from two steps ago, with new chance; everybody takes a seat of it."""
    games, parent = recorder.games, recorder.table
    view = one(games.loader, parent.game, parent.state.steps - 2)
    new = NewFork(parent.game, view.step.number, view.step.last, "playing")
    opened = games.opening.fork(new, RequestContext(parent.host, key="fork"))
    table = Table(games, opened.answer.game, opened.host_token, {})
    for number in parent.state.persons():
        seated = games.seats.sit(
            table.game, NewSeat(name=f"Guest {number}"), RequestContext(opened.join_code, key=f"sit {number}")
        )
        table.tokens[number] = seated.token
    recorder.table = table
