"""How a request is read into schemas: our JSON reader, queries without repeats, and one shape of errors."""

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import marshmallow as ma
from flask import Request
from webargs.flaskparser import FlaskParser

from service.api.http.json_reader import read_body
from service.api.http.problems import escaped, invalid


class EmptyBody(ma.Schema):
    """No body, or an empty object."""

    class Meta:
        """Fields that are not known are refused."""

        unknown = ma.RAISE


class Reader(FlaskParser):
    """Reads bodies and queries, and refuses what is not in the schema."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {  # noqa: RUF012 - as in webargs
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": ma.RAISE,
    }

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        """Read a body by our own reader; only a schema without fields lets it be empty."""
        return read_body(req, required=not isinstance(schema, EmptyBody))[1]

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
        """Turn what marshmallow found into problem details."""
        errors: list[Mapping[str, str]] = []
        messages: Any = error.messages
        for location, found in messages.items():
            for path, detail in _flat(found, ()):
                errors.append(_error(location, path, detail))
        raise invalid(errors) from None


READER = Reader()


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
