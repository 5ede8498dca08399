"""Many requests at once, over real connections to several processes: each key happens once."""

import secrets
import socket
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from urllib.parse import urlsplit

import requests

from tests.support.http import Client, Table, ndjson

MANY = 50


def at_once(send: Callable[[int], requests.Response]) -> list[requests.Response]:
    """Send fifty requests in parallel."""
    with ThreadPoolExecutor(MANY) as pool:
        return list(pool.map(send, range(MANY)))


def drawn(table: Table) -> int:
    """Movement rolls on the stream."""
    text = table.client.call("GET", f"/v1/games/{table.game}/events", Accept="application/x-ndjson").text
    data = [line["event"]["data"] for line in ndjson(text)]
    return sum(event["type"] == "dice_rolled" and event["purpose"] == "movement" for event in data)


def same_answer(answers: list[requests.Response]) -> None:
    """All are 201 with the same body, and all but one say that they are repeats."""
    assert Counter(answer.status_code for answer in answers) == {201: MANY}
    assert len({answer.content for answer in answers}) == 1
    hits = Counter(answer.headers.get("Idempotency-Hit") for answer in answers)
    assert hits == {None: 1, "true": MANY - 1}


def roll(client: Client, table: Table, *, key: str = "", **headers: str) -> Callable[[int], requests.Response]:
    """Make what sends the first seat's roll, with one key or with a key for each number."""
    asked = table.next_body()
    assert asked is not None
    seat, body = asked
    path, token = f"/v1/games/{table.game}/actions", table.tokens[seat]

    def send(number: int) -> requests.Response:
        own = Client(client.base)  # a connection of its own
        return own.call("POST", path, token=token, body=body, key=key or f"key {number}", **headers)

    return send


def test_one_key_fifty_times_is_one_roll_and_one_answer(client: Client) -> None:
    """A1: also again after the turn has passed."""
    table = Table.open(client)
    before, send = drawn(table), roll(client, table, key=secrets.token_hex(16))
    answers = at_once(send)
    same_answer(answers)
    assert drawn(table) == before + 1
    table.play(4)
    count = drawn(table)
    again = send(0)
    assert (again.status_code, again.content) == (201, answers[0].content)
    assert drawn(table) == count


def test_one_key_fifty_times_is_one_game(client: Client) -> None:
    """S9: with the same tokens in each answer."""
    key, body = secrets.token_hex(16), {"rulebook": "public_assistance"}
    answers = at_once(lambda _: Client(client.base).call("POST", "/v1/games", body=body, key=key))
    same_answer(answers)
    assert answers[0].json()["host_token"]


def test_one_key_fifty_times_is_one_seat(client: Client) -> None:
    made = client.call("POST", "/v1/games", body={"rulebook": "public_assistance"}).json()
    path, token, key = f"/v1/games/{made['game']}/seats", made["join_code"], secrets.token_hex(16)
    answers = at_once(lambda _: Client(client.base).call("POST", path, token=token, body={"name": "Ann"}, key=key))
    same_answer(answers)
    assert list(client.call("GET", f"/v1/games/{made['game']}").json()["state"]["seats"]) == ["1"]


def test_fifty_keys_with_one_tag_are_one_roll_and_49_times_412(client: Client) -> None:
    """A1, second half: every one of them gets what it missed."""
    table = Table.open(client)
    etag = client.call("GET", f"/v1/games/{table.game}").headers["ETag"]
    before = drawn(table)
    answers = at_once(roll(client, table, If_Match=etag))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 412: MANY - 1}
    done = next(answer.json() for answer in answers if answer.status_code == 201)
    for answer in answers:
        if answer.status_code == 412:
            assert answer.json()["missed"] == done["events"]
            assert answer.headers["ETag"] == f'"{done["etag"]}"'
    assert drawn(table) == before + 1


def test_two_clicks_are_one_roll(client: Client) -> None:
    table = Table.open(client)
    before = drawn(table)
    answers = at_once(roll(client, table))
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: MANY - 1}
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"prompt_gone"}
    assert drawn(table) == before + 1


def test_fifty_people_and_four_seats(client: Client) -> None:
    """A5: four distinct seats, each with a token that works, and 46 times 409."""
    made = client.call("POST", "/v1/games", body={"rulebook": "public_assistance"}).json()
    path = f"/v1/games/{made['game']}/seats"
    answers = at_once(
        lambda number: Client(client.base).call(
            "POST", path, token=made["join_code"], body={"name": f"P{number}"}, key=secrets.token_hex(16)
        )
    )
    seated = [answer.json() for answer in answers if answer.status_code == 201]
    assert sorted(seat["seat"] for seat in seated) == [1, 2, 3, 4]
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"table_full"}
    for seat in seated:
        answer = client.call("GET", f"/v1/games/{made['game']}/actions", token=seat["token"])
        assert answer.json()["seat"] == seat["seat"]
    names = client.call("GET", f"/v1/games/{made['game']}").json()["names"]
    assert len(set(names.values())) == 4


def test_many_wait_for_one_roll(client: Client) -> None:
    """Watchers in both processes are woken by it, and see it whole."""
    table = Table.open(client)
    version = client.call("GET", f"/v1/games/{table.game}").json()["version"]
    path, send = f"/v1/games/{table.game}/events?after={version}&wait=30", roll(client, table)

    def wait(number: int) -> requests.Response:
        if number == MANY - 1:
            return send(number)
        return Client(client.base).call("GET", path)

    *watchers, rolled = at_once(wait)
    assert rolled.status_code == 201
    for answer in watchers:
        assert answer.json()["events"][: len(rolled.json()["events"])] == rolled.json()["events"]


def test_hundreds_of_readers_at_once_leave_every_route_as_it_was(client: Client) -> None:
    """Each process has more requests at once than connections to the store; afterwards it answers as before."""
    table, address = Table.open(client), urlsplit(client.base)
    request = f"GET /v1/games/{table.game} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n\r\n".encode()
    with ExitStack() as stack:
        place = (address.hostname or "", address.port or 0)
        readers = [stack.enter_context(socket.create_connection(place, timeout=30)) for _ in range(250)]
        for reader in readers:
            reader.sendall(request)
        answers = [b"".join(iter(lambda reader=reader: reader.recv(65536), b"")) for reader in readers]  # type: ignore[misc] # its own
    assert Counter(answer.split(b" ", 2)[1] for answer in answers) == {b"200": 250}
    for path in ("/v1/games", f"/v1/games/{table.game}/verification", "/v1/statistics", "/readyz"):
        for _ in range(6):
            assert Client(client.base).call("GET", path).status_code == 200
