"""The OpenAPI document, the reference page, and the lists in docs/."""

import ast
import html
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import openapi_spec_validator
import pytest

from service.api.docs.examples import example_of, request_of
from service.api.http.codes import CODES, look_up, type_of
from service.api.route_roles import ABOUT, ALLOWED, NOTES, ROLES, TOKENLESS
from tests.api.checked import Api, ok
from tests.api.conftest import application
from tests.api.tables import seated

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def api() -> Api:
    """One document tells of both rulebooks."""
    return application()


def test_the_document_is_valid(api: Api) -> None:
    assert api.document.raw["openapi"].startswith("3.1")
    openapi_spec_validator.validate(api.document.raw)


def test_every_route_is_documented(api: Api) -> None:
    """What the application serves under /v1 and what the document says is one set."""
    served = set()
    for rule in api.app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        served |= {(method.lower(), path) for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}}
    assert {(method, path) for method, path in served if path.startswith("/v1")} == set(api.document.operations)


def test_every_refusal_is_documented_as_a_problem(api: Api) -> None:
    for (method, path), operation in api.document.operations.items():
        assert "default" not in operation["responses"]
        refusals = {status for status in operation["responses"] if status >= "4"}
        assert refusals >= {"422", "500", "503"}, (method, path)
        for status in refusals:
            assert list(operation["responses"][status]["content"]) == ["application/problem+json"]


def test_headers_and_names_are_narrowed_where_they_are_known(api: Api) -> None:
    """A tag has its form, a preset is one of those that there are, and what the server itself refuses is listed."""
    schemas, operations = api.document.raw["components"]["schemas"], api.document.operations
    (match,) = (one for one in operations["post", "/v1/games/{game}/start"]["parameters"] if one["name"] == "If-Match")
    fits = api.document.validator(match["schema"]).is_valid
    assert all(map(fits, ('"12-0123abcd"', "*", 'W/"1-a", "2-b"')))
    assert not any(map(fits, ("12-0123abcd", "", '"a" "b"')))
    presets = {preset["name"] for book in ok(api.get("/v1/rulebooks"))["rulebooks"] for preset in book["presets"]}
    assert set(schemas["NewGameBody"]["properties"]["preset"]["enum"]) == presets
    assert all({"414", "431"} <= operation["responses"].keys() for operation in operations.values())


def test_every_body_refuses_what_it_does_not_name(api: Api) -> None:
    schemas = api.document.raw["components"]["schemas"]
    for operation in api.document.operations.values():
        for content in operation.get("requestBody", {}).get("content", {}).values():
            schema = schemas[content["schema"]["$ref"].rsplit("/", 1)[1]]
            for one in schema.get("oneOf", [content["schema"]]):
                assert schemas[one["$ref"].rsplit("/", 1)[1]]["additionalProperties"] is False


def test_an_action_is_one_of_the_records_of_the_rules(api: Api) -> None:
    action = api.document.raw["components"]["schemas"]["PlayAction"]
    assert action["discriminator"]["propertyName"] == "action"
    assert set(action["discriminator"]["mapping"].values()) == {one["$ref"] for one in action["oneOf"]}
    assert "borrow" in action["discriminator"]["mapping"]


def test_the_page_needs_nothing_from_elsewhere(api: Api) -> None:
    response = api.client.get("/docs")
    page = response.text
    assert not re.search(r"<(?:link|img|iframe)|src=|url\(|@import|https?://", page)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    told = b64encode(sha256(script.encode()).digest()).decode()
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith(f"default-src 'none'; script-src 'sha256-{told}';")
    for operation in api.document.operations.values():
        assert f'id="{operation["operationId"]}"' in page
    targets = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= targets
    types = {type_of(code) for code in _codes_of_the_rules() | set(CODES)}
    assert {kind.removeprefix("/docs#") for kind in types} <= targets
    assert len(types) == len(CODES) + 1


def test_the_page_has_a_request_for_each_route_that_fits(api: Api) -> None:
    """What is sent fits the schema of the body, and a command is complete but for what differs from game to game."""
    page, schemas = html.unescape(api.client.get("/docs").text), api.document.raw["components"]["schemas"]
    for (method, path), operation in api.document.operations.items():
        command = request_of(method.upper(), path, operation, schemas)
        assert f"<pre>{command}</pre>" in page
        content = operation.get("requestBody", {}).get("content", {})
        for body in content.values():
            api.document.validator(body["schema"]).validate(example_of(body["schema"], schemas))


def test_the_root_leads_to_the_page(api: Api) -> None:
    response = api.client.get("/")
    assert (response.status_code, response.headers["Location"]) == (302, "/docs")


def test_rulebooks_say_what_a_new_game_may_choose(api: Api) -> None:
    books = {book["rulebook"]: book for book in ok(api.get("/v1/rulebooks"))["rulebooks"]}
    assert {name: book["seats"]["most"] for name, book in books.items()} == {
        "public_assistance": 4,
        "social_justice": 8,
    }
    assert {preset["name"] for preset in books["public_assistance"]["presets"]} == {"pa_standard", "pa_reissue"}
    for name, book in books.items():
        for option in book["options"]:
            api.document.validator(option["schema"]).validate(option["default"])
        for preset in book["presets"]:
            table = seated(api, rulebook=name, preset=preset["name"])
            assert table.state()["state"]["options"] == preset["options"]
            assert {option["name"] for option in book["options"] if option["always"]} <= set(preset["options"])


def test_a_chosen_option_is_what_its_schema_says(api: Api) -> None:
    """Whatever fits the schema of an option is taken, and the reference says so of null and of lists too."""
    books = {book["rulebook"]: book for book in ok(api.get("/v1/rulebooks"))["rulebooks"]}
    for name, option, fit, unfit in (
        ("social_justice", "end.rounds", [1, 200, None], [0, 201, "1"]),
        ("social_justice", "jail.immune_roles", [[], ["owner"], ["owner", "manager"]], [["owner", "owner"], None]),
        ("social_justice", "college.aid_charge", [[0, 10, 20, 30, 40, 50]], [[0] * 5, [101] * 6]),
        ("social_justice", "move.die.owner", [4, 20], [5, None]),
        ("public_assistance", "loan_unit", [200], [199, 201, True]),
    ):
        schema = next(line["schema"] for line in books[name]["options"] if line["name"] == option)
        for value, possible in [(value, True) for value in fit] + [(value, False) for value in unfit]:
            made = api.post("/v1/games", {"rulebook": name, "options": {option: value}})
            told = api.document.validator(schema).is_valid(value)
            assert (told, made.status_code) == (possible, 201 if possible else 422), (option, value)


def test_every_event_type_has_a_schema_that_its_example_fits(api: Api) -> None:
    types = ok(api.get("/v1/events/schema"))["types"]
    assert {kind["type"] for kind in types} >= {"dice_rolled", "card_drawn", "money_moved", "secret_revealed"}
    for kind in types:
        api.document.validator(kind["json_schema"]).validate(kind["example"]["data"])
        assert kind["example"]["data"]["schema"] == kind["schema"]


def _codes_of_the_rules() -> set[str]:
    """Every code that the rules may refuse with, read from their source."""
    found = set()
    for path in (ROOT / "service" / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and _called(node) in {"refuse", "refusal", "Refusal"} and node.args:
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    found.add(str(code.value))
    return found


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _codes_of_the_service() -> set[str]:
    tree = ast.parse((ROOT / "service" / "errors.py").read_text())
    return {
        str(node.value.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and ast.unparse(node.targets[0]) == "code"
        and isinstance(node.value, ast.Constant)
    }


def test_every_code_is_listed_with_its_status() -> None:
    """docs/errors.md and the code hold the same list."""
    listed = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", (ROOT / "docs/errors.md").read_text(), re.MULTILINE))
    used = _codes_of_the_rules() | set(CODES)
    assert listed == {code: str(look_up(code).status) for code in used}
    assert _codes_of_the_service() - {"service_error"} <= set(CODES)


def permission_table() -> str:
    """The table of docs/permissions.md."""
    lines = ["| operation | " + " | ".join(ROLES) + " | |", "|---|" + "---|" * (len(ROLES) + 1)]
    for endpoint, allowed in ALLOWED.items():
        cells = ["yes" if role in allowed else "–" for role in ROLES]
        lines.append(f"| `{endpoint.partition('.')[2]}` | {' | '.join(cells)} | {NOTES.get(endpoint, '')} |")
    return "\n".join(lines)


def test_the_permission_table_is_the_one_in_the_documents(api: Api) -> None:
    """Every route has its row, and docs/permissions.md shows the rows as they are."""
    text = (ROOT / "docs/permissions.md").read_text()
    assert permission_table() in text
    assert all(f"`{role}`" in text and ABOUT[role] in text for role in ROLES)
    assert {rule.endpoint for rule in api.app.url_map.iter_rules()} == set(ALLOWED)


def test_the_document_names_who_may_call(api: Api) -> None:
    for operation in api.document.operations.values():
        endpoint = f"{operation['tags'][0]}.{operation['operationId']}"
        who = [role for role in ROLES if role in ALLOWED[endpoint]]
        assert operation["description"].endswith(f"For: {', '.join(who)}.")
        security: list[Any] = operation.get("security", [{}])
        assert ({} in security) == ("anyone" in who)
        assert ("security" in operation) == (endpoint not in TOKENLESS)
