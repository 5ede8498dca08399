"""Queries, headers, paths and methods: what is not understood is refused by name, and nothing is a fault of ours."""

from typing import Any

import pytest

from tests.api.checked import Api, ok, refused
from tests.api.conftest import ORIGIN
from tests.api.tables import Table, seated, started

WHOLE = ["１", "+1", "1_0", "-1", "1.0", "1e3", "0x1", "01", " 1", "1 ", "", "a", "%00", "9007199254740992", "9" * 500]

NEEDED = {"account": "custodian", "format": "json", "games": "none"}


def needed(operation: Any) -> dict[str, str]:
    """What a query of this operation must hold."""
    return {
        p["name"]: NEEDED[p["name"]] for p in operation.get("parameters", []) if p["required"] and p["in"] == "query"
    }


def path_of(template: str, table: Table) -> str:
    """A path of the document, in a game."""
    named = {"game": table.game, "seat": "1", "number": "1", "job": "audit_game-none", "digest": "0" * 64}
    board = "social_justice_change" if "/decks/" in template else "social_justice_board"
    return template.format(**named, name=board)


@pytest.fixture(scope="module")
def table(api: Api) -> Table:
    return started(api)


@pytest.mark.parametrize("value", WHOLE)
def test_a_number_in_a_query_is_plain_digits(api: Api, table: Table, value: str) -> None:
    """On every route and every whole-number parameter of the document."""
    asked = 0
    for (method, template), operation in api.document.operations.items():
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "query" and parameter["schema"].get("type") == "integer":
                path = path_of(template, table)
                body = table.body() if method == "post" else None
                query = {**needed(operation), parameter["name"]: "\x00" if value == "%00" else value}
                token = table.seats[1]
                problem = refused(
                    api.call(method.upper(), path, body, token=token, query_string=query), 422, "invalid_input"
                )
                assert [error["query"] for error in problem["errors"]] == [parameter["name"]]
                asked += 1
    assert asked >= 8


def test_unknown_and_repeated_query_keys_are_refused_everywhere(api: Api, table: Table) -> None:
    for method, template in api.document.operations:
        path = path_of(template, table)
        operation = api.document.operations[method, template]
        bodies: dict[str, Any] = {
            "create_game": {"rulebook": "public_assistance"},
            "set_options": {"options": {}},
            "take_seat": {},
            "hand_over": {"level": "sensible"},
            "fork_game": {"step": 1},
            "mark_ready": {"edition": 1},
            "act": {"action": "roll", "prompt": "p1"},
        }
        body = bodies.get(operation["operationId"])
        rest = "".join(f"&{name}={value}" for name, value in needed(operation).items())
        for query, key in (("?nosuch=1", "nosuch"), ("?a=1&a=1", "a")):
            problem = refused(api.call(method.upper(), path + query + rest, body), 422, "invalid_input")
            assert [error["query"] for error in problem["errors"]] == [key]
    for known in ("at=1&at=1", "at=1&at=2"):
        problem = refused(api.get(f"{table.path}?{known}"), 422, "invalid_input")
        assert problem["errors"][0]["query"] == "at"


@pytest.mark.parametrize("value", ["1", "TRUE", "yes", "", "0"])
def test_a_flag_in_a_query_is_true_or_false(api: Api, table: Table, value: str) -> None:
    answer = api.post(f"{table.path}/actions?dry_run={value}", table.body(), token=table.seats[1])
    refused(answer, 422, "invalid_input")


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games/" + "a" * 41,
        "/v1/games/" + "a" * 5000,
        "/v1/games/ABC",
        "/v1/games/a%00b",
        "/v1/games/a%0A",
        "/v1/games/%7Ba%7D",
        "/v1/games/%ff%fe",
        "/v1/games/é",
        "/v1/games/..%2f..%2fetc",
        "/v1/games/",
        "/v1//games",
        "//v1/games",
        "/v1/games/{game}/",
        "/v1/games/{game}/seats/0/token",
        "/v1/games/{game}/seats/9/token",
        "/v1/games/{game}/seats/１/token",
        "/v1/games/{game}/steps/0",
        "/v1/games/{game}/steps/01",
        "/v1/games/{game}/steps/-1",
        "/v1/games/{game}/steps/1%0A",
        "/v1/games/{game}/steps/" + "9" * 5000,
        "/v2/games",
        "/openapi.yaml",
        "/static/x",
    ],
)
def test_a_path_that_is_none_is_a_plain_404(api: Api, table: Table, path: str) -> None:
    for method in ("GET", "POST"):
        refused(api.call(method, path.replace("{game}", table.game)), 404, "not_found")


def test_ids_that_nobody_has_are_404_and_make_nothing(api: Api, table: Table) -> None:
    """H18: asking for a game does not create it."""
    for path in ("/v1/games/nosuchgame", "/v1/games/nosuchgame/events", "/v1/games/" + "z" * 40):
        refused(api.get(path), 404, "no_such_game")
        refused(api.get(path), 404, "no_such_game")
    refused(api.get(f"{table.path}?at=999999"), 404, "no_such_version")
    refused(api.get(f"{table.path}/steps/999999"), 404, "no_such_version")
    refused(api.get(f"{table.path}/ledger/trial-balance?at=999999"), 404, "no_such_version")
    for token in (table.host, table.seats[1], table.watch):  # for any caller: there is nothing to be forbidden
        refused(api.post(f"{table.path}/seats/4/token", token=token), 404, "no_such_seat")
        refused(api.post(f"{table.path}/seats/4/reopen", token=token), 404, "no_such_seat")
        refused(api.call("DELETE", f"{table.path}/seats/4/texts", token=token), 404, "no_such_seat")
        refused(api.call("DELETE", f"{table.path}/seats/4/texts/{'0' * 64}", token=token), 404, "no_such_seat")
        refused(api.call("DELETE", f"{table.path}/seats/4", token=token), 404, "no_such_seat")
        refused(api.call("DELETE", f"{table.path}/seats/4/bot", token=token), 404, "no_such_seat")


def test_methods_that_a_path_does_not_take(api: Api, table: Table) -> None:
    for _, template in api.document.operations:
        path = path_of(template, table)
        for method in ("PATCH", "TRACE"):
            problem = api.call(method, path)
            refused(problem, 405, "method_not_allowed")
            assert "OPTIONS" in problem.headers["Allow"]


def test_head_is_get_without_the_body(api: Api, table: Table) -> None:
    get, head = api.get(table.path), api.call("HEAD", table.path)
    assert (head.status_code, head.data, head.headers["ETag"]) == (200, b"", get.headers["ETag"])
    assert api.call("HEAD", "/v1/games/nosuchgame").status_code == 404


def test_options_says_what_a_path_takes(api: Api, table: Table) -> None:
    answer = api.call("OPTIONS", table.path)
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
    assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize("key", ["", "a" * 201, "schlüssel", "tab\there", "\x7f"])
def test_a_bad_idempotency_key_is_named(api: Api, table: Table, key: str) -> None:
    before = table.version
    for answer in (
        api.post("/v1/games", {"rulebook": "public_assistance"}, headers={"Idempotency-Key": key}),
        api.post(f"{table.path}/actions", table.body(), token=table.seats[1], headers={"Idempotency-Key": key}),
        api.call("DELETE", f"{table.path}/seats/1", token=table.seats[1], headers={"Idempotency-Key": key}),
    ):
        problem = refused(answer, 422, "invalid_input")
        assert problem["errors"][0]["header"] == "Idempotency-Key"
    assert table.version == before


def test_a_short_key_opens_no_game(api: Api, table: Table) -> None:
    """Where no token is needed, the key alone gets the tokens again: one that is easily guessed is refused."""
    new = {"rulebook": api.rulebook}
    for token in (None, table.host):
        for path, body in (("/v1/games", new), (f"{table.path}/forks", {"step": 6})):
            problem = refused(api.post(path, body, token=token, key="1234567890abcde"), 422, "invalid_input")
            assert problem["errors"][0]["header"] == "Idempotency-Key"
            assert api.post(path, body, token=token, key="1234567890abcdef").status_code == 201
    for path in ("/v1/games", "/v1/games/{game}/forks"):
        parameters = api.document.operations["post", path]["parameters"]
        assert next(one for one in parameters if one["name"] == "Idempotency-Key")["schema"]["minLength"] == 16


@pytest.mark.parametrize("value", ["12-abcdef01", '"unclosed', "", '"a" "b"', 'w/"1"', '"a",', "*, *"])
def test_an_if_match_that_is_none_is_400(api: Api, table: Table, value: str) -> None:
    answer = api.post(f"{table.path}/actions", table.body(), token=table.seats[1], headers={"If-Match": value})
    problem = refused(answer, 400, "malformed_header")
    assert problem["errors"][0]["header"] == "If-Match"


@pytest.mark.parametrize(
    "value",
    [
        '"1-00000000"',
        '"x"',
        'W/"{etag}"',
        '"99999999999999999999-aaaaaaaa"',
        f'"{"9" * 5_000}-aaaaaaaa"',
        '"１-aaaaaaaa"',
    ],
)
def test_an_if_match_that_does_not_match_is_412(api: Api, table: Table, value: str) -> None:
    """A weak tag matches nothing (RFC 9110), and a tag that never was gives no events."""
    etag = table.state()["etag"]
    header = value.replace("{etag}", etag).encode().decode("latin-1")
    answer = api.post(f"{table.path}/actions", table.body(), token=table.seats[1], headers={"If-Match": header})
    if not value.isascii():
        refused(answer, 400, "malformed_header")
        return
    problem = refused(answer, 412, "stale")
    assert (problem["etag"], problem["missed"]) == (etag, [])
    assert answer.headers["ETag"] == f'"{etag}"'


def test_an_if_match_may_be_a_list_or_a_star(api: Api) -> None:
    table = started(api)
    for header in ("*", '"1-00000000", "{etag}"', '"{etag}"'):
        value = header.replace("{etag}", table.state()["etag"])
        ok(table.act(table.active(), table.body(), headers={"If-Match": value}))


def test_if_none_match_answers_304_until_something_happens(api: Api) -> None:
    table = started(api)
    etag = api.get(table.path).headers["ETag"]
    for header in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        answer = api.get(table.path, headers={"If-None-Match": header})
        assert (answer.status_code, answer.headers["ETag"]) == (304, etag)
    for header in ("", "nonsense", '"1-00000000"'):
        assert api.get(table.path, headers={"If-None-Match": header}).status_code == 200
    table.step()
    assert api.get(table.path, headers={"If-None-Match": etag}).status_code == 200


@pytest.mark.parametrize("scheme", ["Basic YTpi", "Bearer", "Bearer ", "bearer a b", "Token x", ""])
def test_what_is_no_bearer_token_is_a_wrong_one(api: Api, table: Table, scheme: str) -> None:
    refused(api.get(table.path, headers={"Authorization": scheme}), 401, "unauthorized")


def test_the_scheme_is_read_without_case(api: Api, table: Table) -> None:
    for scheme in ("bearer", "BEARER", "Bearer  "):
        assert api.get(table.path, headers={"Authorization": f"{scheme} {table.host}"}).status_code == 200


NAMES = {
    "": 422,
    " ": 422,
    "a" * 81: 422,
    "a\nb": 422,
    "a\x00b": 422,
    "a\u202eb": 422,
    "a\x1b[31mb": 422,
    "a\u2028b": 422,
}
GOOD = ["A", "a" * 80, "Ünïcödé", "名前", "👩\u200d👧", "<b>&amp;</b>", "${jndi:x}", "'; DROP TABLE"]


def test_names_are_1_to_80_characters_without_control_characters(api: Api) -> None:
    table = seated(api, seats=0)
    for name, status in NAMES.items():
        problem = refused(api.post(f"{table.path}/seats", {"name": name}, token=table.join), status, "invalid_input")
        assert problem["errors"][0]["pointer"] == "/name"
    assert table.version == 1
    for name in GOOD:
        seat = ok(api.post(f"{table.path}/seats", {"name": name}, token=table.join))
        assert table.state()["names"] == {str(seat["seat"]): name}
        ok(api.call("DELETE", f"{table.path}/seats/{seat['seat']}", token=seat["token"]))


def test_pages_of_allowed_origins_may_call(api: Api, table: Table) -> None:
    answer = api.get(table.path, headers={"Origin": ORIGIN})
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert {"ETag", "Idempotency-Hit"} <= set(answer.headers["Access-Control-Expose-Headers"].split(", "))
    assert "Origin" in answer.headers["Vary"]
    asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
    preflight = api.call("OPTIONS", f"{table.path}/actions", headers=asked)
    assert preflight.status_code == 200
    assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
    assert {"Idempotency-Key", "Last-Event-ID"} <= set(preflight.headers["Access-Control-Allow-Headers"].split(", "))
    problem = api.get("/v1/games/nosuchgame", headers={"Origin": ORIGIN})
    assert problem.headers["Access-Control-Allow-Origin"] == ORIGIN


@pytest.mark.parametrize("origin", ["https://evil.example", "null", f"{ORIGIN}.evil.example", "http://club.example"])
def test_pages_of_other_origins_may_not(api: Api, table: Table, origin: str) -> None:
    answer = api.get(table.path, headers={"Origin": origin})
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
    assert "Origin" in answer.headers["Vary"]


def test_every_answer_has_the_headers_of_safety_and_no_cookie(api: Api, table: Table) -> None:
    for path in ("/docs", "/openapi.json", "/healthz", "/nosuch", table.path, f"{table.path}/events"):
        headers = api.client.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "Set-Cookie" not in headers
