"""Play: what a seat may do now, and doing it."""

from typing import Any

from flask import Response

from service.api.http.answers import JSON, acted, reply, tried, unchanged
from service.api.http.context import ask, games, has, reader
from service.api.http.parser import read_action
from service.api.http.resource import Resource
from service.api.schemas import play as schemas
from service.errors import Forbidden, Unauthorized
from service.games.records import Caller
from service.rules.legal import ClosedAction, legal_actions

play = Resource("play", "Play: what a seat may do now, and doing it.")


@play.operation("GET", "/games/<game:game>/actions", schemas.MenuAnswer, query=schemas.ActionsQuery, cached=True)
def list_actions(query: dict[str, Any], game: str) -> Response:
    """List what the token's seat may do now, ready to send, and why it may not do the rest."""
    loaded, caller = games().watch(game, reader())
    seat = _own_seat(caller, query.get("seat"))
    if has(loaded.etag):
        return unchanged(loaded.etag)
    state = loaded.state
    menu = legal_actions(state, seat, person=True)
    content = {
        "game": game,
        "version": state.version,
        "etag": loaded.etag,
        "seat": seat,
        "status": state.status,
        "prompts": [prompt for prompt in state.prompts.values() if prompt.seat == seat],
        "open": menu.open,
        "closed": [_closed(action) for action in menu.closed],
    }
    return reply(content, etag=loaded.etag)


@play.operation(
    "POST",
    "/games/<game:game>/actions",
    schemas.ActedAnswer,
    status=201,
    body=schemas.ActionBody,
    query=schemas.ActQuery,
    writes=True,
    also=[(200, JSON, schemas.TriedAnswer)],
)
def act(body: dict[str, Any], query: dict[str, Any], game: str) -> Response:
    """Do something as a seat.

    What is open stands ready to send in the list of actions. With `dry_run=true` nothing is written, and what would
    happen is shown up to the first draw.
    """
    action = read_action(body)
    answer = games().actions.perform(game, action, ask(dry_run=query["dry_run"]))
    return tried(answer) if query["dry_run"] else acted(answer)


def _own_seat(caller: Caller, wanted: int | None) -> int:
    """Return the caller's seat.

    Raises:
        Unauthorized: No token was sent.
        Forbidden: It is no seat's, or another's.
    """
    if not caller.given:
        raise Unauthorized("Send the token of a seat as a bearer token.")
    if not caller.seat or wanted not in (None, caller.seat):
        raise Forbidden("This takes the token of that seat.")
    return caller.seat


def _closed(action: ClosedAction) -> dict[str, Any]:
    return {
        "name": action.name,
        "about": action.about,
        "prompt": action.prompt,
        "code": action.refusal.code,
        "reason": action.refusal.detail,
    }
