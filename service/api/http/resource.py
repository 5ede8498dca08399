"""`Resource`: a blueprint whose routes say in one line what they take, what they answer, and how they fail."""

from collections.abc import Callable, Collection
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any, TypeAlias, TypeVar

import marshmallow as ma
from flask import Blueprint

from service.api.http.edge import heavy
from service.api.http.parser import reading
from service.api.schemas.base import NoQuery

Shape: TypeAlias = type[ma.Schema] | dict[str, Any]
Success: TypeAlias = tuple[int, str, Shape | None]
"""Status, media type and schema of an answer; a schema of None for no body."""
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(slots=True)
class Operation:
    """A route, which decorates its view. The view gets its body, if there is one, its query, and what its path names.

    Attributes:
        resource: What it belongs to.
        method: HTTP method.
        path: Below /v1, with converters.
        answer: What the view answers. Views write it themselves, since stored events are passed through byte by byte;
            the tests hold every answer against the document.
        status: Status of that answer.
        media_type: Of that answer.
        also: Further kinds of success.
        body: What the body looks like; None where there is none.
        query: What the query looks like; without one there is none.
        writes: It appends to a stream: it takes the headers of conditions and of repetition.
        cached: It answers `If-None-Match`.
        repeats: It takes `Idempotency-Key`, and appends to no stream.
        heavy: It reads a whole game, so that few of them are answered at a time.
        least_key: Fewest characters of its idempotency key; see `context.LEAST_OPEN_KEY`.
        refuses: Codes that it refuses with beyond those of its kind.
        view: Its name is the operation's id, its docstring is summary and description.
    """

    resource: "Resource"
    method: str
    path: str
    answer: Shape
    _: KW_ONLY
    status: int = 200
    media_type: str = "application/json"
    also: Collection[Success] = ()
    body: type[ma.Schema] | None = None
    query: type[ma.Schema] = NoQuery
    writes: bool = False
    cached: bool = False
    repeats: bool = False
    heavy: bool = False
    least_key: int = 1
    refuses: tuple[str, ...] = ()
    view: Callable[..., Any] = field(init=False)

    def __call__(self, view: View) -> View:
        """Register a view."""
        self.view = view
        self.resource.operations[view.__name__] = self
        called = reading(view, query=self.query(), body=self.body() if self.body is not None else None)
        called = heavy(called) if self.heavy else called
        self.resource.add_url_rule(self.path, view.__name__, called, methods=[self.method])
        return view

    @property
    def successes(self) -> list[Success]:
        """Every answer that is no refusal."""
        return [(self.status, self.media_type, self.answer), *self.also]

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
        self.operation = partial(Operation, self)
