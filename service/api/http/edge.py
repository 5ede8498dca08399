"""What every answer carries, and what a browser from elsewhere may do (CORS). No cookies: tokens are bearer tokens.

Every answer under a game names the game's head: `Rollbook-Head: <version> <chain link in hex>`. Anyone who keeps
these lines can hold them against a checkpoint later. A private game's head is shown only to a caller who may know of
the game.
"""

import contextlib
import gzip
import re
from collections.abc import Collection
from typing import Any, cast

from flask import Flask, Request, Response, request

from events.store import StoreError
from service.api.http.answers import JSON
from service.api.http.context import reader
from service.api.http.problems import Problem
from service.games.games import Games

ALLOWED_HEADERS = "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
EXPOSED_HEADERS = "ETag, Idempotency-Hit, Location, Retry-After, Rollbook-Head"
PREFLIGHT_SECONDS = 600
POLICY = "default-src 'none'; frame-ancestors 'none'"
HEAD = "Rollbook-Head"
LONG = 2048  # bytes of JSON above which compressing is worth it
GZIP_LEVEL = 5
_HOST = re.compile(r"[\w.~%!$&'()*+;=:\[\]-]*", re.ASCII)


def register(app: Flask, *, origins: Collection[str]) -> None:
    """Check every request's host and put headers on every answer; pages of these origins may read it (`*`: all)."""

    @app.before_request
    def check_host() -> None:
        # RFC 9112, 3.2: a request of HTTP/1.1 has one, and no request has two; gunicorn puts a comma between them.
        host = request.environ.get("HTTP_HOST")
        missing = host is None and request.environ.get("SERVER_PROTOCOL") == "HTTP/1.1"
        if missing or not _HOST.fullmatch(host or ""):
            raise Problem("bad_request", "A request names its host once, in the header Host.")

    @app.after_request
    def complete(response: Response) -> Response:
        # Once, as in `context.ask`.
        sent: Request = cast("Any", request)._get_current_object()
        _compress(sent, response)
        game = (sent.view_args or {}).get("game")
        games = app.extensions["rollbook"].games
        if game is not None and sent.method != "OPTIONS" and (head := _head(games, game, response)):
            response.headers.add(HEAD, head)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        if origins:
            _share(sent, response, origins)
        return response


def _head(games: Games, game: str, response: Response) -> str:
    """Return the head line; empty where there is none to show."""
    loaded = games.loader.cached(game)
    if loaded is not None:
        state = loaded.state
        known = not state.private or games.gate.identify(reader(), loaded.tokens).knows_game
        return f"{state.version} {loaded.link.hex()}" if known else ""
    if response.status_code >= 400:
        return ""
    # A game that cannot be folded to its end has its head in the store; the view has let the caller in.
    with contextlib.suppress(StoreError):
        if head := games.loader.head(game):
            return f"{head.version} {head.link.hex()}"
    return ""


def _compress(sent: Request, response: Response) -> None:
    """Compress a long JSON answer on request. Not one with a token: its length would tell about what is in it."""
    if response.is_streamed or response.mimetype != JSON or "no-store" in response.headers.get("Cache-Control", ""):
        return
    data = response.get_data()
    if len(data) <= LONG:
        return
    response.vary.add("Accept-Encoding")
    if sent.accept_encodings["gzip"] > 0:
        response.set_data(gzip.compress(data, GZIP_LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"


def _share(sent: Request, response: Response, origins: Collection[str]) -> None:
    """Allow pages of these origins to read an answer."""
    everywhere = "*" in origins
    if not everywhere:
        response.vary.add("Origin")
    origin = sent.headers.get("Origin")
    if origin is None or not (everywhere or origin in origins):
        return
    response.headers["Access-Control-Allow-Origin"] = "*" if everywhere else origin
    response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
    if sent.method == "OPTIONS" and "Access-Control-Request-Method" in sent.headers:
        response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "")
        response.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
        response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
