"""Erasure: whoever holds a seat takes back what was typed in there."""

from typing import Any

import marshmallow as ma
from flask import Response

from service import privacy as erasing
from service.api.http.answers import reply
from service.api.http.context import games, reader, services
from service.api.http.resource import Resource
from service.api.schemas import answers as a
from service.api.schemas.requests import NoBody, Strict

erasure = Resource("erasure", "Erasure: whoever holds a seat takes back what was typed in there.")


class ErasedTextAnswer(Strict):
    """A text that is gone."""

    digest = a.text("Its digest on the stream, in hex.")
    at = a.whole("When it was erased (UTC, ms).")
    by = a.text("Who erased it: `seat:` and a number, or `operator`.")


class ErasureAnswer(Strict):
    """What is erased."""

    game = a.text()
    texts = a.many(ErasedTextAnswer)
    rewrite = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(["started", "queued", "left"]),
        metadata={
            "description": "The store's file, in which the texts still stand: it is being written anew (`started`),"
            " will be by a worker (`queued`), or has to be by whoever runs the service (`left`)."
        },
    )
    not_reached = a.many(ma.fields.String())


@erasure.operation("DELETE", "/games/<game:game>/seats/<seat:seat>/texts", ErasureAnswer, body=NoBody)
def erase_texts(_body: dict[str, Any], _query: dict[str, Any], game: str, seat: int) -> Response:
    """Erase what was typed in at a seat so far: its name, speeches, house rules, labels, agreements, its opened nonce.

    The stream stays as it is, with its entity tag and its chain, and the game may be over. In the place of a text
    `[erased]` is shown from now on. Sent again it changes nothing, and has the store's file written anew once more.
    """
    return _erased(erasing.erase_own(games(), services().store, game, seat, reader()))


@erasure.operation(
    "DELETE",
    "/games/<game:game>/seats/<seat:seat>/texts/<digest:digest>",
    ErasureAnswer,
    body=NoBody,
    refuses=("no_such_text",),
)
def erase_text(_body: dict[str, Any], _query: dict[str, Any], game: str, seat: int, digest: str) -> Response:
    """Erase one text that was typed in at a seat, by the digest that stands in its place in states and events."""
    return _erased(erasing.erase_own(games(), services().store, game, seat, reader(), text=digest))


def _erased(done: erasing.Erasure) -> Response:
    texts = [{"digest": digest, "at": note.at, "by": note.by} for digest, note in done.texts.items()]
    rewrite = erasing.rewrite_soon(services().store, done.game, services().jobs)
    return reply({"game": done.game, "texts": texts, "rewrite": rewrite, "not_reached": erasing.NOT_REACHED})
