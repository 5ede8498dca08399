"""What every view asks of the current request: the games, who sends it, and under which conditions."""

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, cast

from flask import current_app, g, request

from service.api.http.problems import Problem, invalid
from service.bootstrap import Services
from service.errors import NoSuchVersion, Unauthorized
from service.games.games import Games
from service.games.records import RequestContext

_BEARER = re.compile(r"bearer +([\x21-\x7e]+)", re.IGNORECASE | re.ASCII)
_TAG = r'(?:W/)?"[\x21\x23-\x7e]*"'
_TAGS = re.compile(rf"\*|{_TAG}(?:[ \t]*,[ \t]*{_TAG})*")
_KEY = re.compile(r"[\x20-\x7e]{1,200}")

LEAST_OPEN_KEY = 16
"""Fewest characters of an idempotency key where no credential is needed: the key alone gets the tokens again."""


def services() -> Services:
    """Return what this application runs on."""
    return cast("Services", current_app.extensions["rollbook"])


def games() -> Games:
    """Return the games."""
    return cast("Games", current_app.extensions["rollbook"].games)


def ask(*, dry_run: bool = False, least_key: int = 1) -> RequestContext:
    """Read what surrounds the current request.

    Args:
        dry_run: Whether it is only tried.
        least_key: Fewest characters of its idempotency key.

    Raises:
        Problem: A header cannot be taken.
    """
    # Once: each use of `request` would look it up again.
    sent = cast("Any", request)._get_current_object()
    key, match = sent.environ.get("HTTP_IDEMPOTENCY_KEY"), sent.environ.get("HTTP_IF_MATCH")
    token = bearer(sent.environ)
    if key is not None and not (_KEY.fullmatch(key) and len(key) >= least_key):
        detail = f"Must be {least_key} to 200 printable ASCII characters."
        raise invalid([{"header": "Idempotency-Key", "detail": detail}])
    return RequestContext(
        token=token,
        key=key,
        # No body means the same as an empty object.
        digest=_digest(sent.method, sent.path, g.get("body", b"{}")),
        if_match=None if match is None else _if_match(match.strip()),
        dry_run=dry_run,
    )


def reader() -> RequestContext:
    """Return who sends the current request, where nothing is written."""
    return RequestContext(token=bearer(request.environ))


def watching(game: str, ticket: str | None) -> RequestContext:
    """Return who opens a live stream; a ticket is used up.

    Raises:
        Unauthorized: The ticket is not good, whatever game it is sent to: so it shows of none that it exists.
    """
    if ticket is None:
        return reader()
    token = bearer(request.environ)
    if token is not None:
        return RequestContext(token=token)
    if not services().store.tickets.take(game, ticket):
        raise Unauthorized("This ticket was used, or its time is over: get another one (POST …/tickets).")
    return RequestContext(admitted=True)


def bearer(environ: Mapping[str, Any]) -> str | None:
    """Return the bearer token of a request; what is no bearer token counts as a wrong one."""
    header = environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    found = _BEARER.fullmatch(header.strip())
    return found[1] if found else ""


def version_of(game: str, query: Mapping[str, Any]) -> int:
    """Return the version that a query asks for, or the newest one, to a caller who may know of the game.

    Raises:
        NoSuchVersion: The game has not come to it, or was not opened then.
    """
    newest = games().enter(game, reader()).version
    if "time" in query:
        return games().loader.version_at(game, query["time"], newest=newest)
    at: int = query.get("at", newest)
    if at > newest:
        raise NoSuchVersion(f"Game {game} has no version {at}.")
    return at


def has(tag: str) -> bool:
    """Return whether the caller has this state already (`If-None-Match`)."""
    header = request.headers.get("If-None-Match", "").strip()
    if not _TAGS.fullmatch(header):
        return False
    return header == "*" or f'"{tag}"' in re.findall(r'"[^"]*"', header)


def _if_match(header: str) -> tuple[str, ...]:
    """Return the tags of `If-Match`. It compares strongly (RFC 9110, 13.1.1), so a weak tag matches nothing."""
    if not _TAGS.fullmatch(header):
        detail = 'If-Match must be * or a list of entity tags in quotes, such as "12-0123abcd".'
        raise Problem("malformed_header", detail, errors=[{"header": "If-Match", "detail": detail}])
    if header == "*":
        return ("*",)
    return tuple(tag for weak, tag in re.findall(r'(W/)?"([^"]*)"', header) if not weak)


def _digest(method: str, path: str, body: bytes) -> str:
    """Digest what is compared when an idempotency key comes again."""
    return sha256(b"\x00".join((method.encode(), path.encode(), body))).hexdigest()
