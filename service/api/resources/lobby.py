"""Around play: options, seats, readiness, the start."""

from typing import Any

from flask import Response

from service.api.http.answers import acted
from service.api.http.context import ask, games
from service.api.http.resource import Resource
from service.api.schemas import seats as schemas
from service.api.schemas.base import NoBody
from service.api.schemas.play import ActedAnswer
from service.games.records import NewSeat, Seated
from service.rules.actions import Leave, SetOptions, Start

lobby = Resource("lobby", "Around play: options, seats, readiness, the start.")


@lobby.operation("PUT", "/games/<game:game>/options", ActedAnswer, body=schemas.OptionsBody, writes=True)
def set_options(body: dict[str, Any], _query: dict[str, Any], game: str) -> Response:
    """Change options before the start, as the host.

    Every seat's ready mark is void: a new edition of the options is to be agreed to.
    """
    return acted(games().actions.perform(game, SetOptions(options=body["options"]), ask()), 200)


@lobby.operation(
    "POST",
    "/games/<game:game>/seats",
    schemas.SeatedAnswer,
    status=201,
    body=schemas.NewSeatBody,
    writes=True,
    refuses=("name_taken",),
)
def take_seat(body: dict[str, Any], _query: dict[str, Any], game: str) -> Response:
    """Sit down on the lowest free place, with the join code as the bearer token, or as the host.

    A name is seen by all: it holds no characters that cannot be seen, and looks like no other one at the table.
    Where an option goes by the number of seats, ready marks are void: a new edition of the options is to be agreed to.
    """
    return _seated(games().seats.sit(game, NewSeat(**body), ask()))


@lobby.operation("DELETE", "/games/<game:game>/seats/<seat:seat>", ActedAnswer, body=NoBody, writes=True)
def leave_seat(_body: dict[str, Any], _query: dict[str, Any], game: str, seat: int) -> Response:
    """Leave a seat: by its holder, and before the start also by the host."""
    return acted(games().actions.perform(game, Leave(), ask(), seat=seat), 200)


@lobby.operation(
    "POST",
    "/games/<game:game>/seats/<seat:seat>/token",
    schemas.SeatedAnswer,
    status=201,
    body=NoBody,
    writes=True,
)
def renew_token(_body: dict[str, Any], _query: dict[str, Any], game: str, seat: int) -> Response:
    """Issue a new token for a seat, as the host; the one before it is dead.

    After the end too, so that what was typed in there can be erased; then no event says so.
    """
    return _seated(games().seats.renew(game, seat, ask()))


@lobby.operation("POST", "/games/<game:game>/ready", ActedAnswer, status=201, body=schemas.ReadyBody, writes=True)
def mark_ready(body: dict[str, Any], _query: dict[str, Any], game: str) -> Response:
    """Agree to an edition of the options, as a seat, and perhaps open the nonce."""
    nonce = bytes.fromhex(body["nonce"]) if body["nonce"] else None
    return acted(games().actions.ready(game, body["edition"], nonce, ask()))


@lobby.operation("POST", "/games/<game:game>/start", ActedAnswer, status=201, body=NoBody, writes=True)
def start_game(_body: dict[str, Any], _query: dict[str, Any], game: str) -> Response:
    """Begin to play, as the host, when every person is ready."""
    return acted(games().actions.perform(game, Start(), ask()))


def _seated(seated: Seated) -> Response:
    return acted(seated.answer, seat=seated.seat, token=seated.token)
