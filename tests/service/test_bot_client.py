"""A bot as an HTTP client, against answers shaped as the API's and a line that is cut again and again."""

from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
import requests

from service.bots import RandomBot, SensibleBot
from service.bots.client import HttpPlayer, PlayerError
from service.games.records import RequestContext
from service.rules.decide import parse
from service.rules.legal import legal_actions
from service.rules.violations import RuleViolation
from tests.support.packed import packed
from tests.support.played import Table, empty, games_on, sit_down, start

Trouble = Callable[[str], str]
"""Called with the method of each request; says what goes wrong: `refused`, `lost`, `503`, `429`, `moved` or nothing."""


class Line:
    """A session that answers as the API does."""

    def __init__(self, table: Table, trouble: Trouble = lambda _: "") -> None:
        self.table = table
        self.trouble = trouble
        self.keys: list[str] = []
        self.polls: list[dict[str, int]] = []

    def request(self, method: str, url: str, **options: Any) -> Mock:
        assert options["timeout"][1] >= options.get("params", {}).get("wait", 0)
        wrong = self.trouble(method)
        if wrong == "refused":
            raise requests.ConnectionError("refused")
        if wrong in ("503", "404", "412", "429"):
            return answer(int(wrong), {"code": "trouble"})
        found = self._act(options) if method == "POST" else self._read(url, options)
        if wrong == "lost":
            raise requests.exceptions.ChunkedEncodingError("the reply is lost")
        return found

    def _seat(self, options: Any) -> int:
        token = options["headers"]["Authorization"].removeprefix("Bearer ")
        return next(seat for seat, known in self.table.tokens.items() if known == token)

    def _act(self, options: Any) -> Mock:
        key, token = options["headers"]["Idempotency-Key"], self.table.tokens[self._seat(options)]
        self.keys.append(key)
        try:
            self.table.games.actions.perform(
                self.table.game, parse(msgspec.json.encode(options["json"])), RequestContext(token, key=key)
            )
        except RuleViolation as refused:
            return answer(409, {"code": refused.refusal.code})
        return answer(201, {})

    def _read(self, url: str, options: Any) -> Mock:
        state = self.table.state
        if url.endswith("/actions"):
            seat = self._seat(options)
            menu = legal_actions(state, seat)
            prompts = [prompt for prompt in state.prompts.values() if prompt.seat == seat]
            closed = [{"code": action.refusal.code} for action in menu.closed]
            return answer(200, {"version": state.version, "prompts": prompts, "open": menu.open, "closed": closed})
        if url.endswith("/events"):
            self.polls.append(options["params"])
            return answer(200, {"events": []})
        assert url == f"http://there/v1/games/{self.table.game}"
        return answer(200, {"version": state.version, "state": state})


def answer(status: int, content: Any) -> Mock:
    plain = msgspec.json.decode(msgspec.json.encode(content))
    return Mock(status_code=status, json=lambda: plain, text=str(plain), headers={"Retry-After": "7"})


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    slept: list[float] = []
    monkeypatch.setattr("service.bots.client.time.sleep", slept.append)
    return slept


@pytest.fixture
def table() -> Table:
    return start(sit_down(games_on(empty()), months=1))


def players(table: Table, line: Line) -> list[HttpPlayer]:
    kinds = (RandomBot, SensibleBot, SensibleBot)
    return [
        HttpPlayer("http://there/", table.game, seat, token, kinds[seat - 1](seat), session=line, wait=7)
        for seat, token in table.tokens.items()
    ]


def play(line: Line) -> None:
    """Run every bot in turn until none has anything more to do."""
    everybody = players(line.table, line)
    while everybody:
        everybody = [player for player in everybody if player.step()]


def test_a_whole_game(table: Table) -> None:
    """It ends, every request has a key of its own, and who is not asked waits after the version that it knows."""
    line = Line(table)
    play(line)
    assert table.state.status == "finished"
    assert len(line.keys) == len(set(line.keys))
    assert line.polls
    assert all(poll["wait"] == 7 and poll["after"] <= table.version for poll in line.polls)


@pytest.mark.parametrize("wrong", ["refused", "lost", "503", "429"])
def test_the_same_request_is_sent_again(table: Table, wrong: str, pauses: list[float]) -> None:
    """Two of three requests fail; the game is the one that is played on a good line."""
    count = iter(range(10**6))
    line = Line(table, lambda _: wrong if next(count) % 3 else "")
    play(line)
    other = start(sit_down(games_on(empty()), months=1))
    play(Line(other))
    assert table.state.standings == other.state.standings
    assert packed(table.state).count(b"seat") == packed(other.state).count(b"seat")
    assert table.state.steps == other.state.steps
    assert pauses


def test_a_bot_that_is_too_fast_waits_as_long_as_it_is_told(table: Table, pauses: list[float]) -> None:
    too_fast = iter(["429"])
    play(Line(table, lambda _: next(too_fast, "")))
    assert pauses == [7]
    assert table.state.status == "finished"


def test_a_key_stays_with_its_request(table: Table) -> None:
    """Five replies lost in a row: one key, one step on the stream."""
    lost = iter(["lost"] * 5)
    line = Line(table, lambda method: next(lost, "") if method == "POST" else "")
    steps = table.state.steps
    for player in players(table, line):
        player.step()
        if line.keys:
            break
    assert len(line.keys) == 6
    assert len(set(line.keys)) == 1
    assert table.state.steps == steps + 1


def test_a_game_that_moved_on_is_looked_at_anew(table: Table) -> None:
    """A refusal may be no fault of the bot; the same one for ever is."""
    refused = iter(["412"] * 3)
    play(Line(table, lambda method: next(refused, "") if method == "POST" else ""))
    assert table.state.status == "finished"
    other = start(sit_down(games_on(empty()), key="two", months=1))
    with pytest.raises(PlayerError, match="5 refusals"):
        play(Line(other, lambda method: "412" if method == "POST" else ""))


def test_patience_ends(table: Table, pauses: list[float]) -> None:
    with pytest.raises(PlayerError, match="no answer"):
        play(Line(table, lambda _: "refused"))
    assert 60 <= sum(pauses) < 65


def test_other_refusals_are_said(table: Table) -> None:
    with pytest.raises(PlayerError, match="404"):
        play(Line(table, lambda _: "404"))
