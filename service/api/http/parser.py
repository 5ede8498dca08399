"""How a request is read into schemas: our JSON reader, queries without repeats, and one shape of errors.

The reader of JSON stands in front of webargs, since the usual readers take duplicate keys, lone surrogates and NaN, and
fail on deep nesting and on integers of thousands of digits. What it lets through means the same to every reader of
JSON. Numbers are whole and below 2^53: there is no other number in either game.
"""

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, NoReturn, cast

import marshmallow as ma
import msgspec
from flask import Request, g, request
from gunicorn.http.errors import ParseException
from webargs.flaskparser import FlaskParser

from service.api.http.problems import MOST_ERRORS, Problem, escaped, invalid
from service.api.schemas.base import NoBody
from service.api.schemas.fields import LARGEST
from service.rules.actions import Action, PlayAction
from service.rules.rulebooks import ACTIONS
from service.rules.typed_text import TYPED

MOST_BYTES = 64 * 1024
MOST_DEPTH = 32
_TOKEN = re.compile(r'\\.|["\[\]{}]', re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
"""A step of the path in a message of msgspec, which begins with `$`; within an object of any keys there is none."""
_FIELD = re.compile(r"Object contains unknown field `(.*)`|Object missing required field `(.*)`", re.DOTALL)


class Reader(FlaskParser):
    """Reads bodies and queries, and refuses what is not in the schema."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {  # noqa: RUF012 - as in webargs
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": ma.RAISE,
    }

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        """Read a body by our own reader; only where no body is due may it be empty."""
        return read_body(req, required=not isinstance(schema, NoBody))

    def load_querystring(self, req: Request, schema: ma.Schema) -> Any:  # noqa: ARG002 - webargs' signature
        """Read a query; a key that comes twice has no meaning."""
        repeated = [key for key, values in req.args.lists() if len(values) > 1]
        if repeated:
            raise invalid([{"query": escaped(key), "detail": "Is given more than once."} for key in repeated])
        return req.args.to_dict()

    def handle_error(
        self,
        error: ma.ValidationError,
        req: Request,  # noqa: ARG002 - webargs' signature
        schema: ma.Schema,  # noqa: ARG002 - webargs' signature
        *,
        error_status_code: int | None,  # noqa: ARG002 - webargs' signature
        error_headers: Mapping[str, str] | None,  # noqa: ARG002 - webargs' signature
    ) -> NoReturn:
        """Raise what marshmallow found as a problem."""
        errors: list[Mapping[str, str]] = []
        messages: Any = error.messages
        for location, found in messages.items():
            for path, detail in _flat(found, ()):
                errors.append(_error(location, path, detail))
        raise invalid(errors) from None


READER = Reader()


def reading(view: Callable[..., Any], *, query: ma.Schema, body: ma.Schema | None) -> Callable[..., Any]:
    """Return a view that reads its body, if it has one, and its query, and hands them to another.

    It raises `Problem` when one of them cannot be taken.
    """
    # A query that may be left out mostly is: its defaults are read once. They are plain values, so a copy is new.
    defaults: dict[str, Any] | None = None
    with contextlib.suppress(ma.ValidationError):
        defaults = query.load({})

    def called(**named: Any) -> Any:
        # Once: each use of `request` would look it up again.
        sent = cast("Any", request)._get_current_object()
        found = [] if body is None else [READER.parse(body, sent, location="json")]
        if defaults is not None and not sent.query_string:
            found.append(defaults.copy())
        else:
            found.append(READER.parse(query, sent, location="query"))
        return view(*found, **named)

    return called


def _flat(found: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Walk marshmallow's nested messages; `_schema` stands for the value as a whole."""
    if isinstance(found, Mapping):
        for key, inner in found.items():
            yield from _flat(inner, path if key == "_schema" else (*path, str(key)))
    elif isinstance(found, list):
        for inner in found:
            yield from _flat(inner, path)
    else:
        yield path, str(found)


def _error(location: str, path: tuple[str, ...], detail: str) -> Mapping[str, str]:
    steps = [escaped(step) for step in path]
    if location == "json":
        return {"pointer": "".join(f"/{step}" for step in steps), "detail": detail}
    return {"query": "/".join(steps), "detail": detail}


class _Bad:
    """Stands in a parsed body where something cannot be taken."""

    def __init__(self, detail: str, key: str | None = None) -> None:
        self.detail, self.key = detail, key


def read_body(request: Request, *, required: bool = True) -> Any:
    """Read and check a request's body; `g.body` keeps it in canonical form.

    Where none is required, an empty one means an empty object.

    Raises:
        Problem: 400, 413, 415 or 422, with the place.
    """
    raw = _whole_body(request)
    if not raw:
        if required:
            raise Problem("body_required", "Send a JSON object as the body.")
        return {}
    encoding = request.headers.get("Content-Encoding", "identity").lower()
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or encoding != "identity" or charset not in ("utf-8", "utf8"):
        raise Problem("unsupported_media_type", "Send the body as application/json in UTF-8, not compressed.")
    value, g.body = parse(raw)
    return value


def _whole_body(request: Request) -> bytes:
    """Read all of a body, and never a part of one for the whole.

    Werkzeug lets a body in chunks end at its limit, which is one byte above ours, and gunicorn one that breaks off.
    """
    try:
        raw = request.get_data(cache=True)
    except (OSError, ParseException) as error:
        raise Problem("bad_request", "The body cannot be read as it was sent.") from error
    if len(raw) > MOST_BYTES:
        raise Problem("body_too_large", f"The body has more than {MOST_BYTES:,} bytes.")
    if request.content_length is not None and len(raw) < request.content_length:
        raise Problem("bad_request", "The body broke off before its length.")
    return raw


def parse(raw: bytes) -> tuple[Any, bytes]:
    """Parse JSON; returns what it means, and that written in canonical form, with sorted keys.

    Raises:
        Problem: 400 when it is no JSON, 422 when a value in it cannot be taken, with the place.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _malformed(f"Byte {error.start} is not UTF-8.") from None
    if text.startswith("\ufeff"):
        raise _malformed("The body begins with a byte order mark.")
    if text.count("[") + text.count("{") > MOST_DEPTH:
        _check_depth(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=lambda _: _Bad("Must be a whole number, without fraction or exponent."),
            parse_constant=lambda _: _Bad("Is no JSON value."),
        )
    except json.JSONDecodeError as error:
        raise _malformed(f"Line {error.lineno}, column {error.colno}: {error.msg}.") from None
    try:
        # This fails for exactly what cannot be taken: `_Bad` is of no type that JSON has, half a pair is no UTF-8.
        return value, msgspec.json.encode(value, order="sorted")
    except (TypeError, UnicodeEncodeError):
        raise invalid(list(islice(_faults(value, ""), MOST_ERRORS))) from None


def _malformed(detail: str) -> Problem:
    return Problem("malformed_json", detail, errors=[{"pointer": "", "detail": detail}])


def _check_depth(text: str) -> None:
    """Refuse deep nesting before a recursive parser meets it; one pass, whatever the text."""
    depth, quoted = 0, False
    for found in _TOKEN.finditer(text):
        mark = found[0]
        if mark == '"':
            quoted = not quoted
        elif quoted or mark[0] == "\\":
            continue
        elif mark in "[{":
            depth += 1
            if depth > MOST_DEPTH:
                raise _malformed(f"Character {found.start()}: nested deeper than {MOST_DEPTH}.")
        else:
            depth -= 1


def _whole(digits: str) -> int | _Bad:
    if len(digits) > 17 or abs(int(digits)) > LARGEST:
        return _Bad("Must be below 2^53.")
    return int(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Bad:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            return _Bad("Is given twice.", key)
        found[key] = value
    return found


def _faults(value: Any, pointer: str) -> Iterator[Mapping[str, str]]:
    if isinstance(value, _Bad):
        place = pointer if value.key is None else f"{pointer}/{escaped(value.key)}"
        yield {"pointer": place, "detail": value.detail}
    elif isinstance(value, str):
        if not _is_text(value):
            yield {"pointer": pointer, "detail": "Holds half a surrogate pair."}
    elif isinstance(value, dict):
        for key, member in value.items():
            if not _is_text(key):
                yield {"pointer": f"{pointer}/{escaped(key)}", "detail": "The name holds half a surrogate pair."}
            yield from _faults(member, f"{pointer}/{escaped(key)}")
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _faults(member, f"{pointer}/{index}")


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_action(body: Mapping[str, Any]) -> PlayAction:
    """Read an action.

    Raises:
        Problem: 422 with a pointer to each field at fault.
    """
    name = body.get("action")
    record = ACTIONS.get(name) if isinstance(name, str) else None
    if record is None:
        raise invalid([{"pointer": "/action", "detail": f"Must be one of {', '.join(ACTIONS)}."}])
    try:
        # Not into the union of all: msgspec keeps what it learnt of a record, but learns a union again at each call.
        return msgspec.convert(body, record)
    except msgspec.ValidationError:
        raise invalid(list(_faults_of(body, record))) from None


def _faults_of(body: Mapping[str, Any], record: type[Action]) -> Iterator[Mapping[str, str]]:
    """Find every field at fault; msgspec itself stops at the first."""
    fields = {field.name: field for field in msgspec.structs.fields(record)}
    for key in body:
        if key != "action" and key not in fields:
            yield {"pointer": f"/{escaped(key)}", "detail": "Unknown field."}
    for key, field in fields.items():
        if key not in body:
            if field.required:
                yield {"pointer": f"/{key}", "detail": "Missing data for required field."}
        elif fault := _fault(body[key], field.type, f"/{key}"):
            yield fault


def _fault(value: Any, kind: Any, pointer: str) -> Mapping[str, str] | None:
    """Find what is wrong with a value, and where within it."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        detail, _, path = str(error).partition(" - at ")
        pointer += "".join(f"/{name or index}" for name, index in _STEP.findall(path))
        if strange := _FIELD.fullmatch(detail):
            unknown, missing = strange.groups()
            detail = "Unknown field" if unknown else "Missing data for required field"
            return {"pointer": f"{pointer}/{escaped(unknown or missing)}", "detail": f"{detail}."}
        if "matching regex" in detail and pointer.rpartition("/")[2] in TYPED:
            detail = "Must not hold control characters"
        return {"pointer": pointer, "detail": f"{detail}."}
    return None
