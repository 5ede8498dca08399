"""Ballots in the same instant, over real connections to several processes: each counts once, a vote closes once."""

import secrets
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import requests

from tests.support.http import Client, Table

RULE: dict[str, Any] = {"op": "set", "param": "property.rent_pct", "value": 150}


def proposed(client: Client, seats: int) -> tuple[Table, int, dict[int, str]]:
    """Open a game and a vote; gives the table, who proposed, and the prompts of the others."""
    table = Table.open(client, seats=seats, rulebook="social_justice")
    seat, prompt = table.play_until("turn_start")
    body = {"action": "propose", "prompt": prompt, "operations": [RULE]}
    assert table.act(seat, body, secrets.token_hex(16)).status_code == 201
    return table, seat, table.asked("ballot")


def cast_at_once(table: Table, ballots: list[tuple[int, str, str, str]]) -> list[requests.Response]:
    """Send ballots (seat, prompt, ballot, key) in parallel, each over a connection of its own."""

    def send(one: tuple[int, str, str, str]) -> requests.Response:
        seat, prompt, ballot, key = one
        body = {"action": "cast_ballot", "prompt": prompt, "ballot": ballot}
        path = f"/v1/games/{table.game}/actions"
        return Client(table.client.base).call("POST", path, token=table.tokens[seat], body=body, key=key)

    with ThreadPoolExecutor(len(ballots)) as pool:
        return list(pool.map(send, ballots))


def sound(table: Table) -> bool:
    report: dict[str, Any] = table.client.call("GET", f"/v1/games/{table.game}/verification").json()
    return not report["findings"]


def test_two_ballots_in_one_instant_both_count_and_close_the_vote_once(client: Client) -> None:
    """Of five, three must affirm: the proposer's yes and these two, whichever comes first."""
    table, seat, prompts = proposed(client, 5)
    two = list(prompts.items())[:2]
    answers = cast_at_once(table, [(voter, prompt, "yes", secrets.token_hex(16)) for voter, prompt in two])
    assert [answer.status_code for answer in answers] == [201, 201]
    (closed,) = table.events("vote_closed")
    assert (closed["outcome"], closed["yes"]) == ("passed", sorted([seat, *(voter for voter, _ in two)]))
    assert len(table.events("ballot_cast")) == 3
    assert len(table.events("rule_adopted")) == 1
    assert table.asked("ballot") == {}
    assert sound(table)


def test_seven_ballots_in_one_instant_close_the_vote_when_it_is_decided(client: Client) -> None:
    """Of eight, five must affirm: four of the seven count, and the rest come too late."""
    table, _, prompts = proposed(client, 8)
    answers = cast_at_once(table, [(voter, prompt, "yes", secrets.token_hex(16)) for voter, prompt in prompts.items()])
    assert Counter(answer.status_code for answer in answers) == {201: 4, 409: 3}
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"prompt_gone"}
    (closed,) = table.events("vote_closed")
    assert (closed["outcome"], len(closed["yes"]), closed["no"]) == ("passed", 5, [])
    assert len(table.events("ballot_cast")) == 5
    assert sound(table)


def test_a_ballot_sent_many_times_in_one_instant_counts_once(client: Client) -> None:
    """With one key they are one; with many keys the first one counts, and it cannot be changed."""
    table, _, prompts = proposed(client, 8)
    (first, prompt), (second, other), *_ = prompts.items()
    same = cast_at_once(table, [(first, prompt, "no", "one key")] * 10)
    assert {(answer.status_code, answer.content) for answer in same} == {(201, same[0].content)}
    many = cast_at_once(
        table, [(second, other, ("yes", "no")[number % 2], secrets.token_hex(16)) for number in range(10)]
    )
    assert Counter(answer.status_code for answer in many) == {201: 1, 409: 9}
    assert Counter(event["seat"] for event in table.events("ballot_cast"))[first] == 1
    assert Counter(event["seat"] for event in table.events("ballot_cast"))[second] == 1
    assert table.events("vote_closed") == []
    assert sound(table)
