"""`rollbook rebuild` on a store that is a fake."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from click.testing import CliRunner, Result

from events.store.keys import BUCKETS, bucket_keys, bucket_of, game_keys
from service.bootstrap import assemble
from service.cli import main
from service.games.due import due_of
from service.games.records import RequestContext
from service.rules.actions import Leave, Roll
from tests.support.clocks import clocked, only_prompt, table
from tests.support.counted import count_all, expected, kept
from tests.support.played import Table, empty
from workers import rebuild


@pytest.fixture
def client() -> Any:
    return empty()


@pytest.fixture
def tables(client: Any) -> list[Table]:
    """A game with a clock, one of bots, one that waits for nobody but persons, and one that is over."""
    games, _ = clocked(client)
    made = [table(games, turn_seconds=60), table(games, "social_justice", persons=0, bots=("random", "sensible"))]
    made += [table(games), table(games, turn_seconds=60)]
    over = made[3]
    games.actions.perform(over.game, Leave(), RequestContext(over.tokens[1]), seat=1)
    return made


@pytest.fixture
def run(client: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    services = assemble(client, server_key=b"k" * 32, operator_token="t" * 32, allow_volatile=True)

    @contextmanager
    def opened(_options: object) -> Iterator[Any]:
        yield services

    monkeypatch.setattr(rebuild, "open_services", opened)

    def invoke(*args: object) -> Result:
        return CliRunner().invoke(main, ["rebuild", *[str(arg) for arg in args]])

    return invoke


def due_index(client: Any) -> dict[str, int]:
    return {
        member.decode(): int(score)
        for bucket in range(BUCKETS)
        for member, score in client.zrange(bucket_keys(bucket).due, 0, -1, withscores=True)
    }


def lose_due(client: Any) -> None:
    for bucket in range(BUCKETS):
        client.delete(bucket_keys(bucket).due)


def test_both_are_made_anew(client: Any, run: Any, tables: list[Table]) -> None:
    due = due_index(client)
    assert set(due) == {tables[0].game, tables[1].game}
    lose_due(client)
    done = run("--json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "statistics": {"games": 4, "corrected": None, "left_out": []},
        "due": {"games": 4, "corrected": 2, "left_out": []},
    }
    assert due_index(client) == due
    assert kept(client) == expected(tables[0].store)
    count_all(tables[0].store, client)
    assert kept(client) == expected(tables[0].store)


def test_one_is_made_anew_and_the_other_left_alone(client: Any, run: Any, tables: list[Table]) -> None:
    due = due_index(client)
    lose_due(client)
    assert list(json.loads(run("statistics", "--json").stdout)) == ["statistics"]
    assert due_index(client) == {}
    figures = kept(client)
    client.delete(bucket_keys(bucket_of(tables[0].game)).figures)
    assert list(json.loads(run("due", "--json").stdout)) == ["due"]
    assert due_index(client) == due
    assert kept(client) != figures
    run("statistics")
    assert kept(client) == figures


def test_the_index_is_put_right_where_it_is_wrong(client: Any, run: Any, tables: list[Table]) -> None:
    """Another moment, a game that waits for nothing, one that is over."""
    due = due_index(client)
    for number, one in enumerate((tables[0], tables[2], tables[3]), 5):
        client.zadd(bucket_keys(bucket_of(one.game)).due, {one.game: number})
    assert json.loads(run("due", "--json").stdout)["due"]["corrected"] == 3
    assert due_index(client) == due
    assert json.loads(run("due", "--json").stdout)["due"]["corrected"] == 0


def test_a_move_that_comes_between_is_not_undone(
    client: Any, run: Any, tables: list[Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game has moved on when its old moment is to be written: the new one stays."""
    club = tables[0]
    moves = [only_prompt(club)]

    def meanwhile(state: Any) -> int | None:
        if state.game == club.game and moves:
            prompt = moves.pop()
            club.games.actions.perform(club.game, Roll(prompt=prompt.prompt), RequestContext(club.tokens[prompt.seat]))
        return due_of(state)

    monkeypatch.setattr("workers.rebuild.due_of", meanwhile)
    assert run("due").exit_code == 0
    assert moves == []
    assert due_index(client)[club.game] == due_of(club.state)


def test_a_game_that_cannot_be_read_is_named(client: Any, run: Any, tables: list[Table]) -> None:
    bad = tables[0].game
    client.xdel(game_keys(bad).stream, "3-0")
    done = run("--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 1
    assert [[left["game"] for left in told[part]["left_out"]] for part in told] == [[bad], [bad]]
    assert set(kept(client)[0]) == {one.game for one in tables[1:]}
    shown = run()
    assert shown.exit_code == 1
    assert shown.stdout.count(f"left out of statistics: {bad}") == shown.stdout.count(f"left out of due: {bad}") == 1


def test_what_cannot_be_made_anew_is_refused(run: Any, tables: list[Table]) -> None:
    refused = run("games")
    assert (refused.exit_code, "'games' is not one of" in refused.stderr) == (2, True)


def test_it_is_shown_as_a_table(run: Any, tables: list[Table]) -> None:
    shown = run().stdout
    assert " all " in shown
    assert [word in shown for word in ("statistics", "due", "put right", "left out")] == [True] * 4
