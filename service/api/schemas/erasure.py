"""Erased texts."""

import marshmallow as ma

from service.api.schemas.base import Strict, many, text, whole


class ErasedTextAnswer(Strict):
    """A text that is gone."""

    digest = text("Its digest on the stream, in hex.")
    at = whole("When it was erased (UTC, ms).")
    by = text("Who erased it: `seat:` and a number, or `operator`.")


class ErasureAnswer(Strict):
    """What is erased."""

    game = text()
    texts = many(ErasedTextAnswer)
    rewrite = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(["started", "queued", "left"]),
        metadata={
            "description": "The store's file, in which the texts still stand: it is being rewritten (`started`),"
            " will be by a worker (`queued`), or has to be by the operator (`left`)."
        },
    )
    not_reached = many(ma.fields.String())
