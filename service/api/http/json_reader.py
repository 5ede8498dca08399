"""The one reader of JSON bodies: what it lets through means the same to every reader of JSON.

In front of webargs, since the usual readers take duplicate keys, lone surrogates and NaN, and fail on deep nesting
and on integers of thousands of digits. Numbers are whole and below 2^53: there is no other number in either game.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
from flask import Request, g
from gunicorn.http.errors import ParseException

from service.api.http.problems import MOST_ERRORS, Problem, escaped, invalid
from service.api.schemas.fields import LARGEST

MOST_BYTES = 64 * 1024
MOST_DEPTH = 32
_TOKEN = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


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
