"""Hostile input on every route that takes a body, taken from the document, so that a new route is covered by itself."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from tests.api.checked import Api, refused
from tests.api.tables import Table, seated, started

DEEP = b"[" * 65_536
NAMES = ("create_game", "fork_game", "set_options", "take_seat", "mark_ready", "hand_over", "act")
"""The routes that need a body."""
FLAG = {"public_assistance": "bump", "social_justice": "payday.enabled"}
LOAN = {
    "public_assistance": {"action": "borrow", "prompt": "p1", "amount": 1000},
    "social_justice": {"action": "borrow_from_bank", "prompt": "p1", "principal": 1000},
}
AMOUNT = {"public_assistance": "amount", "social_justice": "principal"}


def valid(rulebook: str) -> dict[str, Any]:
    """A body of each route, as deep as it goes but for nested actions; every value in it is attacked."""
    return {
        "create_game": {"rulebook": rulebook, "options": {"turn_seconds": 3}, "places": 3, "private": False},
        "fork_game": {"step": 1, "same_chance": False},
        "set_options": {"options": {"turn_seconds": 3, FLAG[rulebook]: True}},
        "take_seat": {"name": "Eve"},
        "hand_over": {"level": "random"},
        "mark_ready": {"edition": 1, "nonce": "00" * 32},
        "act": LOAN[rulebook],
    }


@dataclass
class Target:
    """A route that takes a body, and where to send it so that nothing else is in the way."""

    api: Api
    table: Table

    def send(self, name: str, data: bytes | None, *, content_type: str | None = "application/json") -> TestResponse:
        (method, template), _ = next(
            (place, doc) for place, doc in self.api.document.operations.items() if doc["operationId"] == name
        )
        path = template.replace("{game}", self.table.game).replace("{seat}", "1").replace("{digest}", "00" * 32)
        token = {"take_seat": self.table.join, "mark_ready": self.table.seats[1], "act": self.table.seats[1]}
        headers = {"Content-Type": content_type} if content_type else {}
        return self.api.call(
            method.upper(), path, token=token.get(name, self.table.host), data=data or b"", headers=headers
        )


@pytest.fixture(scope="module")
def target(api: Api) -> Target:
    return Target(api, seated(api))


@pytest.fixture(scope="module")
def names(api: Api) -> list[str]:
    return [doc["operationId"] for doc in api.document.operations.values() if "requestBody" in doc]


@pytest.fixture(scope="module")
def required(api: Api) -> list[str]:
    """The routes that need a body."""
    found = [
        doc["operationId"] for doc in api.document.operations.values() if doc.get("requestBody", {}).get("required")
    ]
    assert set(found) == set(NAMES), "a new route needs a valid body here"
    return found


def test_the_bodies_that_are_attacked_are_good_ones(api: Api, required: list[str]) -> None:
    """Otherwise every refusal below could be for another reason."""
    for name in required:
        answer = Target(api, seated(api)).send(name, json.dumps(valid(api.rulebook)[name]).encode())
        assert answer.status_code in (200, 201, 409), (name, answer.data)


def untouched(target: Target) -> Any:
    """What must be the same after a refusal."""
    return target.table.state()["etag"]


MALFORMED = {
    "truncated": (b'{"rulebook": ', 400, "malformed_json"),
    "text": (b"hello", 400, "malformed_json"),
    "deep": (DEEP, 400, "malformed_json"),
    "deep objects": (b'{"a":' * 10_000, 400, "malformed_json"),
    "deep and closed": (b"[" * 33 + b"]" * 33, 400, "malformed_json"),
    "two values": (b"{} {}", 400, "malformed_json"),
    "single quotes": (b"{'a': 1}", 400, "malformed_json"),
    "trailing comma": (b'{"a": 1,}', 400, "malformed_json"),
    "byte order mark": (b"\xef\xbb\xbf{}", 400, "malformed_json"),
    "utf-16": ('{"a": 1}'.encode("utf-16"), 400, "malformed_json"),
    "no utf-8": (b'{"name": "\xff"}', 400, "malformed_json"),
    "overlong utf-8": (b'{"name": "\xc0\xaf"}', 400, "malformed_json"),
    "raw control character": (b'{"name": "a\x00b"}', 400, "malformed_json"),
    "leading zero": (b'{"edition": 01}', 400, "malformed_json"),
    "5,000 digits": (b'{"edition": ' + b"9" * 5000 + b"}", 422, "invalid_input"),
    "duplicate": (b'{"name": "a", "name": "a"}', 422, "invalid_input"),
    "nested duplicate": (b'{"options": {"a": 1, "a": 2}}', 422, "invalid_input"),
    "lone surrogate": (b'{"name": "\\ud800"}', 422, "invalid_input"),
    "lone surrogate key": (b'{"\\udfff": 1}', 422, "invalid_input"),
    "NaN": (b'{"edition": NaN}', 422, "invalid_input"),
    "infinity": (b'{"edition": -Infinity}', 422, "invalid_input"),
    "list": (b"[]", 422, "invalid_input"),
    "null": (b"null", 422, "invalid_input"),
    "number": (b"1", 422, "invalid_input"),
    "string": (b'"{}"', 422, "invalid_input"),
    "unknown field": (b'{"no_such_field": 1}', 422, "invalid_input"),
    "prototype": (b'{"__proto__": {"a": 1}, "constructor": 1}', 422, "invalid_input"),
    "too large": (b'{"name": "' + b"a" * 65_536 + b'"}', 413, "body_too_large"),
}


@pytest.mark.parametrize(("raw", "status", "code"), MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_proper_json_object_is_refused_everywhere(
    target: Target, names: list[str], raw: bytes, status: int, code: str
) -> None:
    before = untouched(target)
    for name in names:
        problem = refused(target.send(name, raw), status, code)
        if status in (400, 422):
            assert problem["errors"], name
            assert all("pointer" in error for error in problem["errors"])
    assert untouched(target) == before


OTHER_TYPES = [
    *(None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "json", "\x00"),
    *("application/json; charset=latin-1", "application/jsonp", "application/problem+json"),
]


@pytest.mark.parametrize("content_type", OTHER_TYPES)
def test_another_content_type_is_415_and_never_an_empty_body(
    target: Target, names: list[str], content_type: str | None
) -> None:
    before = untouched(target)
    for name in names:
        raw = json.dumps(valid(target.api.rulebook).get(name, {})).encode()
        refused(target.send(name, raw, content_type=content_type), 415, "unsupported_media_type")
    assert untouched(target) == before


@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON; charset=UTF-8", None])
def test_an_empty_body_is_not_taken_for_an_object(
    target: Target, required: list[str], content_type: str | None
) -> None:
    for name in required:
        refused(target.send(name, b"", content_type=content_type), 400, "body_required")


def test_compressed_bodies_are_415(api: Api) -> None:
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    refused(api.post("/v1/games", headers=headers, data=b"\x1f\x8b"), 415, "unsupported_media_type")


def places(value: Any, pointer: str = "") -> list[str]:
    """Every place in a body below its root."""
    found = []
    for key, inner in value.items() if isinstance(value, dict) else []:
        found += [f"{pointer}/{key}", *places(inner, f"{pointer}/{key}")]
    return found


def put(body: Any, pointer: str, value: bytes) -> bytes:
    """Write a body with raw JSON at one place."""
    copy = json.loads(json.dumps(body))
    *above, last = pointer[1:].split("/")
    inner = copy
    for key in above:
        inner = inner[key]
    inner[last] = "\x01"
    return json.dumps(copy).encode().replace(json.dumps("\x01").encode(), value)


NUMBERS = [b"2.5", b"1e3", b"-0.0", b"1E400", b"9007199254740992", b"9223372036854775808", b"-9007199254740992"]
WRONG: dict[type, list[bytes]] = {
    int: [b'"2"', b"true", b"null", b"[]", b"{}", '"１２"'.encode(), b'"1_000"', b"-1", *NUMBERS],
    bool: [b'"true"', b"1", b"0", b"null", b'"yes"', b"[]", *NUMBERS],
    str: [b"1", b"true", b"null", b"[]", b"{}", b'"\\u0000"', b'"' + b"a" * 500 + b'"', *NUMBERS],
    dict: [b"1", b"true", b"null", b"[]", b'"a"', b'{"a": {}}', b'{"a": [1]}', *NUMBERS],
}


def at(body: Any, pointer: str) -> Any:
    for key in pointer[1:].split("/"):
        body = body[key]
    return body


@pytest.mark.parametrize("name", NAMES)
def test_every_value_is_held_to_its_type(target: Target, required: list[str], name: str) -> None:
    """Each value of each body, replaced by each wrong one: a refusal that names the place."""
    assert name in required
    body, before = valid(target.api.rulebook)[name], untouched(target)
    for pointer in places(body):
        for value in WRONG[type(at(body, pointer))]:
            if name == "set_options" and value == b'{"a": {}}':
                continue
            problem = target.send(name, put(body, pointer, value))
            assert problem.status_code == 422, (pointer, value, problem.data)
            assert problem.json is not None
            named = [error["pointer"] for error in problem.json["errors"]]
            assert any(place.startswith(pointer) or pointer.startswith(place) for place in named), (pointer, value)
    assert untouched(target) == before


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_or_unknown_field_is_named(target: Target, name: str) -> None:
    good, before = valid(target.api.rulebook)[name], untouched(target)
    problem = refused(target.send(name, json.dumps({**good, "a/b~c": 1}).encode()), 422, "invalid_input")
    assert [error["pointer"] for error in problem["errors"]] == ["/a~1b~0c"]
    schemas = target.api.document.raw["components"]["schemas"]
    needed = {"act": list(good)}.get(name) or next(
        schemas[doc["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]].get(
            "required", []
        )
        for doc in target.api.document.operations.values()
        if doc["operationId"] == name
    )
    for field in needed:
        body = {key: value for key, value in good.items() if key != field}
        problem = refused(target.send(name, json.dumps(body).encode()), 422, "invalid_input")
        assert [error["pointer"] for error in problem["errors"]] == [f"/{field}"]
    assert untouched(target) == before


def test_several_bad_fields_are_all_named(target: Target) -> None:
    body = {"action": "bet_horses", "horse": 99, "stake": "5", "extra": 1}
    problem = refused(target.send("act", json.dumps(body).encode()), 422, "invalid_input")
    assert {error["pointer"] for error in problem["errors"]} == {"/horse", "/stake", "/extra", "/prompt"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = sorted(
    {key for book in LOAN for body in valid(book).values() for key in body}
    | {"secret", "preset", "nonce_commitment", "stake"}
)
BODIES = st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=BODIES | JSON, name=st.sampled_from(sorted(NAMES)))
def test_no_json_at_all_is_a_fault_of_ours(target: Target, body: Any, name: str) -> None:
    """Whatever JSON is sent, the answer is one that the document promises, and never 5xx."""
    answer = target.send(name, json.dumps(body).encode())
    assert answer.status_code < 500, answer.data


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=60), name=st.sampled_from(sorted(NAMES)))
def test_no_bytes_at_all_are_a_fault_of_ours(target: Target, raw: bytes, name: str) -> None:
    assert 400 <= target.send(name, raw).status_code < 500


def test_an_amount_is_a_whole_number_and_nothing_else(api: Api) -> None:
    """In a running game too: the amount is refused before the rules are asked."""
    table = started(api)
    seat, before = table.active(), table.version
    prompt = table.body()["prompt"]
    for value in WRONG[int]:
        raw = put({**LOAN[api.rulebook], "prompt": prompt}, f"/{AMOUNT[api.rulebook]}", value)
        answer = api.post(f"{table.path}/actions", token=table.seats[seat], data=raw, content_type="application/json")
        problem = refused(answer, 422, "invalid_input")
        assert [error["pointer"] for error in problem["errors"]] == [f"/{AMOUNT[api.rulebook]}"]
    assert table.version == before
