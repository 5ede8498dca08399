"""A fork is audited like every game: its copies are executed again, and what came after them too."""

from typing import Any

import pytest

from events import codec
from service import steps
from service.execution import execute, recorded_dice
from service.games import Ask, NewFork, NewSeat
from tests.support import social
from tests.support.played import Table, fake, finished, play, start


def forked(table: Table, *, same: bool) -> Table:
    number = table.state.steps - 6
    view = steps.one(table.games, table.game, number)
    assert view.state is not None
    new = NewFork(table.game, number, view.step.last, view.state.status, same_chance=same)
    opened = table.games.fork(new, Ask(key="fork"))
    fork = Table(table.games, opened.answer.game, opened.host_token, {})
    while free := fork.state.unclaimed():
        seated = table.games.sit(fork.game, NewSeat(name=""), Ask(opened.join_code, key=str(free)))
        fork.tokens[seated.seat] = seated.token
    return fork


@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize("kind", [lambda: finished(months=1), lambda: social.lively(fake(), events=200)])
def test_a_fork_is_sound_and_can_be_executed_again(kind: Any, same: bool) -> None:
    fork = play(forked(kind(), same=same), most=8)
    while (state := fork.state).status == "playing":
        seat = state.persons()[0]
        fork.games.leave(fork.game, seat, Ask(fork.tokens[seat], key=f"leave {seat}"))
    envelopes = codec.decode_all(entry.data for entry in fork.store.read(fork.game, count=100_000))
    assert list(execute(envelopes, recorded_dice)) == []
    report = fork.games.verify(fork.game)
    assert report.findings == []
    assert any("come from the game that this one was forked from" in line for line in report.checks)


def test_a_fork_before_anything_was_played_begins_at_the_start() -> None:
    """Right behind the start, nothing was thrown yet but for the order."""
    table = start(social.seated(fake(), seats=2, key="early"))
    number = table.state.steps
    view = steps.one(table.games, table.game, number)
    opened = table.games.fork(NewFork(table.game, number, view.step.last, "playing"), Ask(key="x"))
    assert table.games.loader.load(opened.answer.game).state.unclaimed() == [1, 2]
