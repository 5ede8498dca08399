"""Whole games by bots who do anything, over HTTP: each answer as the document says, the end as the events do."""

import json
import random
from typing import Any

import msgspec
import pytest

from events import codec
from projections import evolve as folding
from projections.ledger.check import check
from projections.ledger.debts import debts_of
from service.bots import RandomBot
from tests.api.checked import ok
from tests.api.conftest import application
from tests.api.tables import Table, started

MOST_ACTIONS = 1500


def whole(table: Table, resource: str, key: str) -> list[Any]:
    """Read all pages."""
    found: list[Any] = []
    after, more = 0, True
    while more:
        page = ok(table.api.get(f"{table.path}/{resource}?limit=100&after={after}"))
        found += page[key]
        after, more = page["after"], page["more"]
    return found


def play(table: Table, seed: int) -> dict[int, Any]:
    """Play to the end by bots: each that is asked acts, and now and then one with an offer answers it.

    Returns:
        States that were seen on the way, by version.
    """
    chance = random.Random(seed)
    bots = {seat: RandomBot(seed + seat) for seat in table.seats}
    seen: dict[int, Any] = {}
    for _ in range(MOST_ACTIONS):
        shown = table.state()
        state = shown["state"]
        if state["status"] == "finished":
            return seen
        if chance.random() < 0.05:
            seen[shown["version"]] = shown
        seat = chance.choice([prompt["seat"] for prompt in state["prompts"].values()])
        if state["deals"]["offers"] and chance.random() < 0.5:
            seat = chance.choice([offer["to"] or seat for offer in state["deals"]["offers"].values()])
        menu = table.menu(seat)["open"]
        asked = any(action["prompt"] for action in menu)
        if menu:
            body = bots[seat].choose(menu, state) if asked else chance.choice(menu)["body"]
            assert table.act(seat, body).status_code in (201, 409), body
    raise AssertionError(f"no end after {MOST_ACTIONS} actions")


@pytest.mark.parametrize(
    ("seats", "seed", "options"),
    [
        (8, 1, {"end.rounds": 1}),
        (3, 2, {"end.rounds": 3, "bank": "player", "assignment": "choose", "vote.costs_turn": False}),
        (2, 3, {"end.rounds": 4, "payday.salary.owner": 500, "change.draws": 3, "jail.bail": 40}),
    ],
    ids=["eight seats", "a banker's seat", "two seats"],
)
def test_a_whole_game_is_what_its_events_say(seats: int, seed: int, options: dict[str, Any]) -> None:
    table = started(
        application("social_justice"), seats=seats, key=f"a whole game {seed:04}", secret="5e" * 32, options=options
    )
    seen = play(table, seed)
    shown = table.state()
    state = shown["state"]
    assert {line["seat"] for line in state["standings"]} == set(table.seats)
    assert state["secret"] == "5e" * 32

    events = whole(table, "events", "events")
    assert [entry["event"]["version"] for entry in events] == list(range(1, shown["version"] + 1))
    folded = folding.fold(codec.decode(msgspec.json.encode(entry["event"])) for entry in events)
    assert json.loads(msgspec.json.encode(folded)) == state
    for version, then in seen.items():
        assert table.state(at=version) == then

    steps = whole(table, "steps", "steps")
    assert sum(len(step["lines"]) for step in steps) == shown["version"]
    assert steps[-1]["last"] == shown["version"]
    assert all(line.endswith(".") for step in steps for line in step["lines"])

    books = table.api.app.extensions["rollbook"].games.loader.at(table.game, shown["version"]).books
    assert check(books, folded.cash, debts_of(folded)) == []
    balance = ok(table.api.get(f"{table.path}/ledger/trial-balance"))
    assert balance["debit"] == balance["credit"]
    entries = [entry for step in steps for entry in step["entries"]]
    assert [entry["version"] for entry in entries] == sorted(entry["version"] for entry in entries)
    moved = [entry["event"] for entry in events if entry["event"]["data"]["type"] == "money_moved"]
    assert [entry["version"] for entry in entries if entry["kind"] == "transfer"] == [e["version"] for e in moved]

    report = ok(table.api.get(f"{table.path}/verification"))
    assert (report["findings"], report["sound"], report["sealed"]) == ([], True, True)
