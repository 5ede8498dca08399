"""History: the stream itself, the replay step by step, and whether it is sound."""

import time
from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Response, request

from events.store import Entry
from service import steps
from service.api import answer_schemas as a
from service.api import schemas
from service.api.answers import entry, reply
from service.api.context import games, reader, services
from service.api.resource import Resource
from service.games import Loaded
from service.games.due import due_of
from service.watch import ShuttingDown

NDJSON = "application/x-ndjson"
PAGE = 100
LINES: dict[str, Any] = {"type": "string", "description": "One entry a line."}

history = Resource("history", "History: the stream itself, the replay step by step, and whether it is sound.")


@history.operation(
    "GET",
    "/games/<game:game>/events",
    a.EventsAnswer,
    query=schemas.EventsQuery,
    also=(200, NDJSON, LINES),
)
def list_events(query: dict[str, Any], game: str) -> Response:
    """Read the stream: a page of it, or all of it as NDJSON.

    Each event is given as it is stored, byte by byte, with its chain link, so that anybody can check the chain. With
    `wait` an answer without events is held back until there is one.
    """
    after = query["after"]
    if request.accept_mimetypes.best_match(["application/json", NDJSON]) == NDJSON:
        version = _awaited(game, after, query["wait"])
        return _lines(game, after, min(version, after + query.get("limit", version)))
    newest = _awaited(game, after, query["wait"])
    found = games().loader.store.read(game, after=after, count=query.get("limit", PAGE))
    version = max(newest, after + len(found)) if found else newest
    last = after + len(found)
    content = {
        "game": game,
        "version": version,
        "after": last,
        "more": last < version,
        "events": [entry(stored) for stored in found],
    }
    return reply(content)


def _awaited(game: str, after: int, seconds: int) -> int:
    """Give a game's version, once it is beyond another or the time is over; a deadline on the way is kept."""
    version = games().enter(game, reader()).version
    if version > after or not seconds:
        return version
    until = time.monotonic() + seconds
    with services().watcher.watching(game) as watch:
        while True:
            loaded, _ = games().watch(game, reader())
            left = until - time.monotonic()
            if loaded.state.version > after or left <= 0:
                return loaded.state.version
            try:
                watch.wait(after, min(left, _until_due(loaded)))
            except ShuttingDown:  # no news, said at once: the process ends, and another one answers the next time
                return loaded.state.version


def _until_due(loaded: Loaded) -> float:
    """Give the seconds until the game's next default is taken; at least one, lest a late clock make a busy loop."""
    due = due_of(loaded.state)
    if due is None:
        return schemas.MOST_WAIT
    return max(1.0, (due - games().clock.now()) / 1000)


def _lines(game: str, after: int, upto: int) -> Response:
    """Stream entries. The first batch is read before the answer begins, so that a failure has a status."""
    batches = games().loader.store.stream(game, after=after, upto=upto)
    first = next(batches, [])

    def lines() -> Iterator[bytes]:
        yield _batch(first)
        for batch in batches:
            yield _batch(batch)

    response = Response(lines(), mimetype=NDJSON)
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Authorization")
    response.vary.add("Accept")
    return response


def _batch(batch: list[Entry]) -> bytes:
    return b"".join(msgspec.json.encode(entry(stored)) + b"\n" for stored in batch)


@history.operation("GET", "/games/<game:game>/steps", a.StepsAnswer, query=schemas.StepsQuery)
def list_steps(query: dict[str, Any], game: str) -> Response:
    """List the steps of a game: each is one action with what came of it, in words and in the books."""
    version = games().enter(game, reader()).version
    found = steps.page(games(), game, after=query["after"], limit=query["limit"], upto=version)
    last = found[-1].last if found else query["after"]
    content = {
        "game": game,
        "version": version,
        "steps": [_step(step) for step in found],
        "after": last,
        "more": last < version,
    }
    return reply(content)


@history.operation("GET", "/games/<game:game>/steps/<number:number>", a.StepViewAnswer)
def get_step(_query: dict[str, Any], game: str, number: int) -> Response:
    """See one step, with the game and the balances right after it."""
    games().enter(game, reader())
    view = steps.one(games(), game, number)
    content = {
        "game": game,
        "step": _step(view.step),
        "state": view.state,
        "balances": view.books.balances if view.books else None,
    }
    return reply(content)


def _step(step: steps.Step) -> dict[str, Any]:
    return {
        "number": step.number,
        "first": step.first,
        "last": step.last,
        "turn": step.turn,
        "at": step.at,
        "actor": step.actor,
        "name": step.name,
        "seat": step.seat,
        "prompt": step.prompt,
        "params": step.params,
        "lines": step.lines,
        "entries": step.entries,
        "unknown_event": step.unknown,
    }


@history.operation("GET", "/games/<game:game>/verification", a.VerificationAnswer)
def verify_game(_query: dict[str, Any], game: str) -> Response:
    """Verify a game: read the whole stream again and check its hash chain and what else must hold of it."""
    games().enter(game, reader())
    report = games().verify(game)
    content = {
        "game": game,
        "version": report.version,
        "head": report.head_hex,
        "sealed": report.sealed,
        "sound": not report.findings,
        "checks": report.checks,
        "findings": report.findings,
    }
    return reply(content)
