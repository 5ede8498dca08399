"""The OpenAPI document: what flask-smorest knows, made true and complete.

Added here: the rules' own records as components, the headers of conditions and of repetition, who may call, and every
refusal as `application/problem+json`.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from events.base import Envelope
from events.catalogue import TYPES
from projections.changes import Change
from projections.ledger.chart import LedgerEntry
from projections.rules_in_force import RuleOnRecord, TermOnRecord, VoteOnRecord
from projections.state.base import GameState, Prompt
from projections.state.public_assistance import PublicAssistanceState
from projections.state.social_justice import SocialJusticeState
from service.api.http.action_body import RECORDS
from service.api.http.codes import CODES, RULE
from service.api.http.head import ABOUT, NAME
from service.api.http.problems import MEDIA_TYPE
from service.api.http.resource import Operation, Resource
from service.api.permissions import ALLOWED, EVERYONE, ROLES

REFS = "#/components/schemas/"
STATES: tuple[type[GameState], ...] = (PublicAssistanceState, SocialJusticeState)
METHODS = ("get", "put", "post", "delete")

PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "Problem details (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code"],
    "additionalProperties": False,
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "One sentence for people."},
        "code": {"type": "string", "description": "Stable word for programs; docs/errors.md lists them."},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["detail"],
                "additionalProperties": False,
                "properties": {
                    "detail": {"type": "string"},
                    "pointer": {"type": "string", "description": "JSON pointer into the body."},
                    "query": {"type": "string", "description": "Name of a query parameter."},
                    "header": {"type": "string", "description": "Name of a header."},
                },
            },
        },
        "progress": {
            "type": "object",
            "description": "503 page_not_ready: where the job is, and how many events of how many are done.",
            "required": ["status", "done", "total"],
            "additionalProperties": False,
            "properties": {
                "status": {"type": "string"},
                "done": {"type": "integer"},
                "total": {"type": "integer"},
            },
        },
        "etag": {"type": "string", "description": "412: tag of the current state."},
        "missed": {
            "type": "array",
            "description": "412: what happened since the state that If-Match names, its first 1,000 events at most;"
            " empty when it never was.",
            "items": {"$ref": f"{REFS}Entry"},
        },
    },
}

HEADERS: dict[str, dict[str, Any]] = {
    "Idempotency-Key": {
        "description": "Sent again with it, a request happens once and gets the same answer. Hard to guess: a UUID.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[ -~]+$"},
    },
    "If-Match": {
        "description": "Tag of the state acted on; when the game has moved on, 412 with what was missed.",
        "schema": {"type": "string"},
    },
    "If-None-Match": {"description": "Tag of a state that is known already.", "schema": {"type": "string"}},
}


def complete(document: dict[str, Any], resources: Iterable[Resource]) -> dict[str, Any]:
    """Make flask-smorest's document true and complete; gives the same one."""
    schemas = document["components"]["schemas"]
    named = {name.removesuffix("Answer"): schema for name, schema in schemas.items()}
    document["components"] = {
        "schemas": _renamed({**named, **records(), "Problem": PROBLEM}),
        "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
    }
    operations = {
        (resource.name, name): operation for resource in resources for name, operation in resource.operations.items()
    }
    for path in document["paths"].values():
        for method in METHODS:
            if method in path:
                doc = path[method] = _renamed(path[method])
                endpoint = (doc["tags"][0], doc["operationId"])
                _describe(doc, operations[endpoint], ".".join(endpoint))
    return document


def _renamed(value: Any) -> Any:
    """Call answers by their names without the suffix, in every reference."""
    if isinstance(value, Mapping):
        return {key: inner.removesuffix("Answer") if key == "$ref" else _renamed(inner) for key, inner in value.items()}
    return [_renamed(inner) for inner in value] if isinstance(value, list) else value


def _describe(doc: dict[str, Any], operation: Operation, endpoint: str) -> None:
    """Add to one operation what its decorators do not say."""
    names = ["Idempotency-Key"] if operation.writes or operation.repeats else []
    names += ["If-Match"] if operation.writes and operation.in_game else []
    names += ["If-None-Match"] if operation.cached else []
    headers = [{"name": name, "in": "header", "required": False, **HEADERS[name]} for name in names]
    doc["parameters"] = [*doc.get("parameters", []), *headers]
    if operation.takes_body:
        content = doc["requestBody"]["content"]["application/json"]
        doc["requestBody"]["required"] = content["schema"] != {"$ref": f"{REFS}NoBody"}
        if endpoint == "play.act":
            content["schema"] = {"$ref": f"{REFS}PlayAction"}
    doc["security"] = [{"bearer": []}] if ALLOWED[endpoint] != EVERYONE else [{}, {"bearer": []}]
    who = [role for role in ROLES if role in ALLOWED[endpoint]]
    doc["description"] = "\n\n".join(filter(None, [doc.get("description"), f"For: {', '.join(who)}."]))
    _answers(doc, operation, endpoint)


def _answers(doc: dict[str, Any], operation: Operation, endpoint: str) -> None:
    """Document every answer: success, not modified, and every refusal with its codes."""
    responses = {status: answer for status, answer in doc["responses"].items() if str(status).startswith("2")}
    if operation.cached:
        responses["304"] = {"description": "Not modified"}
    for status, codes in sorted(refusals(operation, endpoint).items()):
        responses[str(status)] = {
            "description": ", ".join([*(["those of the rules"] if status == RULE.status else []), *codes]),
            "content": {MEDIA_TYPE: {"schema": {"$ref": f"{REFS}Problem"}}},
        }
    if operation.in_game:
        for answer in responses.values():
            answer["headers"] = {NAME: {"description": ABOUT, "schema": {"type": "string"}}}
    doc["responses"] = responses


def refusals(operation: Operation, endpoint: str) -> dict[int, list[str]]:
    """List the statuses that a route may refuse with, and the codes of each."""
    codes = ["invalid_input", "internal_error", "store_unavailable", "store_error"]
    if operation.takes_body:
        codes += ["bad_request", "malformed_json", "body_required", "body_too_large", "unsupported_media_type"]
    if operation.in_game:
        codes += ["unauthorized", "no_such_game", "no_such_version", "no_such_seat", "game_frozen", "too_many_watchers"]
    if endpoint in ("ledger.get_statement", "books.explain_balance"):
        codes += ["no_such_account"]
    if operation.in_game and ALLOWED[endpoint] != EVERYONE:
        codes += ["forbidden"]
    if operation.writes:
        codes += ["idempotency_key_reused", "unknown_option", "option_out_of_bounds", "unknown_preset"]
        codes += ["malformed_header", "unsupported_rules", "stale", "store_full", "busy", "game_frozen"]
    codes += [*operation.refuses, *(["malformed_header"] if operation.repeats else [])]
    found: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        found.setdefault(CODES[code].status, []).append(code)
    return found


@cache
def records() -> dict[str, Any]:
    """Make the components that come from typed records: events, states, the ledger, politics, actions."""
    read: list[type[msgspec.Struct]] = [Prompt, Change, LedgerEntry, RuleOnRecord, VoteOnRecord, TermOnRecord]
    ours = [*TYPES.values(), *STATES, *read, *RECORDS.values()]
    # Records of one name in several modules get longer names, so each is asked for by its reference.
    references, components = msgspec.json.schema_components(ours, ref_template=REFS + "{name}")
    named = {kind: reference["$ref"] for kind, reference in zip(ours, references, strict=True)}
    envelope = msgspec.json.schema(Envelope[dict[str, Any]], ref_template=REFS + "{name}")  # type: ignore[type-var] # its data is given below
    (shape,) = envelope["$defs"].values()
    data = _one_of("type", {name: named[kind] for name, kind in TYPES.items()})
    unions = {
        "Event": {
            **shape,
            "title": "Event",
            "description": "An entry of a game's stream, as it is stored.",
            "properties": {**shape["properties"], "data": data},
        },
        "GameState": _one_of("rulebook", {str(kind.__struct_config__.tag): named[kind] for kind in STATES}),
        "PlayAction": {
            "description": "An action of a seat.",
            **_one_of("action", {name: named[record] for name, record in RECORDS.items()}),
        },
    }
    return {**components, **unions}


def _one_of(name: str, references: Mapping[str, str]) -> dict[str, Any]:
    """Give the schema of a union whose members a property tells apart."""
    members = [{"$ref": reference} for reference in references.values()]
    return {"oneOf": members, "discriminator": {"propertyName": name, "mapping": dict(references)}}


def component(_converter: object, field: Any, **_options: Any) -> dict[str, str]:
    """Document a field whose schema is a component."""
    name = getattr(field, "component", None)
    return {"$ref": f"{REFS}{name}"} if name else {}
