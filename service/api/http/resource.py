"""`Resource`: a blueprint whose routes say in one line what they take, what they answer, and how they fail."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import marshmallow as ma
from flask import Blueprint

from service.api.http.parser import reading
from service.api.schemas.base import NoQuery

Shape: TypeAlias = type[ma.Schema] | dict[str, Any]
Success: TypeAlias = tuple[int, str, Shape | None]
"""Status, media type and schema of an answer; a schema of None for no body."""
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Operation:
    """A route, as far as the document describes it.

    Attributes:
        method: HTTP method.
        path: Below /v1, with its converters.
        view: Its name is the operation's id, its docstring is summary and description.
        query: What the query looks like.
        body: What the body looks like; None where there is none.
        successes: Every answer that is no refusal.
        writes: It appends to a stream: it takes the headers of conditions and of repetition.
        cached: It answers `If-None-Match`.
        repeats: It takes the header of repetition, and nothing of conditions.
        refuses: Codes that it refuses with beyond those of its kind.
    """

    method: str
    path: str
    view: Callable[..., Any]
    query: ma.Schema
    body: ma.Schema | None
    successes: tuple[Success, ...]
    writes: bool
    cached: bool
    repeats: bool
    refuses: tuple[str, ...]

    @property
    def in_game(self) -> bool:
        """It is under a game."""
        return "<game" in self.path


class Resource(Blueprint):
    """Routes about one thing, under /v1.

    Args:
        name: Tag of its operations.
        about: One sentence.
    """

    def __init__(self, name: str, about: str) -> None:
        super().__init__(name, __name__, url_prefix="/v1")
        self.about = about
        self.operations: dict[str, Operation] = {}

    def operation(  # noqa: PLR0913 - each is a fact of the route
        self,
        method: str,
        path: str,
        answer: Shape,
        *,
        status: int = 200,
        body: type[ma.Schema] | None = None,
        query: type[ma.Schema] = NoQuery,
        writes: bool = False,
        cached: bool = False,
        repeats: bool = False,
        refuses: tuple[str, ...] = (),
        media_type: str = "application/json",
        also: Collection[Success] = (),
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
            also: Further kinds of success.
        """

        def register(view: View) -> View:
            operation = Operation(
                method=method,
                path=path,
                view=view,
                query=query(),
                body=body() if body is not None else None,
                successes=((status, media_type, answer), *also),
                writes=writes,
                cached=cached,
                repeats=repeats,
                refuses=refuses,
            )
            self.operations[view.__name__] = operation
            called = reading(view, query=operation.query, body=operation.body)
            self.add_url_rule(path, view.__name__, called, methods=[method])
            return view

        return register
