"""How answers are written: JSON by msgspec, with stored events passed through byte by byte."""

from collections.abc import Iterable
from itertools import takewhile
from typing import Any

import msgspec
from flask import Response

from events import chain, codec
from events.store import Entry
from projections.evolve import AnyState
from service.games.games import Games
from service.games.records import Answer

JSON = "application/json"


def reply(content: Any, status: int = 200, *, etag: str = "", secret: bool = False) -> Response:
    """Return an answer.

    Args:
        content: What msgspec can encode.
        status: HTTP status.
        etag: Names the state that it shows; without quotes.
        secret: It holds a token: nothing may store it.
    """
    response = Response(msgspec.json.encode(content), status, content_type=JSON)
    if etag:
        response.headers.add("ETag", f'"{etag}"')
    response.headers.add("Cache-Control", "no-store" if secret else "private, no-cache")
    response.headers.add("Vary", "Authorization")
    return response


def private(response: Response, *vary: str) -> Response:
    """Mark an answer that only its caller may store, and that differs by token and by these headers."""
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.update(("Authorization", *vary))
    return response


def unchanged(etag: str) -> Response:
    """Return the answer to a caller who has this state already."""
    return private(Response(status=304, headers={"ETag": f'"{etag}"'}))


def shown(games: Games, state: AnyState, link: bytes) -> dict[str, Any]:
    """Return what is shown of a game at a version, with the texts that lie beside its stream."""
    return {
        "game": state.game,
        "version": state.version,
        "etag": chain.etag(state.version, link),
        "head": link.hex(),
        "names": {str(seat): name for seat, name in games.loader.names_of(state).items() if name},
        "texts": games.loader.texts_of(state),
        "state": state,
    }


def entries(stored: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return what is shown of entries of a stream: their very bytes, and the chain links over them.

    It ends before the first whose bytes are no event: as a part of an answer they could be read as anything.
    """
    return written(takewhile(lambda one: codec.can_be_shown(one.data), stored))


def written(stored: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return what is shown of entries that were read back already; see `entries`."""
    return [{"event": msgspec.Raw(one.data), "link": one.link.hex()} for one in stored]


def acted(answer: Answer, status: int = 201, **more: Any) -> Response:
    """Answer a request that was written to the stream; a repeat gets the same, and a header that marks it."""
    version, head = answer.version, answer.head
    etag = chain.etag(version, head)
    content = {
        "game": answer.game,
        "first": answer.first,
        "version": version,
        "head": head.hex(),
        "etag": etag,
        "action": answer.action,
        "events": written(answer.entries),
        **more,
    }
    response = reply(content, status, etag=etag, secret=bool(more))
    if answer.repeated:
        response.headers["Idempotency-Hit"] = "true"
    return response


def tried(answer: Answer) -> Response:
    """Answer a dry run: what would happen, up to the first draw."""
    events = list(map(msgspec.Raw, codec.encode_all(answer.envelopes)))
    content = {"game": answer.game, "first": answer.first, "events": events, "stopped_at": answer.stopped_at}
    return reply(content)
