"""The real application, and beside it the two routes that it is compared with, on the same server."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

from flask import Response
from flask_smorest import Api, Blueprint

from service.api.app import create_app
from service.api.http.answers import reply
from service.api.http.parser import READER, read_action
from service.api.schemas import play as schemas
from service.bootstrap import build
from service.hosting.supervisor.bodies import BodyFirst
from service.limits import Limits
from service.settings import Settings


class Guide(Blueprint):  # type: ignore[misc] # flask-smorest has no types
    """Routes as flask-smorest's guide writes them; they take and refuse the bodies that ours do."""

    ARGUMENTS_PARSER = READER


class Quiet(Api):  # type: ignore[misc] # flask-smorest has no types
    """flask-smorest without errors of its own: ours are problem documents."""

    def _register_error_handlers(self) -> None:
        """Leave errors to the application."""


yardstick = Guide("yardstick", __name__, url_prefix="/v1/yardstick/<game:table>")
View = TypeVar("View", bound=Callable[..., Any])

ANSWER = {
    "game": "yardstick0000000",
    "first": 101,
    "version": 109,
    "head": "0" * 64,
    "etag": "109-00000000",
    "action": "0" * 64,
    "events": [
        {
            "event": {
                "action": "0" * 64,
                "actor": "seat:1",
                "at": 1_800_000_000_000,
                "data": {
                    "amount": 100, "breakdown": [], "payee": "custodian", "payer": "seat:1", "reason": "block",
                    "ref": "promenade:12", "rule": "PA-10", "schema": 1, "type": "money_moved",
                },
                "turn": 12,
                "version": 101 + number,
            },
            "link": "0" * 64,
        }
        for number in range(9)
    ],
}  # fmt: skip
"""About what an action answers."""


def posted(name: str) -> Callable[[View], View]:
    """Register a POST with the schemas of an action."""

    def register(view: View) -> View:
        wrapped = yardstick.response(201, schemas.ActedAnswer)(view)
        wrapped = yardstick.alt_response(200, schema=schemas.TriedAnswer, success=True)(wrapped)
        wrapped = yardstick.arguments(schemas.ActQuery(), location="query")(wrapped)
        yardstick.route(f"/{name}", methods=["POST"])(yardstick.arguments(schemas.ActionBody())(wrapped))
        return view

    return register


@posted("actions")
def measure(body: dict[str, Any], _query: dict[str, Any], table: str) -> Any:
    """Take an action's request and answer as an action does, without doing anything; the schema writes the answer."""
    read_action(body)
    return ANSWER


@posted("by-hand")
def measure_by_hand(body: dict[str, Any], _query: dict[str, Any], table: str) -> Response:
    """Do the same, with the answer written as our views write theirs."""
    read_action(body)
    return reply(ANSWER, 201)


# Each request is counted, and none is too many.
limits = Limits(rate_per_address=1_000_000, rate_per_token=1_000_000)
app = create_app(build(Settings.load(os.environ)), limits=limits)
app.wsgi_app = BodyFirst(app.wsgi_app, seconds=limits.body_seconds)  # type: ignore[method-assign] # Flask's own way
about = {"title": "Yardstick", "version": "1", "openapi_version": "3.1.0"}
Quiet(app, spec_kwargs=about).register_blueprint(yardstick)


@app.get("/bare")
def bare() -> str:
    """As little as Flask can do."""
    return "ok"
