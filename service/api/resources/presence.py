"""Time and presence: pauses, bots that keep a seat, and seats for another person."""

from typing import Any

from flask import Response

from service.api.http.answers import acted
from service.api.http.context import ask, games
from service.api.http.resource import Resource
from service.api.schemas import seats as schemas
from service.api.schemas.base import NoBody
from service.api.schemas.play import ActedAnswer
from service.rules.actions import HandBack, HandOver, Pause, Resume

presence = Resource("presence", "Time and presence: pauses, bots that keep a seat, and seats for another person.")


@presence.operation("POST", "/games/<game:game>/pause", ActedAnswer, status=201, body=NoBody, writes=True)
def pause_game(_body: dict[str, Any], _query: dict[str, Any], game: str) -> Response:
    """Stop the clocks, as the host.

    Nobody plays until they run again; the time that was left of each deadline is kept to the millisecond.
    """
    return acted(games().actions.perform(game, Pause(), ask()))


@presence.operation("POST", "/games/<game:game>/resume", ActedAnswer, status=201, body=NoBody, writes=True)
def resume_game(_body: dict[str, Any], _query: dict[str, Any], game: str) -> Response:
    """Start the clocks again, as the host."""
    return acted(games().actions.perform(game, Resume(), ask()))


@presence.operation(
    "POST", "/games/<game:game>/seats/<seat:seat>/bot", ActedAnswer, status=201, body=schemas.BotBody, writes=True
)
def hand_over(body: dict[str, Any], _query: dict[str, Any], game: str, seat: int) -> Response:
    """Hand a person's seat to a bot, as its holder or as the host.

    What it does is marked by the actor `bot:<n>`. Until the seat is handed back its holder does not play.
    """
    return acted(games().actions.perform(game, HandOver(level=body["level"]), ask(), seat=seat))


@presence.operation("DELETE", "/games/<game:game>/seats/<seat:seat>/bot", ActedAnswer, body=NoBody, writes=True)
def hand_back(_body: dict[str, Any], _query: dict[str, Any], game: str, seat: int) -> Response:
    """Play one's seat again, as its holder."""
    return acted(games().actions.perform(game, HandBack(), ask(), seat=seat), 200)


@presence.operation(
    "POST",
    "/games/<game:game>/seats/<seat:seat>/reopen",
    schemas.ReopenedAnswer,
    status=201,
    body=NoBody,
    writes=True,
)
def reopen_seat(_body: dict[str, Any], _query: dict[str, Any], game: str, seat: int) -> Response:
    """Open the seat of a person who is away to another person, as the host.

    The seat's token is dead from then on, and a bot keeps the seat until a person sits down with this join code.
    """
    reopened = games().seats.reopen(game, seat, ask())
    return acted(reopened.answer, seat=reopened.seat, join_code=reopened.join_code)
