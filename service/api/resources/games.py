"""Games: open one, list them, show one at any version."""

from typing import Any

from flask import Response, url_for

from events import chain
from service.api.http import cursors
from service.api.http.answers import acted, reply, shown, unchanged
from service.api.http.context import LEAST_OPEN_KEY, ask, has, reader, services, version_of
from service.api.http.context import games as all_games
from service.api.http.resource import Resource
from service.api.schemas import games as schemas
from service.api.schemas.base import AtQuery, NoBody
from service.games.records import Created, NewFork, NewGame
from service.queries import games as listing
from service.replay import steps

games = Resource("games", "Games: open one, list them, show one at any version.")


@games.operation(
    "POST",
    "/games",
    schemas.CreatedAnswer,
    status=201,
    body=schemas.NewGameBody,
    writes=True,
    least_key=LEAST_OPEN_KEY,
)
def create_game(body: dict[str, Any], _query: dict[str, Any]) -> Response:
    """Open a game.

    Its id and its tokens follow from the idempotency key: a repeat gives the same game, to anyone who knows the key.
    """
    asked, secret = ask(least_key=LEAST_OPEN_KEY), body.pop("secret")
    created = all_games().opening.create(NewGame(**body, secret=bytes.fromhex(secret) if secret else None), asked)
    response = acted(
        created.answer,
        host_token=created.host_token,
        join_code=created.join_code,
        watch_token=created.watch_token,
    )
    response.headers["Location"] = url_for("games.get_game", game=created.answer.game)
    return response


@games.operation("GET", "/games", schemas.GameListAnswer, query=schemas.GamesQuery)
def list_games(query: dict[str, Any]) -> Response:
    """List games, newest first or oldest first.

    Private games are listed for the operator alone. A cursor belongs to the filters that it was made with. A page may
    be empty and not the last, where many games were read in vain: the list ends where `next` is null.
    """
    filters = cursors.of(query, ("rulebook", "status", "parent", "seats", "since", "until", "order"))
    after = cursors.read(query["cursor"], tuple[int, str], filters) if "cursor" in query else None
    wanted = listing.GameFilter(**filters, private=all_games().gate.is_operator(reader()))
    lines, place = listing.page(services().store.index, wanted, after=after, limit=query["limit"])
    return reply({"games": lines, "next": cursors.write(place, filters) if place else None})


@games.operation("GET", "/games/<game:game>", schemas.GameAnswer, query=AtQuery, cached=True)
def get_game(query: dict[str, Any], game: str) -> Response:
    """Show a game: its state at the newest version, at any other, or as of a time.

    Deadlines are times, not seconds left, so that a state with the same tag is the same state.
    """
    if "at" in query or "time" in query:
        state, _, link = all_games().loader.at(game, version_of(game, query))
        assert state is not None, "a version from 1 has a state"
    else:
        loaded, _ = all_games().watch(game, reader())
        state, link = loaded.state, loaded.link
    etag = chain.etag(state.version, link)
    return unchanged(etag) if has(etag) else reply(shown(all_games(), state, link), etag=etag)


@games.operation(
    "POST",
    "/games/<game:game>/forks",
    schemas.OpenedAnswer,
    status=201,
    body=schemas.ForkBody,
    repeats=True,
    least_key=LEAST_OPEN_KEY,
    refuses=(
        "not_forkable",
        "secret_kept",
        "unsupported_rules",
        "made_by_other_code",
        "idempotency_key_reused",
        "store_full",
    ),
)
def fork_game(body: dict[str, Any], _query: dict[str, Any], game: str) -> Response:
    """Open a game that goes on from a step of this one, with a chain of its own and its seats to be taken again.

    Its chance is new; the same only once this game's secret is revealed, since it would show the future. A fork of a
    private game is private.
    """
    asked = ask(least_key=LEAST_OPEN_KEY)
    all_games().enter(game, reader())
    view = steps.one(all_games().loader, game, body["step"])
    status = view.state.status if view.state else "unknown"
    new = NewFork(game, body["step"], view.step.last, status, same_chance=body["same_chance"])
    return _opened(all_games().opening.fork(new, asked), parent=game)


@games.operation(
    "POST",
    "/games/<game:game>/rematch",
    schemas.OpenedAnswer,
    status=201,
    body=NoBody,
    repeats=True,
    refuses=("not_over", "option_out_of_bounds", "unknown_option", "store_full"),
)
def open_rematch(_body: dict[str, Any], _query: dict[str, Any], game: str) -> Response:
    """Open the next game after this one, with its options, as its host; asked for again, it is the same one."""
    return _opened(all_games().opening.rematch(game, ask()), parent=game)


@games.operation("GET", "/games/<game:game>/rematch", schemas.RematchedAnswer)
def get_rematch(_query: dict[str, Any], game: str) -> Response:
    """Show the rematch that was opened after this game, if there is one; to those at the table with its join code."""
    rematch, join_code = all_games().opening.rematch_of(game, reader())
    return reply({"game": game, "rematch": rematch or None, "join_code": join_code}, secret=bool(join_code))


def _opened(created: Created, *, parent: str) -> Response:
    answer = created.answer
    etag = chain.etag(answer.version, answer.head)
    content = {
        "game": answer.game,
        "parent": parent,
        "version": answer.version,
        "head": answer.head.hex(),
        "etag": etag,
        "host_token": created.host_token,
        "join_code": created.join_code,
        "watch_token": created.watch_token,
    }
    response = reply(content, 201, etag=etag, secret=True)
    response.headers["Location"] = url_for("games.get_game", game=answer.game)
    if answer.repeated:
        response.headers["Idempotency-Hit"] = "true"
    return response
