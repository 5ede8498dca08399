"""`Resource`: a blueprint whose routes say in one line what they take, what they answer, and how they fail."""

import contextlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeAlias, TypeVar, cast

import marshmallow as ma
from flask import request
from flask_smorest import Blueprint

from service.api.http.parser import READER
from service.api.schemas.requests import NoQuery

Also: TypeAlias = tuple[int, str, type[ma.Schema] | dict[str, Any] | None]
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Operation:
    """What the document says of a route beyond its schemas.

    Attributes:
        takes_body: It has a body.
        writes: It appends to a stream: it takes the headers of conditions and of repetition.
        in_game: It is under a game.
        cached: It answers `If-None-Match`.
        repeats: It takes the header of repetition, and nothing of conditions.
        refuses: Codes that it refuses with beyond those of its kind.
    """

    takes_body: bool
    writes: bool
    in_game: bool
    cached: bool
    repeats: bool = False
    refuses: tuple[str, ...] = ()


class Asked:
    """What a route takes beside its path: read at once, where flask-smorest would call one wrapper in the other.

    Without a query its defaults hold; they are plain values, so that a copy is anew.

    Args:
        query: What the query looks like.
        body: What the body looks like; None where there is none.
    """

    def __init__(self, query: ma.Schema, body: ma.Schema | None) -> None:
        self._query, self._body = query, body
        self._unasked: dict[str, Any] | None = None
        with contextlib.suppress(ma.ValidationError):  # a query that cannot be left out
            self._unasked = query.load({})

    def read(self) -> list[Any]:
        """Read the current request; gives its body, if the route has one, and its query.

        Raises:
            Problem: One of them cannot be taken.
        """
        sent = cast("Any", request)._get_current_object()  # once: every word of `request` looks it up anew
        found = [] if self._body is None else [READER.parse(self._body, sent, location="json")]
        if self._unasked is not None and not sent.query_string:
            return [*found, self._unasked.copy()]
        return [*found, READER.parse(self._query, sent, location="query")]


class Resource(Blueprint):  # type: ignore[misc] # flask-smorest has no types
    """Routes about one thing, under /v1."""

    def __init__(self, name: str, about: str) -> None:
        super().__init__(name, __name__, url_prefix="/v1", description=about)
        self.operations: dict[str, Operation] = {}

    def operation(  # noqa: PLR0913 - each is a fact of the route
        self,
        method: str,
        path: str,
        answer: type[ma.Schema] | dict[str, Any],
        *,
        status: int = 200,
        body: type[ma.Schema] | None = None,
        query: type[ma.Schema] = NoQuery,
        writes: bool = False,
        cached: bool = False,
        repeats: bool = False,
        refuses: tuple[str, ...] = (),
        media_type: str = "application/json",
        also: Collection[Also] = (),
    ) -> Callable[[View], View]:
        """Register a view, which gets its body, if there is one, and its query, and then what its path names.

        Args:
            method: HTTP method.
            path: Below /v1.
            answer: What the view answers. Views write it themselves, since stored events are passed through byte by
                byte; the tests hold every answer against the document.
            status: Status of that answer.
            body: What the body looks like.
            query: What the query looks like; without one there is none.
            writes: It appends to a stream.
            cached: It answers `If-None-Match`.
            repeats: It takes `Idempotency-Key`, and appends to no stream.
            refuses: Codes that it refuses with beyond those of its kind.
            media_type: Of that answer.
            also: Further kinds of success: status, media type and schema of each; a schema of None for no body.
        """
        asked = Asked(query(), body() if body is not None else None)

        def register(view: View) -> View:
            documented = self.response(status, answer, content_type=media_type)(view)
            for other, kind, schema in also:
                documented = self.alt_response(other, schema=schema, content_type=kind, success=True)(documented)
            documented = self.arguments(query(), location="query")(documented)
            if body is not None:
                documented = self.arguments(body(), location="json")(documented)
            documented = self.doc(operationId=view.__name__)(documented)

            @wraps(documented)  # what flask-smorest noted for the document; its wrappers are never called
            def called(**named: Any) -> Any:
                return view(*asked.read(), **named)

            self.route(path, methods=[method])(called)
            self.operations[view.__name__] = Operation(
                takes_body=body is not None,
                writes=writes,
                in_game="<game" in path,
                cached=cached,
                repeats=repeats,
                refuses=refuses,
            )
            return view

        return register
