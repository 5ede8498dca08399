"""The OpenAPI document as generators of clients need it."""

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from service.api.docs.records import FILES
from tests.api.checked import Api
from tests.api.conftest import application
from tests.golden.record import GAMES, read

REFS = "#/components/schemas/"


@pytest.fixture(scope="module")
def api() -> Api:
    return application()


@pytest.fixture(scope="module")
def schemas(api: Api) -> dict[str, Any]:
    found: dict[str, Any] = api.document.raw["components"]["schemas"]
    return found


def inside(schema: object) -> Iterator[dict[str, Any]]:
    """Yield a schema and all that is in it."""
    if isinstance(schema, dict):
        yield schema
    parts = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    for part in parts:
        yield from inside(part)


def references(schema: object) -> set[str]:
    return {part["$ref"].removeprefix(REFS) for part in inside(schema) if isinstance(part.get("$ref"), str)}


def reached(schemas: dict[str, Any], names: set[str], *, but: frozenset[str] = frozenset()) -> set[str]:
    """Return the names of all components that these lead to."""
    found: set[str] = set()
    while left := names - found - but:
        found |= left
        names = set().union(*(references(schemas[name]) for name in left))
    return found


def words(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def test_a_component_has_the_name_of_its_title(schemas: dict[str, Any]) -> None:
    """Names are the product's own: no modules, no two of one title."""
    assert all(re.fullmatch(r"[A-Z][A-Za-z]+", name) for name in schemas)
    assert {name: shape["title"] for name, shape in schemas.items() if shape.get("title", name) != name} == {}


def test_what_a_generator_names_by_record_and_field_is_no_component(schemas: dict[str, Any]) -> None:
    """An enum or object inside a record gets a name from both, such as `CitizenOut`; no event has it."""
    made = {
        f"{name}{field.title().replace('_', '')}": (name, field)
        for name, shape in schemas.items()
        for field, inner in shape.get("properties", {}).items()
        if {"enum", "additionalProperties", "properties"} & inner.keys() and "title" not in inner
    }
    assert {clash: made[clash] for clash in made.keys() & schemas.keys()} == {}


def test_no_record_has_a_list_or_an_enum_of_its_own_name(schemas: dict[str, Any]) -> None:
    """A generator calls the record and what is in the field alike, and a type checker finds two types for one."""
    alike = {name: schemas[name].get("properties", {}).get(words(name), {}) for name in schemas}
    assert [name for name, field in alike.items() if "enum" in field or field.get("type") == "array"] == []
    assert [name for name, field in alike.items() if "format" in field] == []


def test_every_list_has_one_kind_of_item(schemas: dict[str, Any]) -> None:
    lists = [part for part in inside(schemas) if part.get("type") == "array"]
    assert lists
    assert all(isinstance(part["items"], dict) and "prefixItems" not in part for part in lists)


def test_what_is_always_sent_is_required(api: Api, schemas: dict[str, Any]) -> None:
    """In an answer every field is there, whatever its value; a body may leave out what has a default.

    A page of steps goes on in the direction that was asked for, and names that one alone. Boards and decks are the data
    files, byte for byte.
    """
    answers = {
        name
        for operation in api.document.operations.values()
        for status, answer in operation["responses"].items()
        if status < "3"
        for name in references(answer)
    }
    sent = reached(schemas, answers, but=frozenset({"PlayAction"}))
    assert {"GameState", "Citizen", "AddTransfer", "Menu"} <= sent
    optional = {
        name: shape["properties"].keys() - set(shape["required"])
        for name, shape in schemas.items()
        if name in sent and "properties" in shape
    }
    files = reached(schemas, {kind.__name__ for kind in FILES})
    some = {name: fields for name, fields in optional.items() if fields and name not in files}
    assert some == {"StepList": {"after", "before"}}
    assert "taker" not in schemas["BetHorses"]["required"]
    assert "label" not in schemas["AddTransferBody"]["required"]


def test_a_body_that_is_ready_to_send_is_an_action(schemas: dict[str, Any]) -> None:
    """What the list of actions gives can be sent as it stands, and its type says so."""
    assert schemas["OpenAction"]["properties"]["body"]["$ref"] == f"{REFS}PlayAction"


def test_every_recorded_event_has_all_that_is_required(api: Api) -> None:
    """A stream outlives the code: an event of an earlier release fits the document too."""
    fits = api.document.validator({"$ref": f"{REFS}Event"})
    games = sorted(path.stem for path in GAMES.glob("*.ndjson"))
    for entry in itertools.chain.from_iterable(read(name)[::7] for name in games):
        fits.validate(json.loads(entry.data))
