"""A live stream as server-sent events: first the state, then every event once, each with its version as its id.

Only the state and events have ids. A client that comes back with `Last-Event-ID` goes on after it: it gets the state
as it was there, and then what it has missed.
"""

import re
from collections.abc import Iterator

import msgspec
from flask import Response, request

from events.store import Streams
from service.api.http.answers import shown
from service.api.http.context import games, services
from service.api.http.edge import become
from service.api.http.problems import Problem
from service.games.games import Games
from service.games.records import LoadedGame
from service.live.streams import Stream, frame

MEDIA_TYPE = "text/event-stream"
RETRY = b"retry: 1000\n"
"""Belongs to the block that follows: some clients make an empty event of a block without data."""
_VERSION = re.compile(r"[0-9]{1,15}", re.ASCII)


def last_event_id() -> int | None:
    """Read `Last-Event-ID`; None without one.

    Raises:
        Problem: It is no version.
    """
    header = request.headers.get("Last-Event-ID", "").strip()
    if not header:
        return None
    if not _VERSION.fullmatch(header):
        detail = "Last-Event-ID must be a version: the id of an event of this stream."
        raise Problem("malformed_header", detail, errors=[{"header": "Last-Event-ID", "detail": detail}])
    return int(header)


def respond(game: str, after: int | None) -> Response:
    """Answer with a stream; 204 to a client that has seen the end of the game, so that a browser does not come back.

    Args:
        game: Id of the game; the caller may watch it.
        after: Version that the client has; None for one that has nothing.
    """
    become("streams")
    stream, loaded = services().live.open(game)
    head = loaded.state.version
    if after == head and stream.feed.sealed:
        stream.close()
        return _marked(Response(status=204))
    try:
        opening = b"".join(_opening(games(), loaded, after))
    except BaseException:
        stream.close()
        raise
    begin = head if after is None else min(after, head)
    response = Response(_pieces(opening, stream, services().store.streams, game, begin), mimetype=MEDIA_TYPE)
    response.call_on_close(stream.close)
    response.headers["X-Accel-Buffering"] = "no"
    return _marked(response)


def _marked(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store, no-transform"
    response.vary.add("Authorization")
    response.vary.add("Accept")
    return response


def _opening(games: Games, loaded: LoadedGame, after: int | None) -> Iterator[bytes]:
    """Return what comes before the events; nothing before the first of a game."""
    yield RETRY
    state, link = loaded.state, loaded.link
    if after is not None and after > state.version:
        yield frame(msgspec.json.encode({"version": state.version}), event="reset")
    elif after is not None and after < state.version:
        if after == 0:
            return
        earlier, _, link = games.loader.at(state.game, after)
        assert earlier is not None, "a version from 1 has a state"
        state = earlier
    yield frame(msgspec.json.encode(shown(games, state, link)), version=state.version, event="state")


def _pieces(opening: bytes, stream: Stream, streams: Streams, game: str, after: int) -> Iterator[bytes]:
    yield opening
    yield from stream.events(streams, game, after)
