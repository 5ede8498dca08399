"""Hostile input to the actions that hold more than single values: each refusal names the place, and nothing happens."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.checked import Api, ok, refused
from tests.api.conftest import application
from tests.api.tables import Table, started

SET: dict[str, Any] = {"op": "set", "param": "property.rent_pct", "value": 90}
CAP: dict[str, Any] = {
    "op": "set", "param": "utility.{u}.payday_cap.{r}", "value": 20, "for": {"u": ["enron"], "r": ["unemployed"]},
}  # fmt: skip
TAX: dict[str, Any] = {
    "op": "add_transfer", "trigger": "each_payday", "where": {"role": ["owner"], "cash_at_least": 5}, "from": "actor",
    "to": "role:unemployed", "amount": {"pct": 5, "of": "cash", "min": 1, "max": 9}, "split": "share",
    "on_short": "skip", "label": "tax",
}  # fmt: skip
OPERATIONS = [SET, CAP, TAX, {"op": "add_text", "text": "be kind"}, {"op": "motion", "motion": "end_game"}]
PROPOSAL: dict[str, Any] = {"action": "propose", "prompt": "p1", "operations": OPERATIONS}
PACT: dict[str, Any] = {
    "action": "propose_agreement", "prompt": "p1", "party": 2, "text": "help",
    "payments": [{"payer": 1, "payee": 2, "amount": 5, "when": "own_turn", "every": 2, "times": 3}],
}  # fmt: skip
BODIES: tuple[dict[str, Any], ...] = (
    PROPOSAL,
    PACT,
    {"action": "sell_title", "prompt": "p1", "square": 5, "buyer": 2, "price": 100},
    {"action": "request_loan", "prompt": "p1", "lender": 2, "principal": 100, "pct": 10, "term": 3},
    {"action": "counter_loan", "offer": 1, "principal": 100, "pct": 10, "term": 3},
    {"action": "set_rate", "prompt": "p1", "name": "enron.payday", "rate": 50},
    {"action": "declare_care", "prompt": "p1", "fee": {"owner": 100}},
    {"action": "declare_bailout", "prompt": "p1", "enron": {"owner": 100}, "flint": 20},
    {"action": "withdraw_troops", "prompt": "p1", "players": [1, 2]},
    {"action": "give_speech", "prompt": "p1", "text": "I will", "promises": ["net"]},
    {"action": "pay", "to": 2, "amount": 5, "cites": "r1"},
    {"action": "cast_ballot", "prompt": "p1", "ballot": "yes"},
)
"""Bodies that are good in themselves, as deep as they go; every value in them is attacked."""

NO_WHOLE = [b"2.5", b"1e3", b"-0.0", b"9007199254740992", b"9223372036854775808", b"NaN", b'"2"', b"{}"]
LONG = b'"' + b"a" * 60_000 + b'"'
WRONG: dict[type, list[bytes]] = {
    int: [*NO_WHOLE, b"true", b"[]", b"[[1]]", LONG, b"-9007199254740992"],
    str: [b"1", b"true", b"{}", b"[[]]", LONG, b'"\\ud800"', b'"\\u0000"', b'"no such word"'],
    list: [b"1", b"true", b'"a"', b"{}", b"[{}]", b"[null]", b"[2.5]", b"[[[[[]]]]]"],
    dict: [b"true", b'"a"', b"[]", b'{"nosuch": 1}', b"[{}]", b'{"a": {"a": {}}}'],
}
FREE = {"/operations/0/value", "/operations/1/value"}
"""Values of a parameter: a number, a flag, a word or a list may each be right; the rules say which."""

ANY_WORDS = {b'"no such word"', b'"\\u0000"'}
"""As good as any other words to a reader of types alone; what texts may hold has tests of its own."""


@pytest.fixture(scope="module")
def api() -> Api:
    return application("social_justice")


@pytest.fixture(scope="module")
def table(api: Api) -> Table:
    return started(api, seats=3)


def places(value: Any, pointer: str = "") -> list[str]:
    """Every place in a body below its root."""
    found = []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in inner:
        found += [f"{pointer}/{key}", *places(member, f"{pointer}/{key}")]
    return found


def step(value: Any, key: str) -> Any:
    return value[int(key)] if isinstance(value, list) else value[key]


def at(body: Any, pointer: str) -> Any:
    for key in pointer[1:].split("/"):
        body = step(body, key)
    return body


def put(body: Any, pointer: str, value: bytes) -> bytes:
    """Write a body with raw JSON at one place."""
    copy = json.loads(json.dumps(body))
    above, _, last = pointer.rpartition("/")
    inner = at(copy, above) if above else copy
    inner[int(last) if isinstance(inner, list) else last] = "\x01"
    return json.dumps(copy).encode().replace(json.dumps("\x01").encode(), value)


def send(table: Table, raw: bytes) -> Any:
    return table.api.post(f"{table.path}/actions", token=table.seats[1], data=raw, content_type="application/json")


@pytest.mark.parametrize("body", BODIES, ids=lambda body: str(body["action"]))
def test_the_bodies_that_are_attacked_are_good_ones(table: Table, body: dict[str, Any]) -> None:
    """They are refused for the prompt alone, or for what is on the table."""
    assert send(table, json.dumps(body).encode()).status_code in (201, 409)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: str(body["action"]))
def test_every_value_however_deep_is_held_to_its_type(table: Table, body: dict[str, Any]) -> None:
    before = table.state()["etag"]
    for pointer in places(body):
        for value in WRONG[type(at(body, pointer))]:
            if pointer in FREE and value in (b"true", b"[]", b'"2"'):
                continue
            if value in ANY_WORDS and pointer.endswith(("/text", "/label", "/param", "/from", "/to")):
                continue
            problem = send(table, put(body, pointer, value))
            assert problem.status_code == 422, (pointer, value, problem.data)
            named = [error["pointer"] for error in problem.json["errors"]]
            assert any(place.startswith(pointer) or pointer.startswith(place) for place in named), (pointer, named)
    assert table.state()["etag"] == before


@pytest.mark.parametrize("body", BODIES, ids=lambda body: str(body["action"]))
def test_an_unknown_field_is_named_however_deep(table: Table, body: dict[str, Any]) -> None:
    for pointer in ["", *places(body)]:
        inner = at(body, pointer) if pointer else body
        if isinstance(inner, dict) and pointer not in ("/fee", "/enron"):
            raw = put(body, f"{pointer}/a~b", b"1")
            problem = refused(send(table, raw), 422, "invalid_input")
            assert [error["pointer"] for error in problem["errors"]] == [f"{pointer}/a~0b"]


BOUNDS: list[tuple[dict[str, Any], str]] = [
    ({**PROPOSAL, "operations": []}, "/operations"),
    ({**PROPOSAL, "operations": [SET] * 6}, "/operations"),
    ({**PROPOSAL, "operations": [SET] * 65}, "/operations"),
    ({**PROPOSAL, "operations": [{"op": "nosuch"}]}, "/operations/0/op"),
    ({**PROPOSAL, "operations": [{"param": "a", "value": 1}]}, "/operations/0/op"),
    ({**PROPOSAL, "operations": [{"op": "set", "param": "a"}]}, "/operations/0/value"),
    ({**PROPOSAL, "operations": [{**SET, "value": [1] * 7}]}, "/operations/0/value"),
    ({**PROPOSAL, "operations": [{**SET, "param": "a" * 81}]}, "/operations/0/param"),
    ({**PROPOSAL, "operations": [{**CAP, "for": {"u": ["nosuch"]}}]}, "/operations/0/for/u/0"),
    ({**PROPOSAL, "operations": [{**CAP, "for": {"u": ["enron"] * 4}}]}, "/operations/0/for/u"),
    ({**PROPOSAL, "operations": [{**TAX, "trigger": "nosuch"}]}, "/operations/0/trigger"),
    ({**PROPOSAL, "operations": [{**TAX, "amount": {"pct": 5, "of": "luck"}}]}, "/operations/0/amount/of"),
    ({**PROPOSAL, "operations": [{"op": "motion", "motion": "dance"}]}, "/operations/0/motion"),
    ({**PACT, "party": 9}, "/party"),
    ({**PACT, "payments": PACT["payments"] * 6}, "/payments"),
    ({**PACT, "payments": [{**PACT["payments"][0], "payer": 0}]}, "/payments/0/payer"),
    ({**PACT, "payments": [{**PACT["payments"][0], "amount": 0}]}, "/payments/0/amount"),
    ({**PACT, "payments": [{**PACT["payments"][0], "times": 51}]}, "/payments/0/times"),
    ({"action": "sell_title", "prompt": "p1", "square": 40, "buyer": 2, "price": 100}, "/square"),
    ({"action": "sell_title", "prompt": "p1", "square": -1, "buyer": 2, "price": 100}, "/square"),
    ({"action": "sell_title", "prompt": "p1", "square": 5, "buyer": 9, "price": 100}, "/buyer"),
    ({"action": "sell_title", "prompt": "p1", "square": 5, "buyer": 2, "price": 0}, "/price"),
    ({"action": "request_loan", "prompt": "p1", "lender": 2, "principal": 1, "term": 51}, "/term"),
    ({"action": "set_rate", "prompt": "p1", "name": "gas.payday", "rate": 1}, "/name"),
    ({"action": "set_rate", "prompt": "p1", "name": "enron.payday\n", "rate": 1}, "/name"),
    ({"action": "set_rate", "prompt": "p1", "name": "enron.payday", "rate": 10_001}, "/rate"),
    ({"action": "withdraw_troops", "prompt": "p1", "players": []}, "/players"),
    ({"action": "withdraw_troops", "prompt": "p1", "players": [9]}, "/players/0"),
    ({"action": "declare_care", "prompt": "p1", "fee": 5001}, "/fee"),
    ({"action": "declare_care", "prompt": "p1", "fee": {}}, "/fee"),
    ({"action": "declare_care", "prompt": "p1", "fee": {"king": 5}}, "/fee"),
    ({"action": "give_speech", "prompt": "p1", "promises": ["peace"]}, "/promises/0"),
    ({"action": "pay", "to": 9, "amount": 1}, "/to"),
    ({"action": "pay", "to": 1, "amount": 1, "cites": "r1; x"}, "/cites"),
    ({"action": "cast_ballot", "prompt": "p1", "ballot": "maybe"}, "/ballot"),
]


def test_what_no_game_allows_is_refused_by_name(table: Table) -> None:
    before = table.state()["etag"]
    for body, pointer in BOUNDS:
        problem = refused(send(table, json.dumps(body).encode()), 422, "invalid_input")
        assert [error["pointer"] for error in problem["errors"]] == [pointer], body
    deep = json.dumps({**PROPOSAL, "operations": [{**SET, "value": json.loads("[" * 40 + "]" * 40)}]}).encode()
    refused(send(table, deep), 400, "malformed_json")
    refused(send(table, put(PROPOSAL, "/operations/3/text", b'"' + b"a" * 65_536 + b'"')), 413, "body_too_large")
    assert table.state()["etag"] == before


RULES: list[tuple[dict[str, Any], str, str]] = [
    ({**SET, "param": "property.nosuch"}, "unknown_param", "param"),
    ({**SET, "param": "seat:2.rent"}, "named_player", "param"),
    ({**SET, "value": 501}, "out_of_bounds", "value"),
    ({**SET, "value": 2**53 - 1}, "out_of_bounds", "value"),
    ({**SET, "value": "90"}, "wrong_type", "value"),
    ({**SET, "value": True}, "wrong_type", "value"),
    ({**SET, "value": None}, "wrong_type", "value"),
    ({**SET, "value": []}, "wrong_type", "value"),
    ({**CAP, "for": {"u": ["enron"]}}, "wrong_places", "for/r"),
    ({**SET, "for": {"u": ["enron"]}}, "wrong_places", "for/u"),
    ({"op": "enable", "rule": "property.rent_pct"}, "wrong_type", "rule"),
    ({"op": "disable", "rule": "nosuch"}, "unknown_param", "rule"),
    ({"op": "repeal", "rule_id": "r1"}, "unknown_rule", "rule_id"),
    ({**TAX, "to": "seat:2"}, "named_player", "to"),
    ({**TAX, "to": "role:king"}, "unknown_party", "to"),
    ({**TAX, "from": "holder:gas"}, "unknown_party", "from"),
    ({**TAX, "from": "bank", "to": "bank"}, "both_bank", "to"),
    ({**TAX, "trigger": "round_end"}, "no_actor", "from"),
    ({**TAX, "amount": {"fixed": 1, "pct": 5}}, "wrong_amount", "amount"),
    ({**TAX, "amount": {"fixed": 10_001}}, "out_of_bounds", "amount/fixed"),
    ({**TAX, "amount": {"pct": 5, "of": "last_payment"}}, "no_last_payment", "amount/of"),
    ({**TAX, "where": {}}, "empty_where", "where"),
    ({**TAX, "where": {"cash_at_least": -1}}, "out_of_bounds", "where/cash_at_least"),
]


def test_what_the_rules_refuse_in_a_proposal_is_pointed_at(table: Table) -> None:
    """The turn is not spent: whatever was wrong, a good one can still be made."""
    before = table.state()["etag"]
    for operation, code, place in RULES:
        problem = refused(table.propose({"op": "add_text", "text": "x"}, operation), 409, code)
        assert [error["pointer"] for error in problem["errors"]] == [f"/operations/1/{place}"], operation
    assert table.state()["etag"] == before
    assert table.asked("turn_start")


def test_what_the_rules_refuse_in_a_deal_is_pointed_at(table: Table) -> None:
    before = table.state()
    ((seat, prompt),) = table.asked("turn_start")
    other, third = seat % 3 + 1, (seat + 1) % 3 + 1
    pay = {"payer": seat, "payee": other, "amount": 5, "when": "own_turn"}
    pact = {"action": "propose_agreement", "prompt": prompt, "party": other}
    sale = {"action": "sell_title", "prompt": prompt, "square": 5, "buyer": other, "price": 9}
    for body, code, pointer in (
        ({**pact, "party": seat, "text": "x"}, "not_with_oneself", []),
        ({**pact, "party": 8, "text": "x"}, "not_in_game", ["/party"]),
        ({**pact, "payments": [{**pay, "payee": third}]}, "not_between_two", ["/payments"]),
        ({**pact, "payments": [{**pay, "when": "payday", "every": 2}]}, "each_payday", ["/payments"]),
        ({**sale, "square": 0}, "not_the_holder", ["/square"]),
        ({**sale, "buyer": 8}, "not_in_game", ["/buyer"]),
        ({**sale, "buyer": 0}, "bank_is_automatic", ["/buyer"]),
        ({"action": "accept_offer", "offer": 7}, "no_offer", []),
        ({"action": "pay", "to": 8, "amount": 1}, "out_of_bounds", ["/to"]),
    ):
        problem = refused(table.act(seat, body), 409, code)
        assert [error["pointer"] for error in problem.get("errors", [])] == pointer, body
    assert table.state() == before


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_json_in_any_place_is_a_fault_of_ours(table: Table, data: st.DataObject) -> None:
    """Whatever stands in whichever place, the answer is one that the document promises, and never 5xx."""
    body = data.draw(st.sampled_from(BODIES))
    pointer = data.draw(st.sampled_from(places(body)))
    value = json.dumps(data.draw(JSON)).encode()
    answer = send(table, put(body, pointer, value))
    assert answer.status_code < 500, answer.data


def test_an_open_action_of_every_kind_is_ready_to_send_and_described(api: Api) -> None:
    """On the way through a game each offered body fits its own schema and is taken as it stands."""
    table = started(api, seats=3, options={"assignment": "choose", "jail.bail": 50})
    seen = set()
    for _ in range(15):
        for seat in table.seats:
            for action in table.menu(seat)["open"]:
                seen.add(action["name"])
                api.document.validator(action["schema"]).validate(action["body"])
                extra = {**action["body"], "nosuch": 1}
                assert not api.document.validator(action["schema"]).is_valid(extra)
                ok(api.post(f"{table.path}/actions?dry_run=true", action["body"], token=table.seats[seat]))
        table.step()
    assert {"choose_role", "draw_role", "roll", "propose", "sell_title", "set_rate", "request_loan"} <= seen
