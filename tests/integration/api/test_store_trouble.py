"""The store is killed, full or slow under a running API: 503 with Retry-After, nothing half done, and it goes on."""

import secrets
import threading

import redis
import requests

from tests.support.http import Client, Table, ndjson
from tests.support.valkey import Valkey


def stream(table: Table) -> list[dict[str, object]]:
    text = table.client.call("GET", f"/v1/games/{table.game}/events", Accept="application/x-ndjson").text
    return ndjson(text)


def test_a_killed_store_is_503_and_service_goes_on_when_it_is_back(own: Client, store: Valkey) -> None:
    table = Table.open(own)
    table.play(3)
    before, asked = stream(table), table.next_body()
    assert asked is not None
    seat, body = asked
    path, token, key = f"/v1/games/{table.game}/actions", table.tokens[seat], secrets.token_hex(16)
    store.kill()
    for answer in (
        own.call("POST", path, token=token, body=body, key=key),
        own.call("GET", f"/v1/games/{table.game}"),
        own.call("GET", "/readyz"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
        assert int(answer.headers["Retry-After"]) > 0
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert "redis" not in answer.text.lower()
    assert own.call("GET", "/healthz").status_code == 200
    store.start()
    assert stream(table) == before
    answer = own.insist("POST", path, token=token, body=body, key=key)
    assert answer.status_code == 201
    assert stream(table)[len(before) :] == answer.json()["events"]
    assert own.call("GET", f"/v1/games/{table.game}/verification").json()["sound"]


def test_a_long_poll_survives_the_death_of_the_store(own: Client, store: Valkey) -> None:
    """The subscription is taken up again: the next event wakes who waits."""
    table = Table.open(own)
    version = own.call("GET", f"/v1/games/{table.game}").json()["version"]
    path = f"/v1/games/{table.game}/events?after={version}&wait=30"
    first = own.call("GET", path.replace("wait=30", "wait=1"))
    assert first.json()["events"] == []
    store.kill()
    store.start()
    answers: list[requests.Response] = []
    waiting = threading.Thread(target=lambda: answers.append(Client(own.base).insist("GET", path)))
    waiting.start()
    (done,) = table.play(1)
    waiting.join()
    assert answers[0].json()["events"] == done["events"]


def test_a_full_store_is_503_and_loses_nothing(own: Client, store: Valkey) -> None:
    """H11, S45: reading goes on; with room again, so does the game."""
    table = Table.open(own)
    table.play(3)
    before, asked = stream(table), table.next_body()
    assert asked is not None
    seat, body = asked
    path, token, key = f"/v1/games/{table.game}/actions", table.tokens[seat], secrets.token_hex(16)
    with store.admin() as admin:
        admin.config_set("maxmemory", "1mb")
        answer = own.call("POST", path, token=token, body=body, key=key)
        assert (answer.status_code, answer.json()["code"]) == (503, "store_full")
        assert int(answer.headers["Retry-After"]) > 0
        made = own.call("POST", "/v1/games", body={"rulebook": "public_assistance"})
        assert (made.status_code, made.json()["code"]) == (503, "store_full")
        assert stream(table) == before
        assert own.call("GET", f"/v1/games/{table.game}").status_code == 200
        admin.config_set("maxmemory", "0")
    answer = own.call("POST", path, token=token, body=body, key=key)
    assert answer.status_code == 201
    assert stream(table)[len(before) :] == answer.json()["events"]


def test_a_pause_past_the_time_out_is_one_event(own: Client, store: Valkey) -> None:
    """S2: the store answers too late, the request is sent again inside, and happens once."""
    table = Table.open(own)
    before, asked = stream(table), table.next_body()
    assert asked is not None
    seat, body = asked
    path, key = f"/v1/games/{table.game}/actions", secrets.token_hex(16)
    with store.admin() as admin:
        admin.execute_command("CLIENT", "PAUSE", 2500, "WRITE")
    answer = own.insist("POST", path, token=table.tokens[seat], body=body, key=key)
    assert answer.status_code == 201
    assert stream(table)[len(before) :] == answer.json()["events"]


def test_plain_redis_sees_one_entry_for_every_event(own: Client, store: Valkey) -> None:
    """What the API tells is what stands in the store, byte by byte."""
    table = Table.open(own)
    table.play(5)
    with store.admin() as admin:
        (key,) = admin.keys(f"rb:*:{table.game}:ev")
        rows = admin.xrange(key)
    lines = own.call("GET", f"/v1/games/{table.game}/events", Accept="application/x-ndjson").content.splitlines()
    told = [b'{"event":' + fields[b"e"] + b',"link":"' + fields[b"h"].hex().encode() + b'"}' for _, fields in rows]
    assert told == lines
    assert isinstance(rows, list)
    assert [place for place, _ in rows] == [f"{number}-0".encode() for number in range(1, len(rows) + 1)]


def test_a_store_that_may_forget_is_refused_at_start_and_named_by_readyz(own: Client, store: Valkey) -> None:
    with store.admin() as admin:
        assert isinstance(admin, redis.Redis)
        admin.config_set("maxmemory-policy", "allkeys-lru")
        answer = own.call("GET", "/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "store_error")
        assert "allkeys-lru" in answer.json()["detail"]
        admin.config_set("maxmemory-policy", "noeviction")
    assert own.call("GET", "/readyz").status_code == 200
