"""What can be played, and what can happen."""

import inspect
from functools import cache
from typing import Any, Literal

import msgspec
from flask import Response, request

from events import codec
from events.catalogue import TYPES, schema_number
from events.examples.events import EXAMPLES, envelope
from service.api.http.answers import JSON, reply
from service.api.http.resource import Resource
from service.api.schemas import catalogue as schemas
from service.queries import boards
from service.rules import versions
from service.rules.bounds import OrNone
from service.rules.lobby import LEAST_SEATS
from service.rules.options import OptionSet, preset
from service.rules.rulebooks import RULES
from service.rules.social_justice.catalogue import PARAMETERS

FOR_EVER = "public, max-age=31536000, immutable"

catalogue = Resource("catalogue", "What can be played, and every type of event.")


@catalogue.operation("GET", "/rulebooks", schemas.RulebookListAnswer)
def list_rulebooks(_query: dict[str, Any]) -> Response:
    """List the rulebooks with their options, presets, seats, boards and decks."""
    return reply({"rulebooks": [_rulebook(name) for name in RULES]})


@catalogue.operation(
    "GET",
    "/boards/<data:name>",
    schemas.ANY_BOARD,
    query=schemas.DataQuery,
    cached=True,
    refuses=("no_such_board",),
)
def get_board(query: dict[str, Any], name: str) -> Response:
    """Show a board: the names, prices and rents of its squares or blocks.

    What a game pins in `pins` never changes: `SHA-256` of the answer is that of the pin, and with `version` it may be
    kept for ever. Where a property is missing, it is 0 or empty.
    """
    return _published("board", name, query)


@catalogue.operation(
    "GET",
    "/decks/<data:name>",
    schemas.ANY_DECK,
    query=schemas.DataQuery,
    cached=True,
    refuses=("no_such_board",),
)
def get_deck(query: dict[str, Any], name: str) -> Response:
    """Show a deck: the texts of its cards, what they do, and how many there are of each.

    What a game pins in `pins` never changes: `SHA-256` of the answer is that of the pin, and with `version` it may be
    kept for ever. Where a property is missing, it is 0 or empty.
    """
    return _published("deck", name, query)


def _published(kind: Literal["board", "deck"], name: str, query: dict[str, Any]) -> Response:
    pin, content = boards.published(kind, name, query.get("version"))
    response = Response(content, content_type=JSON)
    response.set_etag(pin.sha256)
    response.headers["Cache-Control"] = FOR_EVER if "version" in query else "public, no-cache"
    response.make_conditional(request)
    return response


@catalogue.operation("GET", "/events/schema", schemas.EventTypesAnswer)
def list_event_types(_query: dict[str, Any]) -> Response:
    """List every type of event with its JSON Schema and an example.

    An example is a whole entry of a stream.
    """
    return reply({"types": _types()})


@cache
def _rulebook(name: str) -> dict[str, Any]:
    rules = RULES[name]
    return {
        "rulebook": rules.rulebook,
        "title": rules.title,
        "rules": versions.NEWEST,
        "supported": sorted(versions.SUPPORTED),
        "seats": {"least": LEAST_SEATS, "most": rules.places},
        "options": [_option(rules.options, name) for name in sorted(rules.options.known)],
        "pins": rules.pins(),
        "presets": [{"name": name, "options": preset(name, rules.options)} for name in rules.options.presets],
    }


def _option(options: OptionSet, name: str) -> dict[str, Any]:
    """Describe an option; one that is not always there is the starting value of what can be voted on."""
    default, bound = options.known[name]
    always = name in options.always
    about = "" if always else f"Where play begins; a vote may change it. Obeyed by: {PARAMETERS[name].reads}. "
    return {
        "name": name,
        "default": default,
        "always": always,
        "schema": bound.schema() if isinstance(bound, OrNone) else {**_type_of(default), **bound.schema()},
        "about": f"{about}Must be {bound.words()}.",
    }


def _type_of(default: object) -> dict[str, str]:
    """Return the JSON type of a scalar; that of a list is in its bound."""
    if isinstance(default, bool):
        return {"type": "boolean"}
    kinds = {int: "integer", str: "string"}
    return {"type": kinds[type(default)]} if type(default) in kinds else {}


@cache
def _types() -> list[dict[str, Any]]:
    return [
        {
            "type": name,
            "schema": schema_number(kind),
            "about": (inspect.getdoc(kind) or "").partition("\n")[0],
            "json_schema": msgspec.json.schema(kind),
            "example": msgspec.Raw(codec.encode(envelope(EXAMPLES[name]))),
        }
        for name, kind in sorted(TYPES.items())
    ]
