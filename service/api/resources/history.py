"""History: the stream itself, the replay step by step, and whether it is sound."""

import errno
import logging
import time
from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec
from flask import Response, request

from events.store import Entry, StoreError, tickets
from service.api.http import sse
from service.api.http.answers import entries, private, reply
from service.api.http.context import games, reader, services, watching
from service.api.http.edge import become
from service.api.http.problems import invalid
from service.api.http.resource import Resource
from service.api.schemas import history as schemas
from service.api.schemas.base import NoBody
from service.audit.audit import audit_game
from service.audit.verify import shown
from service.errors import Frozen
from service.games.due import due_of
from service.games.records import LoadedGame
from service.live.watch import ShuttingDown
from service.replay import search as finding
from service.replay import steps

NDJSON = "application/x-ndjson"
PAGE = 100
LINES: dict[str, Any] = {"type": "string", "description": "One entry a line; the last may hold `unreadable` alone."}
STREAM: dict[str, Any] = {"type": "string", "description": "Server-sent events: `state`, and one for each entry."}

_log = logging.getLogger("rollbook.api")

history = Resource("history", "History: the stream itself, the replay step by step, and whether it is sound.")


@history.operation(
    "GET",
    "/games/<game:game>/events",
    schemas.EntryListAnswer,
    query=schemas.EventsQuery,
    also=((200, NDJSON, LINES), (200, sse.MEDIA_TYPE, STREAM), (204, "", None)),
    refuses=("malformed_header",),
)
def list_events(query: dict[str, Any], game: str) -> Response:
    """Read the stream: a page of it, all of it as NDJSON, or live as server-sent events.

    Each event is shown as it is stored, byte by byte, with its chain link, so that anyone can check the chain. One that
    is damaged ends an answer: `unreadable` names it, as the last line of the NDJSON does. With
    `wait` an answer without events is held back until there is one. A live stream begins with the state, or goes on
    after `Last-Event-ID` or `after`; 204 means that nothing will follow.
    """
    kind = request.accept_mimetypes.best_match(["application/json", NDJSON, sse.MEDIA_TYPE])
    if kind == sse.MEDIA_TYPE:
        known = sse.last_event_id()
        games().enter(game, watching(game, query.get("ticket")))
        return sse.respond(game, query.get("after") if known is None else known)
    if "ticket" in query:
        raise invalid([{"query": "ticket", "detail": "Is for a live stream: send Accept: text/event-stream."}])
    after = query.get("after", 0)
    if kind == NDJSON:
        version = _awaited(game, after, query["wait"])
        return _lines(game, after, min(version, after + query.get("limit", version)))
    newest = _awaited(game, after, query["wait"])
    found = games().loader.page(game, after=after, count=query.get("limit", PAGE), newest=newest)
    shown = entries(found)
    last = after + len(shown)
    version = max(newest, after + len(found)) if found else newest
    content = {
        "game": game,
        "version": version,
        "after": last,
        "more": last < version,
        "events": shown,
        "unreadable": _unreadable(game, after, found, shown),
    }
    return reply(content)


def _unreadable(game: str, after: int, found: list[Entry], shown: list[dict[str, Any]]) -> int | None:
    """Return the version of the first entry that is not shown, None when all are.

    Raises:
        Frozen: It is the first of all.
    """
    if len(shown) == len(found):
        return None
    if not shown:
        raise Frozen(f"Event {after + 1} of game {game} is damaged; what is before can be read, and what is after.")
    return after + len(shown) + 1


def _awaited(game: str, after: int, seconds: int) -> int:
    """Return a game's version, once it is above another or the time is over; a deadline on the way is kept."""
    version = games().enter(game, reader()).version
    if version > after or not seconds:
        return version
    become("polls")
    until = time.monotonic() + seconds
    with services().watcher.watching(game) as watch:
        while True:
            loaded, _ = games().watch(game, reader())
            left = until - time.monotonic()
            if loaded.state.version > after or left <= 0:
                return loaded.state.version
            try:
                watch.wait(after, min(left, _until_due(loaded)))
            except ShuttingDown:
                # No news, at once: the process ends, and another one answers the next time.
                return loaded.state.version


def _until_due(loaded: LoadedGame) -> float:
    """Return the seconds until the game's next default is taken."""
    due = due_of(loaded.state)
    if due is None:
        return schemas.MOST_WAIT
    # At least one, so that a late clock makes no busy loop.
    return max(1.0, (due - games().clock.now()) / 1000)


def _lines(game: str, after: int, upto: int) -> Response:
    """Stream entries. The first batch is read before the answer begins, so that a failure has a status.

    A later one can only cut the answer short: its end is missing, and no client takes it for whole.
    """
    batches = games().loader.stream(game, after=after, upto=upto)
    first = next(batches, [])
    _unreadable(game, after, first[:1], entries(first[:1]))

    def lines() -> Iterator[bytes]:
        position = after
        try:
            for batch in chain([first], batches):
                shown = entries(batch)
                yield b"".join(msgspec.json.encode(line) + b"\n" for line in shown)
                position += len(shown)
                if len(shown) < len(batch):
                    yield msgspec.json.encode({"unreadable": position + 1}) + b"\n"
                    return
        except StoreError as error:
            _log.error("the lines of game %s break off: %s", game, error)
            # gunicorn cuts the connection for it, and logs no more
            raise BrokenPipeError(errno.EPIPE, "the answer has begun") from error

    return private(Response(lines(), mimetype=NDJSON), "Accept")


@history.operation("POST", "/games/<game:game>/tickets", schemas.TicketAnswer, status=201, body=NoBody)
def issue_ticket(_body: dict[str, Any], _query: dict[str, Any], game: str) -> Response:
    """Get a ticket for a live stream, for browsers' `EventSource`, which sends no token.

    It opens one stream (`?ticket=`), once, within 30 seconds. A browser that
    connects again takes a new one, with `after`; docs/api.md shows how.
    """
    games().enter(game, reader())
    content = {"game": game, "ticket": services().store.tickets.issue(game), "seconds": tickets.SECONDS}
    return reply(content, 201, secret=True)


@history.operation("GET", "/games/<game:game>/steps", schemas.StepListAnswer, query=schemas.StepsQuery)
def list_steps(query: dict[str, Any], game: str) -> Response:
    """List the steps of a game: each is one action with what came of it, in words and in the books.

    Forwards after a version, or backwards before one. A page looks at a bounded stretch of the game: with filters it
    may be short, or empty, while there is `more`.
    """
    version = games().enter(game, reader()).version
    wanted = finding.StepFilter(query.get("turn"), query.get("seat"), query.get("kind"))
    loader = games().loader
    if "before" in query:
        before = min(query["before"], version + 1)
        found = finding.backwards(
            games().loader, game, wanted, before=before, limit=query["limit"], after=query["after"]
        )
    else:
        found = finding.forwards(loader, game, wanted, after=query["after"], limit=query["limit"], upto=version)
    content = {
        "game": game,
        "version": version,
        "steps": [_step(step) for step in found.steps],
        ("before" if "before" in query else "after"): found.cursor,
        "more": found.more,
    }
    return reply(content)


@history.operation("GET", "/games/<game:game>/steps/<number:number>", schemas.StepViewAnswer, query=schemas.StepQuery)
def get_step(query: dict[str, Any], game: str, number: int) -> Response:
    """Show one step, with the game and the balances right after it, and what changed since another."""
    games().enter(game, reader())
    view = steps.one(games().loader, game, number, since=query.get("since"))
    content = {
        "game": game,
        "step": _step(view.step),
        "state": view.state,
        "balances": view.books.balances if view.books else None,
        "since": query.get("since", number - 1),
        "changes": view.changes,
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
        "kinds": step.kinds,
        "votes": [{"version": envelope.version, "event": envelope.data} for envelope in step.votes],
        "entries": step.entries,
        "unknown_event": step.unknown,
    }


@history.operation("GET", "/games/<game:game>/verification", schemas.VerificationAnswer, heavy=True)
def verify_game(_query: dict[str, Any], game: str) -> Response:
    """Verify a game: read the whole stream again and check its hash chain and what else must hold of it.

    All that an audit checks but for the execution of every action again, which takes longer than an answer should.
    """
    games().enter(game, reader())
    report = audit_game(games(), game, execute=False)
    content = {
        "game": game,
        "version": report.version,
        "head": report.head_hex,
        "sealed": report.sealed,
        "verdict": report.verdict,
        "sound": not report.findings,
        **shown(report),
    }
    return reply(content)
