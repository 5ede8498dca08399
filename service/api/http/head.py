"""The head of a game in every answer under it: `Rollbook-Head: <version> <chain link in hex>`.

Whoever keeps these lines can hold them against a checkpoint later. A private game's is told to nobody who may not know
of the game.
"""

import contextlib
from typing import Any, cast

from flask import Flask, Response, request

from events.store import StoreError
from service.api.http.context import games, reader

NAME = "Rollbook-Head"
ABOUT = "Newest version of the game and its chain link in hex, with a space between: keep it."


def register(app: Flask) -> None:
    """Put the head on every answer of an application that is about a game."""

    @app.after_request
    def say(response: Response) -> Response:
        sent = cast("Any", request)._get_current_object()  # once, as in `context.ask`
        game = (sent.view_args or {}).get("game")
        if game is not None and sent.method != "OPTIONS" and (line := _head(game, response)):
            response.headers.add(NAME, line)
        return response


def _head(game: str, response: Response) -> str:
    """Write the head line; empty if there is none to tell."""
    loaded = games().loader.cached(game)
    if loaded is not None:
        known = not loaded.state.private or games().identify(reader(), loaded.tokens).knows_game
        return _line(loaded.state.version, loaded.link) if known else ""
    if response.status_code >= 400:
        return ""
    with contextlib.suppress(StoreError):  # a game that cannot be folded to its end; the caller was let in
        if head := games().loader.head(game):
            return _line(head.version, head.link)
    return ""


def _line(version: int, link: bytes) -> str:
    return f"{version} {link.hex()}"
