"""The holder of a seat takes back what was typed in there; the game goes on as if nothing had happened."""

import re
import secrets
from typing import Any

from events.store import Client
from events.store.keys import game_keys
from service.api.app import create_app
from service.bootstrap import Services, assemble
from service.games.texts import ERASED, MISSING
from tests.api.checked import Api, ok, refused
from tests.api.conftest import OPERATOR, application
from tests.api.tables import Table, ended, finish, play, seated, started
from tests.support.raw import everything_in

JSON = {"Content-Type": "application/json"}
PACT = "We share the rent of the old mill."


def texts_of(table: Table, seat: int, digest: str = "") -> str:
    return f"{table.path}/seats/{seat}/texts" + (f"/{digest}" if digest else "")


def erase(table: Table, seat: int, digest: str = "") -> Any:
    return ok(table.api.call("DELETE", texts_of(table, seat, digest), token=table.seats[seat]))


def store_of(api: Api) -> Client:
    client: Client = api.app.extensions["rollbook"].client
    return client


NAME = re.compile(r"\bBob\b")
"""As a word: in Base64 the three letters come up by chance."""


def answers(table: Table) -> str:
    """What every reading route says of the game, and the list of games."""
    paths = ["", "/events", "/steps", "/steps/1", "/actions", "/rules", "/votes", "/bundle", "/verification"]
    paths += ["/ledger/accounts", "/ledger/entries", "/ledger/trial-balance", "/checkpoint"]
    found = [table.api.get(table.path + path, token=table.seats[1]).text for path in paths]
    return "\n".join([*found, table.api.get("/v1/games", token=OPERATOR).text])


def test_a_name_is_gone_and_the_game_is_the_same(api: Api) -> None:
    table = started(api)
    before, stream = table.state(), table.api.get(f"{table.path}/events").data
    assert NAME.search(answers(table))
    done = erase(table, 2)
    (gone,) = done["texts"]
    assert (gone["digest"], gone["by"]) == (before["state"]["seats"]["2"]["name"], "seat:2")
    assert done["not_reached"]
    after = table.state()
    assert after == {**before, "names": {"1": "Ann", "2": ERASED}}
    assert table.api.get(f"{table.path}/events").data == stream
    assert not NAME.search(answers(table))
    assert "Ann" in answers(table)
    report = ok(api.get(f"{table.path}/verification"))
    assert report["sound"] is True
    assert any("1 erased at" in sentence and "by seat 2" in sentence for sentence in report["unchecked"])


def test_a_repeat_changes_nothing_and_one_text_can_go_alone(api: Api) -> None:
    table = started(api)
    name = table.state()["state"]["seats"]["1"]["name"]
    first = erase(table, 1, name)
    assert [text["digest"] for text in first["texts"]] == [name]
    again = erase(table, 1, name)
    # The store may be busy with the rewrite that the first request asked for.
    assert {first.pop("rewrite"), again.pop("rewrite")} <= {"started", "queued"}
    assert again == first
    assert erase(table, 1)["texts"] == first["texts"]


def test_what_is_somebody_elses_is_refused(api: Api) -> None:
    table = started(api, private=True)
    name = table.state()["state"]["seats"]["2"]["name"]
    for digest in ("", name):
        refused(api.call("DELETE", texts_of(table, 2, digest), token=table.seats[1]), 403, "forbidden")
        refused(api.call("DELETE", texts_of(table, 2, digest), token=table.host), 403, "forbidden")
        refused(api.call("DELETE", texts_of(table, 2, digest)), 404, "no_such_game")
    refused(api.call("DELETE", texts_of(table, 1, name), token=table.seats[1]), 403, "forbidden")
    for place in (texts_of(table, 1), texts_of(table, 1, name)):
        refused(api.call("DELETE", place, token=table.seats[1], data=b"{", headers=JSON), 400, "malformed_json")
        stray = api.call("DELETE", place, token=table.seats[1], data=b'{"digest":"00"}', headers=JSON)
        assert refused(stray, 422, "invalid_input")["errors"][0]["pointer"] == "/digest"
    refused(api.call("DELETE", texts_of(table, 1, "0" * 64), token=table.seats[1]), 404, "no_such_text")
    refused(api.call("DELETE", texts_of(table, 1, "xyz"), token=table.seats[1]), 404, "not_found")
    public = started(api)
    refused(api.call("DELETE", texts_of(public, 1)), 401, "unauthorized")
    assert table.state()["names"] == {"1": "Ann", "2": "Bob"}


def test_the_request_that_brought_a_name_can_be_repeated_and_brings_it_back_never(api: Api) -> None:
    """Its digest is gone with the name, since anyone could check a guess of the name by it."""
    table = seated(api)
    made = ok(api.post(f"{table.path}/seats", {"name": "Zenobia"}, token=table.join, key="sits once"))
    token, seat = made["token"], made["seat"]
    table.seats[seat] = token
    keys = game_keys(table.game)
    client: Any = store_of(api)
    before = client.hget(keys.actions, made["action"])
    erase(table, seat)
    assert client.hget(keys.actions, made["action"]) == before[: before.rindex(b":")] + b":erased"
    again = api.post(f"{table.path}/seats", {"name": "Zenobia"}, token=table.join, key="sits once")
    assert again.headers["Idempotency-Hit"] == "true"
    assert ok(again)["token"] == token
    assert b"Zenobia" not in everything_in(client)


def test_what_is_gone_without_an_erasure_is_missing(api: Api) -> None:
    """It is a finding, and one that was erased is none; in a fork it is not here, and nothing is wrong."""
    table = started(api)
    names = table.state()["state"]["seats"]
    erase(table, 1)
    assert ok(api.get(f"{table.path}/verification"))["verdict"] == "holds; actions not executed"
    store_of(api).execute_command("HDEL", game_keys(table.game).texts, names["2"]["name"])
    assert table.state()["names"] == {"1": ERASED, "2": MISSING}
    assert MISSING in table.api.get(f"{table.path}/steps").text
    report = ok(api.get(f"{table.path}/verification"))
    (finding,) = report["findings"]
    assert (report["verdict"], finding["check"]) == ("failed", "text")
    assert finding["found"] == "1 of them without either"


def test_the_texts_of_a_parent_are_not_in_a_fork_and_nothing_is_wrong(api: Api) -> None:
    table = started(api)
    play(table, 4)
    steps = ok(api.get(f"{table.path}/steps"))["steps"]
    fork = ok(api.post(f"{table.path}/forks", {"step": len(steps)}, token=table.host, key=secrets.token_hex(16)))
    path = f"/v1/games/{fork['game']}"
    report = ok(api.get(f"{path}/verification"))
    assert report["findings"] == []
    assert any("no record of an erasure" in sentence for sentence in report["unchecked"])


def test_another_process_does_not_show_it_either(api: Api) -> None:
    table = started(api)
    ours: Services = api.app.extensions["rollbook"]
    theirs = assemble(ours.client, server_key=b"a key of at least thirty-two bytes", allow_volatile=True)
    other = Table(Api(create_app(theirs), api.rulebook), table.game, table.host, "", table.watch, table.seats)
    assert other.state()["names"]["2"] == "Bob"
    assert NAME.search(answers_of(other))
    erase(table, 2)
    assert other.state()["names"]["2"] == ERASED
    assert not NAME.search(answers_of(other))


def answers_of(table: Table) -> str:
    return table.api.get(f"{table.path}/steps", token=table.watch).text


def test_an_offer_is_erased_by_its_author_alone_also_when_it_was_taken() -> None:
    api = application("social_justice")
    table = started(api)
    ((seat, prompt),) = table.asked("turn_start")
    other = 3 - seat
    pay = {"payer": seat, "payee": other, "amount": 5, "when": "payday"}
    pact = {"action": "propose_agreement", "prompt": prompt, "party": other, "text": PACT, "payments": [pay]}
    ok(table.act(seat, pact))
    (offer,) = table.state()["state"]["deals"]["offers"].values()
    ok(table.act(other, {"action": "accept_offer", "offer": offer["offer"]}))
    digest = offer["terms"]["text"]
    refused(api.call("DELETE", texts_of(table, other, digest), token=table.seats[other]), 403, "forbidden")
    assert digest not in {text["digest"] for text in erase(table, other)["texts"]}
    assert PACT in answers(table)
    erase(table, seat)
    assert table.state()["texts"] == {digest: ERASED}
    assert PACT not in answers(table)
    assert PACT.encode() not in everything_in(store_of(api))
    assert ok(api.get(f"{table.path}/verification"))["sound"] is True


def test_whose_a_text_is_is_never_guessed_of_a_damaged_stream() -> None:
    api = application()
    table = started(api)
    client: Any = store_of(api)
    client.xdel(game_keys(table.game).stream, "2-0")
    api.app.extensions["rollbook"].games.loader.forget(table.game)
    refused(api.call("DELETE", texts_of(table, 1), token=table.seats[1]), 503, "game_frozen")


def test_a_token_is_renewed_after_the_end_for_erasing(api: Api) -> None:
    """The one who lost it gets another from the host, in every process; the stream stays sealed as it was."""
    table = ended(api, 4)
    other = Api(
        create_app(assemble(store_of(api), server_key=b"a key of at least thirty-two bytes", allow_volatile=True)),
        api.rulebook,
    )
    there = Table(other, table.game, table.host, table.join, table.watch)
    before = there.state()
    path, lost = f"{table.path}/seats/2/token", table.seats[2]
    ok(api.get(table.path, token=lost))
    renewed = [api.post(path, token=table.host, key="a key of this renewal") for _ in range(2)]
    token = ok(renewed[0])["token"]
    assert ok(renewed[1])["token"] == token != lost
    assert [answer.headers.get("Idempotency-Hit") for answer in renewed] == [None, "true"]
    assert (ok(renewed[0])["events"], ok(renewed[0])["version"]) == ([], before["version"])
    refused(
        api.post(f"{table.path}/seats/1/token", token=table.host, key="a key of this renewal"),
        422,
        "idempotency_key_reused",
    )
    for one in (api, other):
        refused(one.get(table.path, token=lost), 401, "unauthorized")
        refused(one.call("DELETE", texts_of(table, 2), token=lost), 401, "unauthorized")
        refused(one.post(path, token=token), 403, "forbidden")
        refused(one.post(path), 401, "unauthorized")
        refused(one.post(f"{table.path}/seats/4/token", token=table.host), 404, "no_such_seat")
    table.seats[2], table.api = token, other
    assert erase(table, 2)["texts"]
    assert there.state()["names"]["2"] == ERASED
    assert there.state()["etag"] == before["etag"]
    assert ok(other.get(f"{table.path}/verification"))["sound"] is True


def test_the_newest_of_two_renewals_counts(api: Api) -> None:
    """A renewal from before the end, sent again after it, gets its first answer and changes nothing."""
    table = started(api)
    path = f"{table.path}/seats/1/token"
    first = ok(api.post(path, token=table.host, key="while it is played"))
    second = ok(api.post(path, token=table.host, key="a moment later"))
    table.seats[1] = second["token"]
    finish(table, 0)
    third = ok(api.post(path, token=table.host, key="after the end"))
    assert ok(api.post(path, token=table.host, key="while it is played")) == first
    assert ok(api.post(path, token=table.host, key="after the end")) == third
    for token in (first["token"], second["token"]):
        refused(api.get(table.path, token=token), 401, "unauthorized")
    ok(api.get(table.path, token=third["token"]))
