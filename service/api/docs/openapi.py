"""The OpenAPI document, made from the routes and their schemas.

Beyond what these say: the rules' own records as components, the headers of conditions and of repetition, who may
call, and every refusal as `application/problem+json`.
"""

import inspect
import re
from collections.abc import Collection, Iterable
from http import HTTPStatus
from typing import Any

import marshmallow as ma
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from service.api.docs.records import REFS, records
from service.api.http.codes import CODES, RULE
from service.api.http.converters import CONVERTERS
from service.api.http.edge import HEAD
from service.api.http.problems import MEDIA_TYPE
from service.api.http.resource import Operation, Resource
from service.api.route_roles import ALLOWED, EVERYONE, ROLES, TOKENLESS, Role
from service.api.schemas.base import NoBody
from service.api.schemas.fields import Component
from service.api.schemas.play import ActionBody

ABOUT = (
    "An event-sourced board-game service with an audit log. Every roll, draw, payment and vote is an event on a"
    " stream; anyone can replay a game and check its books and its history."
)
HEAD_ABOUT = "Newest version of the game and its chain link in hex, with a space between: keep it."
METHODS = ("get", "put", "post", "delete")
_PARAMETER, _IN_BRACES = re.compile(r"<(\w+):(\w+)>"), r"{\2}"

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
            "description": "409 page_not_ready: where the job is, and how many events of how many are done.",
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

_TAG = r'(?:W/)?"[\x21\x23-\x7e]*"'
TAGS = rf"^(?:\*|{_TAG}(?:[ \t]*,[ \t]*{_TAG})*)$"

HEADERS: dict[str, dict[str, Any]] = {
    "Idempotency-Key": {
        "description": "Sent again with it, a request happens once and gets the same answer. Hard to guess: a UUID.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[ -~]+$"},
    },
    "If-Match": {
        "description": "Tag of the state acted on; when the game has moved on, 412 with what was missed. No weak one.",
        "schema": {"type": "string", "pattern": TAGS},
        "example": '"12-0123abcd"',
    },
    "If-None-Match": {
        "description": "Tag of a state that is known already; what is no tag is ignored.",
        "schema": {"type": "string"},
    },
}


def document(resources: Iterable[Resource], *, version: str) -> dict[str, Any]:
    """Return the document of these resources."""
    plugin = MarshmallowPlugin(schema_name_resolver=_name_of)
    about = {"description": ABOUT, "license": {"name": "MIT", "identifier": "MIT"}}
    spec = APISpec("Rollbook", version, "3.1.0", [plugin], info=about)
    assert plugin.converter is not None, "the plugin has got its converter from the document"
    plugin.converter.add_attribute_function(_component)  # type: ignore[no-untyped-call] # apispec leaves it untyped
    for resource in resources:
        for name, operation in resource.operations.items():
            spec.path(
                f"{resource.url_prefix}{_PARAMETER.sub(_IN_BRACES, operation.path)}",
                operations={operation.method.lower(): _describe(operation, resource.name, name)},
                parameters=_in_path(operation.path),
            )
        spec.tag({"name": resource.name, "description": resource.about})
    found = spec.to_dict()
    ours = records()
    assert ours.keys().isdisjoint(found["components"]["schemas"]), "every component has a name of its own"
    found["components"] = {
        "schemas": {**found["components"]["schemas"], **ours, "Problem": PROBLEM},
        "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
    }
    return found


def _name_of(schema: type[ma.Schema] | ma.Schema) -> str:
    """Return the component's name of a schema: that of an answer is without the suffix."""
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Answer")


def _component(_converter: object, field: ma.fields.Field[Any], **_options: Any) -> dict[str, str]:
    """Return the schema of a field whose schema is a component."""
    return {"$ref": f"{REFS}{field.component}"} if isinstance(field, Component) else {}


def _in_path(path: str) -> list[dict[str, Any]]:
    """Return the parameters that a path names."""
    return [
        {"in": "path", "name": name, "required": True, "schema": dict(CONVERTERS[kind].schema)}
        for kind, name in _PARAMETER.findall(path)
    ]


def _describe(operation: Operation, tag: str, name: str) -> dict[str, Any]:
    """Return the description of one operation."""
    allowed = ALLOWED[f"{tag}.{name}"]
    summary, *more = (inspect.getdoc(operation.view) or "").split("\n\n", 1)
    doc: dict[str, Any] = {"parameters": _parameters(operation), "responses": _responses(operation, allowed)}
    if operation.body is not None:
        doc["requestBody"] = _request_body(operation.body)
    doc["summary"] = summary
    doc |= {"description": more[0]} if more else {}
    doc |= {"tags": [tag], "operationId": name}
    if f"{tag}.{name}" not in TOKENLESS:
        doc["security"] = [{"bearer": []}] if allowed != EVERYONE else [{}, {"bearer": []}]
    doc["description"] = "\n\n".join([*more, f"For: {', '.join(role for role in ROLES if role in allowed)}."])
    return doc


def _request_body(body: type[ma.Schema]) -> dict[str, Any]:
    """Document a body; one that the rules' records check is a component made from them."""
    schema = {"$ref": f"{REFS}{body.component}"} if issubclass(body, ActionBody) else body
    return {"required": not issubclass(body, NoBody), "content": {"application/json": {"schema": schema}}}


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    """Return the query's parameters, and the headers that the operation reads."""
    names = ["Idempotency-Key"] if operation.writes or operation.repeats else []
    names += ["If-Match"] if operation.writes and operation.in_game else []
    names += ["If-None-Match"] if operation.cached else []
    headers = [{"name": name, "in": "header", "required": False, **HEADERS[name]} for name in names]
    for header in headers:
        if header["name"] == "Idempotency-Key":
            header["schema"] = {**header["schema"], "minLength": operation.least_key}
    return [{"in": "query", "schema": operation.query}, *headers]


def _responses(operation: Operation, allowed: Collection[Role]) -> dict[str, Any]:
    """Document every answer: success, not modified, and every refusal with its codes."""
    responses: dict[str, Any] = {}
    for status, media_type, schema in operation.successes:
        answer = responses.setdefault(str(status), {"description": HTTPStatus(status).phrase})
        if schema is not None:
            # The operation's own media type stays first: generators of clients take that one.
            answer.setdefault("content", {})[media_type] = {"schema": schema}
    if operation.cached:
        responses["304"] = {"description": "Not modified"}
    for refused, codes in sorted(_refusals(operation, allowed).items()):
        responses[str(refused)] = {
            "description": ", ".join([*(["those of the rules"] if refused == RULE.status else []), *codes]),
            "content": {MEDIA_TYPE: {"schema": {"$ref": f"{REFS}Problem"}}},
        }
    if operation.in_game:
        for answer in responses.values():
            answer["headers"] = {HEAD: {"description": HEAD_ABOUT, "schema": {"type": "string"}}}
    return responses


def _refusals(operation: Operation, allowed: Collection[Role]) -> dict[int, list[str]]:
    """List the statuses that a route may refuse with, and the codes of each."""
    codes = ["bad_request", "invalid_input", "internal_error", "store_unavailable", "store_error"]
    codes += ["too_many_requests", "overloaded"]
    if operation.body is not None:
        codes += ["body_timeout", "malformed_json", "body_required", "body_too_large", "unsupported_media_type"]
    if operation.in_game:
        codes += ["unauthorized", "no_such_game", "no_such_version", "no_such_seat", "game_frozen", "too_many_watchers"]
    if operation.in_game and allowed != EVERYONE:
        codes += ["forbidden"]
    if operation.writes:
        codes += ["idempotency_key_reused", "unknown_option", "option_out_of_bounds", "unknown_preset"]
        codes += ["malformed_header", "unsupported_rules", "made_by_other_code", "not_recordable", "stale"]
        codes += ["store_full", "busy", "game_frozen"]
    codes += [*operation.refuses, *(["malformed_header"] if operation.repeats else [])]
    found: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        found.setdefault(CODES[code].status, []).append(code)
    # What the server itself refuses, before a route is known: a long address, large headers.
    return {**found, 414: ["bad_request"], 431: ["bad_request"]}
