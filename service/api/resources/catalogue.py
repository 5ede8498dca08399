"""What can be played, and what can happen."""

import inspect
from functools import cache
from typing import Any

import msgspec
from flask import Response

from events import codec
from events.catalogue import TYPES, schema_number
from events.examples import EXAMPLES, envelope
from service.api import answer_schemas as a
from service.api.answers import reply
from service.api.resource import Resource
from service.api.schemas import MOST_PLACES
from service.rules import versions
from service.rules.lobby import LEAST_SEATS
from service.rules.options import PRESETS, PUBLIC_ASSISTANCE, preset

catalogue = Resource("catalogue", "What can be played, and every type of event.")


@catalogue.operation("GET", "/rulebooks", a.RulebooksAnswer)
def list_rulebooks(_query: dict[str, Any]) -> Response:
    """List the rulebooks with their options, presets and seats."""
    return reply({"rulebooks": [_public_assistance()]})


@catalogue.operation("GET", "/events/schema", a.EventTypesAnswer)
def list_event_types(_query: dict[str, Any]) -> Response:
    """List every type of event with its JSON Schema and an example.

    An example is a whole entry of a stream.
    """
    return reply({"types": _types()})


@cache
def _public_assistance() -> dict[str, Any]:
    options = [
        {
            "name": name,
            "default": default,
            "schema": {"type": _json_type(default), **bound.schema()},
            "about": f"Must be {bound.words()}.",
        }
        for name, (default, bound) in sorted(PUBLIC_ASSISTANCE.items())
    ]
    return {
        "rulebook": "public_assistance",
        "title": "Public Assistance",
        "rules": versions.NEWEST,
        "supported": sorted(versions.SUPPORTED),
        "seats": {"least": LEAST_SEATS, "most": MOST_PLACES},
        "options": options,
        "presets": [{"name": name, "options": preset(name)} for name in PRESETS],
    }


def _json_type(default: object) -> str:
    if isinstance(default, bool):
        return "boolean"
    return "integer" if isinstance(default, int) else "string"


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
