"""The real application, and beside it the two routes that it is compared with, on the same server."""

import os
from typing import Any

from flask import Response

from service.api import answer_schemas as a
from service.api import schemas
from service.api.action_body import read_action
from service.api.answers import JSON, reply
from service.api.app import create_app
from service.api.resource import Resource
from service.api.resources.play import ActionBody
from service.bootstrap import build
from service.settings import Settings

yardstick = Resource("yardstick", "What costs are compared with.")

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


SCHEMAS: dict[str, Any] = {
    "answer": a.ActedAnswer, "status": 201, "body": ActionBody, "query": schemas.ActQuery, "writes": True,
    "also": [(200, JSON, a.TriedAnswer)],
}  # fmt: skip
"""Those of an action."""


@yardstick.operation("POST", "/yardstick/<game:table>/actions", **SCHEMAS)
def measure(body: dict[str, Any], _query: dict[str, Any], table: str) -> Any:
    """Take an action's request and answer as an action does, without doing anything; the schema writes the answer."""
    read_action(body)
    return ANSWER


@yardstick.operation("POST", "/yardstick/<game:table>/by-hand", **SCHEMAS)
def measure_by_hand(body: dict[str, Any], _query: dict[str, Any], table: str) -> Response:
    """Do the same, with the answer written as our views write theirs."""
    read_action(body)
    return reply(ANSWER, 201)


app = create_app(build(Settings.load(os.environ)))
app.extensions["flask-smorest"]["apis"][""]["ext_obj"].register_blueprint(yardstick)


@app.get("/bare")
def bare() -> str:
    """As little as Flask can do."""
    return "ok"
