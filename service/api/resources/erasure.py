"""Erasure: the holder of a seat takes back what was typed in there."""

from typing import Any

from flask import Response

from service import privacy as erasing
from service.api.http.answers import reply
from service.api.http.context import games, reader, services
from service.api.http.resource import Resource
from service.api.schemas import seats as schemas
from service.api.schemas.base import NoBody
from service.replay.pages import forget_pages

erasure = Resource("erasure", "Erasure: the holder of a seat takes back what was typed in there.")


@erasure.operation("DELETE", "/games/<game:game>/seats/<seat:seat>/texts", schemas.ErasureAnswer, body=NoBody)
def erase_texts(_body: dict[str, Any], _query: dict[str, Any], game: str, seat: int) -> Response:
    """Erase what was typed in at a seat so far: its name, speeches, house rules, labels, agreements, its opened nonce.

    The stream stays as it is, with its entity tag and its chain, and the game may be over. In the place of a text
    `[erased]` is shown from now on. Sent again it changes nothing, and has the store's file rewritten once more.
    """
    return _erased(erasing.erase_own(games(), services().store, game, seat, reader()))


@erasure.operation(
    "DELETE",
    "/games/<game:game>/seats/<seat:seat>/texts/<digest:digest>",
    schemas.ErasureAnswer,
    body=NoBody,
    refuses=("no_such_text",),
)
def erase_text(_body: dict[str, Any], _query: dict[str, Any], game: str, seat: int, digest: str) -> Response:
    """Erase one text that was typed in at a seat, by the digest that stands in its place in states and events."""
    return _erased(erasing.erase_own(games(), services().store, game, seat, reader(), text=digest))


def _erased(done: erasing.Erasure) -> Response:
    texts = [{"digest": digest, "at": note.at, "by": note.by} for digest, note in done.texts.items()]
    jobs = services().jobs
    # Pages that replay the game are in the store's file, too.
    forgotten = forget_pages(jobs, done.game)
    rewrite = erasing.rewrite_soon(services().store, done.game, jobs) if forgotten else "left"
    return reply({"game": done.game, "texts": texts, "rewrite": rewrite, "not_reached": erasing.NOT_REACHED})
