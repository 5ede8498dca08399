"""The Social Justice Game over HTTP: opened, agreed on, played by bots to its end, read back and verified."""

from typing import Any

import pytest

from events.store import connect
from service.api.app import create_app
from service.audit.audit import audit_game
from service.bootstrap import Services, assemble
from service.bots import Bot, RandomBot
from tests.api.checked import Api, ok, refused
from tests.api.tables import Table, started
from tests.support.databases import DATABASES

ROUNDS = {"end.rounds": 4}


@pytest.fixture(scope="module")
def services() -> Services:
    return assemble(connect(DATABASES.new()), server_key=b"k" * 32, allow_volatile=True)


@pytest.fixture(scope="module")
def api(services: Services) -> Api:
    return Api(create_app(services))


@pytest.fixture(scope="module")
def played(api: Api) -> Table:
    """A game of three seats, played to its end by bots that know the API alone."""
    table = started(api, seats=3, rulebook="social_justice", options=ROUNDS)
    bots: dict[int, Bot] = {seat: RandomBot(seat) for seat in table.seats}
    for _ in range(600):
        view = table.state()["state"]
        if view["status"] == "finished":
            return table
        seat = next(iter(view["prompts"].values()))["seat"]
        ok(table.act(seat, bots[seat].choose(table.menu(seat)["open"], view)))
    raise AssertionError("no end")


def test_a_game_is_played_to_its_end_by_bots(played: Table) -> None:
    view = played.state()["state"]
    assert (view["rulebook"], view["status"], view["places"]) == ("social_justice", "finished", 8)
    assert sorted(line["seat"] for line in view["standings"]) == [1, 2, 3]
    assert view["winners"] == [line["seat"] for line in view["standings"] if line["rank"] == 1] != []


def test_its_steps_are_told_in_words(played: Table) -> None:
    steps = ok(played.api.get(f"{played.path}/steps?limit=100"))["steps"]
    lines = [line for step in steps for line in step["lines"]]
    assert any("draws a role and is" in line for line in lines)
    assert any("first salary" in line for line in lines)
    last = ok(played.api.get(f"{played.path}/steps/{steps[-1]['number']}"))
    assert last["state"]["rulebook"] == "social_justice"


def test_its_books_are_in_order(played: Table) -> None:
    trial = ok(played.api.get(f"{played.path}/ledger/trial-balance"))
    assert trial["debit"] == trial["credit"]
    assert "bank" in {row["account"] for row in trial["rows"]}


def test_it_can_be_verified(played: Table, services: Services) -> None:
    report = audit_game(services.games, played.game)
    assert report.findings == []


def test_typed_in_text_is_on_the_stream_as_its_digest_only(api: Api) -> None:
    """What an agreement says lies beside the stream."""
    table = started(api, seats=2, rulebook="social_justice")
    seat = table.active()
    offered = {action["name"]: action for action in table.menu(seat)["open"]}
    body = {**offered["propose_agreement"]["body"], "text": "You paint my fence."}
    answer = ok(table.act(seat, body))
    assert b"fence" not in table.api.get(f"{table.path}/events?limit=1000").data
    digests = {e["event"]["data"].get("params", {}).get("text") for e in answer["events"]} - {None}
    assert len(digests) == 1
    assert len(digests.pop()) == 64


def test_the_other_rulebooks_actions_are_refused(api: Api) -> None:
    table = started(api, seats=2, rulebook="social_justice")
    refused(table.act(table.active(), {"action": "withdraw_bets"}), 409, "other_rulebook")


def test_options_may_be_any_starting_value(api: Api) -> None:
    chosen: dict[str, Any] = {"jail.immune_roles": ["owner", "manager"], "jail.bail": 50, "college.aid_charge": [0] * 6}
    table = started(api, seats=2, rulebook="social_justice", options=chosen)
    options = table.state()["state"]["options"]
    assert {name: options[name] for name in chosen} == chosen
    assert options["utility.rate_max"] == 500
