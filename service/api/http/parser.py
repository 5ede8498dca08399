"""How a request is read into schemas: our JSON reader, queries without repeats, and one shape of errors."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, cast

import marshmallow as ma
from flask import Request, request
from webargs.flaskparser import FlaskParser

from service.api.http.json_reader import read_body
from service.api.http.problems import escaped, invalid
from service.api.schemas.base import NoBody


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
