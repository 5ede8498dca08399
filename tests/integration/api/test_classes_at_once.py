"""A class at several tables that votes and pays in the same instants, over real connections to several processes."""

import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from tests.support.http import Client, Table

TABLES, SEATS = 6, 4
Call = tuple[Table, int, dict[str, Any]]


def opened(client: Client) -> Table:
    return Table.open(client, SEATS, "social_justice")


def proposed(table: Table, number: int) -> dict[int, str]:
    """Open a vote; return the prompts of those who are asked for their ballots."""
    seat, prompt = table.play_until("turn_start")
    operation = {"op": "set", "param": "property.rent_pct", "value": 150 + number % 2}
    body = {"action": "propose", "prompt": prompt, "operations": [operation]}
    assert table.act(seat, body, secrets.token_hex(16)).status_code == 201
    return table.asked("ballot")


def calls_of(table: Table, number: int) -> Iterator[Call]:
    """Yield what everyone at a table sends at once: a payment, and a ballot if one is asked for."""
    for seat, prompt in proposed(table, number).items():
        yield table, seat, {"action": "cast_ballot", "prompt": prompt, "ballot": "yes"}
    for seat in table.tokens:
        yield table, seat, {"action": "pay", "to": seat % SEATS + 1, "amount": 1, "cites": ""}


def send(start: Barrier, call: Call) -> tuple[int, str]:
    """Send an action once, at the same instant as all others; return status and code of the answer."""
    table, seat, body = call
    client, path = Client(table.client.base), f"/v1/games/{table.game}/actions"
    start.wait()
    answer = client.call("POST", path, token=table.tokens[seat], body=body, key=secrets.token_hex(16))
    return answer.status_code, answer.json().get("code", "")


def vote_and_pay(client: Client, rounds: int) -> None:
    """Check that each call succeeds or is against the rules: the vote is decided, no cash is left, the game is over."""
    tables = [opened(client) for _ in range(TABLES)]
    with ThreadPoolExecutor(2 * TABLES * SEATS) as pool:
        for number in range(rounds):
            tables = [table if table.state()["status"] == "playing" else opened(client) for table in tables]
            calls = [call for table in tables for call in calls_of(table, number)]
            answers = set(pool.map(partial(send, Barrier(len(calls))), calls))
            assert {status for status, _ in answers} <= {201, 409}, (number, answers)


def test_who_votes_and_pays_at_once_is_served(client: Client) -> None:
    """No call is turned away because others at its table came in the same instant."""
    vote_and_pay(client, 6)


@pytest.mark.long
def test_a_class_votes_and_pays_two_hundred_times_at_once(client: Client) -> None:
    vote_and_pay(client, 200)
