"""What people type into actions: its digest is on the stream, the text lies beside it and is shown with it."""

import json
from typing import Any

import pytest

from events.store.keys import game_keys
from service.games.texts import ERASED
from tests.api.checked import Api, ok, refused
from tests.api.conftest import application
from tests.api.tables import Table, started

RULE, LABEL, PACT = "Who passes Go says so.", "Poll tax", "We share the rent."
SPEECH = "My fellow players\nof all roles"
WORDS: dict[str, Any] = {"op": "add_text", "text": RULE}
TAX: dict[str, Any] = {
    "op": "add_transfer", "trigger": "round_end", "from": "all", "to": "bank", "amount": {"fixed": 1}, "label": LABEL,
}  # fmt: skip


@pytest.fixture(scope="module")
def api() -> Api:
    return application("social_justice")


def stream(table: Table) -> bytes:
    return bytes(table.api.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"}).data)


def lines(table: Table) -> str:
    """All that the steps tell."""
    told, after, more = [], 0, True
    while more:
        page = ok(table.api.get(f"{table.path}/steps?limit=100&after={after}"))
        told += [line for step in page["steps"] for line in step["lines"]]
        after, more = page["after"], page["more"]
    return "\n".join(told)


def stored(table: Table) -> dict[bytes, bytes]:
    """What lies beside the stream, but names."""
    found: dict[bytes, bytes] = table.api.app.extensions["rollbook"].client.hgetall(game_keys(table.game).texts)
    names = {sitter["name"].encode() for sitter in table.state()["state"]["seats"].values()}
    return {digest: record for digest, record in found.items() if digest not in names}


def test_a_house_rule_and_a_label_are_shown_and_not_on_the_stream(api: Api) -> None:
    table = started(api, seats=3)
    ok(table.propose(WORDS, TAX))
    assert sorted(table.state()["texts"].values()) == sorted([RULE, LABEL])
    table.vote()
    state = table.state()
    (rule,) = state["state"]["politics"]["stack"]
    assert state["texts"][rule["texts"][0]] == RULE
    assert state["texts"][rule["transfers"][0]["label"]] == LABEL
    for resource in ("rules", "votes"):
        assert ok(api.get(f"{table.path}/{resource}"))["texts"] == state["texts"]
    told = lines(table)
    assert f"a house rule in words, “{RULE.rstrip('.')}”" in told
    assert f"a transfer called “{LABEL}” on round end" in told
    assert RULE.encode() not in stream(table)
    assert LABEL.encode() not in stream(table)


def test_an_agreement_is_shown_to_all_and_not_on_the_stream(api: Api) -> None:
    table = started(api)
    ((seat, prompt),) = table.asked("turn_start")
    other = 3 - seat
    pay = {"payer": seat, "payee": other, "amount": 5, "when": "payday"}
    pact = {"action": "propose_agreement", "prompt": prompt, "party": other, "text": PACT, "payments": [pay]}
    ok(table.act(seat, pact))
    (offer,) = table.state()["state"]["deals"]["offers"].values()
    assert table.state()["texts"] == {offer["terms"]["text"]: PACT}
    counter = {"action": "counter_agreement", "offer": offer["offer"], "text": PACT + " Fairly."}
    ok(table.act(other, counter))
    ok(table.act(seat, {"action": "accept_offer", "offer": offer["offer"] + 1}))
    (agreement,) = table.state()["state"]["deals"]["agreements"].values()
    assert table.state()["texts"] == {agreement["text"]: PACT + " Fairly."}
    assert "“We share the rent. Fairly”" in lines(table)
    assert PACT.encode() not in stream(table)


def test_a_speech_is_heard_by_whoever_votes_on_it(api: Api) -> None:
    everybody = ["unemployed", "employee", "manager", "owner"]
    dice = {f"move.die.{role}": 20 for role in everybody}
    options = {**dice, "white_house.roles": everybody, "jail.enabled": False, "change.enabled": False}
    table = started(api, key="a speech that is heard 5", secret="5e" * 32, options=options)
    while not table.asked("speech"):
        table.step()
    ((seat, prompt),) = table.asked("speech")
    speech = {"action": "give_speech", "prompt": prompt, "text": SPEECH, "promises": ["net", "care"]}
    ok(table.act(seat, speech))
    vote = ok(api.get(f"{table.path}/votes"))
    assert vote["texts"] == {vote["votes"][-1]["speech"]: SPEECH}
    assert table.state()["texts"] == vote["texts"]
    assert "promises affordable care and net neutrality: “My fellow players of all roles”" in lines(table)
    assert b"My fellow" not in stream(table)


def test_a_repeat_is_one_text_and_one_answer(api: Api) -> None:
    """The salt is drawn again each time, and the first one counts."""
    table = started(api, seats=3)
    first = table.propose(WORDS, key="once")
    seat = table.state()["state"]["politics"]["vote"]["seat"]
    body = {"action": "propose", "prompt": "p1", "operations": [WORDS]}
    body["prompt"] = next(
        line["event"]["data"]["prompt"]
        for line in ok(first)["events"]
        if line["event"]["data"]["type"] == "action_taken"
    )
    again = table.act(seat, body, key="once")
    assert (again.status_code, again.data) == (201, first.data)
    assert len(stored(table)) == 1


def test_what_is_tried_or_refused_leaves_no_text(api: Api) -> None:
    table = started(api, seats=3)
    ((seat, prompt),) = table.asked("turn_start")
    body = {"action": "propose", "prompt": prompt, "operations": [WORDS]}
    tried = api.post(f"{table.path}/actions?dry_run=true", body, token=table.seats[seat])
    assert RULE not in json.dumps(ok(tried)["events"])
    refused(table.act(seat % 3 + 1, body), 409, "not_your_prompt")
    unknown = {"op": "repeal", "rule_id": "r9"}
    refused(table.act(seat, {**body, "operations": [WORDS, unknown]}), 409, "unknown_rule")
    assert stored(table) == {}


def test_an_erased_text_says_so_and_the_history_stays_sound(api: Api) -> None:
    table = started(api, seats=3)
    ok(table.propose(WORDS))
    table.vote()
    services = api.app.extensions["rollbook"]
    services.store.sidecar.erase_texts(table.game, [digest.decode() for digest in stored(table)], at=5, by="operator")
    assert list(table.state()["texts"].values()) == [ERASED]
    assert list(ok(api.get(f"{table.path}/rules"))["texts"].values()) == [ERASED]
    assert "“[erased]”" in lines(table)
    assert ok(api.get(f"{table.path}/verification"))["sound"] is True


BAD = {
    "too long": "a" * 501,
    "64 KiB": "a" * 60_000,
    "control character": "a\x00b",
    "escape sequence": "a\x1b[31mb",
    "turned around": "a\u202eb",
    "line separator": "a\u2028b",
}
GOOD = [
    *("x", "a" * 500, "名前", "👩\u200d👧", "<script>alert(1)</script>", "${jndi:x}", "'; DROP TABLE", "%s %n {0}"),
    *('"quoted" \\ and \\u0000', "one\ntwo\n", "  spaces around  ", "[bold]x[/]", "ab" * 32),
]


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_a_text_that_cannot_be_shown_is_refused_by_name(api: Api, text: str) -> None:
    table = started(api)
    before = table.state()["etag"]
    ((seat, prompt),) = table.asked("turn_start")
    rule = {"action": "propose", "prompt": prompt, "operations": [{"op": "add_text", "text": text}]}
    tax = {"action": "propose", "prompt": prompt, "operations": [WORDS, {**TAX, "label": text}]}
    pact = {"action": "propose_agreement", "prompt": prompt, "party": 3 - seat, "text": text}
    speech = {"action": "give_speech", "prompt": prompt, "text": text}
    for body, pointer in (
        (rule, "/operations/0/text"),
        (tax, "/operations/1/label"),
        (pact, "/text"),
        (speech, "/text"),
        ({"action": "counter_agreement", "offer": 1, "text": text}, "/text"),
    ):
        problem = refused(table.act(seat, body), 422, "invalid_input")
        assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert table.state()["etag"] == before


def test_a_text_is_kept_to_the_letter(api: Api) -> None:
    table = started(api)
    ((seat, prompt),) = table.asked("turn_start")
    for text in GOOD:
        pact = {"action": "propose_agreement", "prompt": prompt, "party": 3 - seat, "text": text}
        ok(table.act(seat, pact))
        assert list(table.state()["texts"].values()) == [text]
        (offer,) = table.state()["state"]["deals"]["offers"].values()
        ok(table.act(3 - seat, {"action": "decline_offer", "offer": offer["offer"]}))
    assert all(line.replace("\u200d", "").isprintable() for line in lines(table).splitlines())
    assert sorted(record[16:].decode() for record in stored(table).values()) == sorted(GOOD)


def test_blank_text_is_none(api: Api) -> None:
    table = started(api)
    ((seat, prompt),) = table.asked("turn_start")
    blank = {"action": "propose", "prompt": prompt, "operations": [{"op": "add_text", "text": " \n "}]}
    problem = refused(table.act(seat, blank), 409, "empty_text")
    assert [error["pointer"] for error in problem["errors"]] == ["/operations/0/text"]
    pact = {"action": "propose_agreement", "prompt": prompt, "party": 3 - seat, "text": " "}
    refused(table.act(seat, pact), 409, "empty_agreement")
