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
from service.rules import versions
from service.rules.lobby import LEAST_SEATS
from service.rules.options import preset
from service.rules.rulebooks import RULES

catalogue = Resource("catalogue", "What can be played, and every type of event.")


@catalogue.operation("GET", "/rulebooks", a.RulebooksAnswer)
def list_rulebooks(_query: dict[str, Any]) -> Response:
    """List the rulebooks with their options, presets and seats."""
    return reply({"rulebooks": [_shown(rules.rulebook) for rules in RULES.values()]})


@catalogue.operation("GET", "/events/schema", a.EventTypesAnswer)
def list_event_types(_query: dict[str, Any]) -> Response:
    """List every type of event with its JSON Schema and an example.

    An example is a whole entry of a stream.
    """
    return reply({"types": _types()})


@cache
def _shown(rulebook: str) -> dict[str, Any]:
    rules = RULES[rulebook]
    options = [
        {
            "name": name,
            "default": default,
            "schema": {**_json_type(default), **bound.schema()},
            "about": f"Must be {bound.words()}.",
        }
        for name, (default, bound) in sorted(rules.options.known.items())
    ]
    return {
        "rulebook": rulebook,
        "title": rules.title,
        "rules": versions.NEWEST,
        "supported": sorted(versions.SUPPORTED),
        "seats": {"least": LEAST_SEATS, "most": rules.places},
        "options": options,
        "presets": [{"name": name, "options": preset(name, rules.options)} for name in rules.options.presets],
    }


def _json_type(default: object) -> dict[str, str]:
    """Name the JSON type of an option; what may be null or is a list says so in its bound."""
    if default is None or isinstance(default, list):
        return {}
    if isinstance(default, bool):
        return {"type": "boolean"}
    return {"type": "integer" if isinstance(default, int) else "string"}


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
