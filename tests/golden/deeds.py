"""What happens around a golden game: the table pauses, seats change hands, the service was away, a game is forked."""

from typing import Protocol

from service.games import Ask, Games, NewFork, NewSeat
from service.replay.steps import one
from service.rules.actions import CreditOutage
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
    games.leave(game, 2, Ask(table.tokens[2], key="up"))
    table.tokens[2] = games.sit(game, NewSeat(name="Eve"), Ask(recorder.join, key="down")).token
    games.ready(game, 1, None, Ask(table.tokens[1], key="soon"))
    games.set_options(game, {"months": 9, "bump": True}, Ask(table.host, key="first"))
    games.set_options(game, {"months": 4, "custodian": 3}, Ask(table.host, key="second"))
    table.tokens[1] = games.renew(game, 1, Ask(table.host, key="renew")).token


def rest(recorder: Around) -> None:
    """The table has a break of a quarter of an hour."""
    games, table = recorder.games, recorder.table
    games.pause(table.game, Ask(table.host, key="pause"))
    recorder.now += 900_000
    games.resume(table.game, Ask(table.host, key="resume"))


def outage(recorder: Around) -> None:
    """The service was away for twenty seconds, which are given back."""
    since, recorder.now = recorder.now, recorder.now + 20_000
    loaded = recorder.games.loader.load(recorder.table.game)
    recorder.games.by_clock(loaded, CreditOutage(since=since, until=recorder.now), Ask(key="away", digest="credit"))


def hand_over(recorder: Around) -> None:
    """The first seat goes for a walk."""
    table = recorder.table
    recorder.games.hand_over(table.game, 1, "random", Ask(table.tokens[1], key="walk"))


def hand_back(recorder: Around) -> None:
    """It is there again."""
    table = recorder.table
    recorder.games.hand_back(table.game, 1, Ask(table.tokens[1], key="back"))


def replace_third(recorder: Around) -> None:
    """The third seat is away for good, and someone else takes it."""
    games, table = recorder.games, recorder.table
    opened = games.reopen(table.game, 3, Ask(table.host, key="open"))
    table.tokens[3] = games.sit(table.game, NewSeat(name="Zoe"), Ask(opened.join_code, key="Zoe")).token


def give_up_third(recorder: Around) -> None:
    """The third seat is given to a bot, as long as nobody else comes."""
    recorder.games.hand_over(recorder.table.game, 3, "sensible", Ask(recorder.table.host, key="gone"))


def fork(recorder: Around) -> None:
    """The table goes on in a fork from two steps ago, with new chance; everybody takes a seat of it."""
    games, parent = recorder.games, recorder.table
    view = one(games.loader, parent.game, parent.state.steps - 2)
    new = NewFork(parent.game, view.step.number, view.step.last, "playing")
    opened = games.fork(new, Ask(parent.host, key="fork"))
    table = Table(games, opened.answer.game, opened.host_token, {})
    for number in parent.state.persons():
        seated = games.sit(table.game, NewSeat(name=f"Guest {number}"), Ask(opened.join_code, key=f"sit {number}"))
        table.tokens[number] = seated.token
    recorder.table = table
