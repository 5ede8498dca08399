"""What every view asks of the current request: the games, who asks, and under which conditions."""

import re
from collections.abc import Mapping
from typing import Any, cast

import msgspec
from flask import current_app, g, request

from service.api.http.problems import Problem, invalid
from service.bootstrap import Services
from service.errors import NoSuchVersion
from service.games import Ask, Games
from service.games.credentials import request_digest

_BEARER = re.compile(r"bearer +([\x21-\x7e]+)", re.IGNORECASE | re.ASCII)
_TAG = r'(?:W/)?"[\x21\x23-\x7e]*"'
_TAGS = re.compile(rf"\*|{_TAG}(?:[ \t]*,[ \t]*{_TAG})*")
_KEY = re.compile(r"[\x20-\x7e]{1,200}")


def services() -> Services:
    """Give what this application runs on."""
    return cast("Services", current_app.extensions["rollbook"])


def games() -> Games:
    """Give the games."""
    return services().games


def ask(*, dry_run: bool = False) -> Ask:
    """Read what surrounds the current request.

    Raises:
        Problem: A header cannot be taken.
    """
    body: Any = g.get("json_body")
    canonical = msgspec.json.encode(body or {}, order="sorted")  # no body says as much as an empty one
    sent = cast("Any", request)._get_current_object()  # once: every word of `request` looks it up anew
    return Ask(
        token=_bearer(sent.environ.get("HTTP_AUTHORIZATION")),
        key=_idempotency_key(sent.environ.get("HTTP_IDEMPOTENCY_KEY")),
        digest=request_digest(sent.method, sent.path, canonical),
        if_match=_if_match(sent.environ.get("HTTP_IF_MATCH")),
        dry_run=dry_run,
    )


def reader() -> Ask:
    """Read who asks, where nothing is written."""
    return Ask(token=bearer())


def watching(game: str, ticket: str | None) -> Ask:
    """Read who asks for a stream; a ticket is used up, and one that is not good counts as a wrong token."""
    if ticket is None:
        return reader()
    if bearer() is None and services().store.tickets.take(game, ticket):
        return Ask(admitted=True)
    return Ask(token=bearer() or "")


def version_of(game: str, query: Mapping[str, Any]) -> int:
    """Give the version that a query asks for, or the newest one, to somebody who may know of the game.

    Raises:
        NoSuchVersion: The game has not come to it.
    """
    newest = games().enter(game, reader()).version
    at: int = query.get("at", newest)
    if at > newest:
        raise NoSuchVersion(f"Game {game} has no version {at}.")
    return at


def bearer() -> str | None:
    """Give the bearer token; what is no bearer token counts as a wrong one."""
    return _bearer(request.environ.get("HTTP_AUTHORIZATION"))


def _bearer(header: str | None) -> str | None:
    if header is None:
        return None
    found = _BEARER.fullmatch(header.strip())
    return found[1] if found else ""


def has(tag: str) -> bool:
    """Tell whether the caller has this state already (`If-None-Match`)."""
    header = request.headers.get("If-None-Match", "").strip()
    if not _TAGS.fullmatch(header):
        return False
    return header == "*" or f'"{tag}"' in re.findall(r'"[^"]*"', header)


def _idempotency_key(key: str | None) -> str | None:
    if key is not None and not _KEY.fullmatch(key):
        raise invalid([{"header": "Idempotency-Key", "detail": "Must be 1 to 200 printable ASCII characters."}])
    return key


def _if_match(header: str | None) -> tuple[str, ...] | None:
    """Give the tags of `If-Match`. It compares strongly (RFC 9110, 13.1.1), so a weak tag matches nothing."""
    if header is None:
        return None
    header = header.strip()
    if not _TAGS.fullmatch(header):
        detail = 'If-Match must be * or a list of entity tags in quotes, such as "12-0123abcd".'
        raise Problem("malformed_header", detail, errors=[{"header": "If-Match", "detail": detail}])
    if header == "*":
        return ("*",)
    return tuple(tag for weak, tag in re.findall(r'(W/)?"([^"]*)"', header) if not weak)
