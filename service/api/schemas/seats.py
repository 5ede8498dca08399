"""The lobby, who sits where, and the erasure of what was typed in there."""

from typing import Any

import marshmallow as ma
from marshmallow.validate import OneOf

from service.api.schemas import fields as f
from service.api.schemas.base import Strict, many, text, whole
from service.api.schemas.play import ActedAnswer
from service.rules.options import BOT_LEVELS

BOT_LEVEL = "sensible"


class OptionsBody(Strict):
    """Options to be changed; the others stay."""

    options = f.Options(required=True)


class NewSeatBody(Strict):
    """Who sits down."""

    kind = ma.fields.String(load_default="person", validate=OneOf(("person", "bot")))
    level = ma.fields.String(
        load_default=str, validate=OneOf(BOT_LEVELS), metadata={"description": "How a bot plays; not for a person."}
    )

    name = f.Name(load_default=str, metadata={"description": "Stored outside the stream, and can be erased."})
    nonce_commitment = f.Hex(
        least=32, most=32, load_default=str, metadata={"description": "SHA-256 of the nonce that the seat will open."}
    )

    @ma.post_load
    def fill_level(self, body: dict[str, Any], **_options: Any) -> dict[str, Any]:
        """Set the level of a bot whose level was left out."""
        return {**body, "level": body["level"] or BOT_LEVEL} if body["kind"] == "bot" else body

    @ma.validates_schema
    def check_kind(self, body: dict[str, Any], **_options: Any) -> None:
        """Refuse what only the other kind of player has."""
        if body["kind"] == "person" and body["level"]:
            raise ma.ValidationError("Only a bot has a level.", "level")
        if body["kind"] == "bot" and body["nonce_commitment"]:
            raise ma.ValidationError("A bot opens no nonce.", "nonce_commitment")


class BotBody(Strict):
    """Which bot plays at a seat."""

    level = ma.fields.String(load_default=BOT_LEVEL, validate=OneOf(BOT_LEVELS))


class ReadyBody(Strict):
    """What a seat agrees to."""

    edition = f.Whole(least=1, required=True, metadata={"description": "Edition of the options agreed to."})
    nonce = f.Hex(
        least=16, most=64, load_default=f.left_out, metadata={"description": "The nonce committed to, 16 to 64 bytes."}
    )


class SeatedAnswer(ActedAnswer):
    """A seat and its token, shown here alone."""

    seat = whole()
    token = text("Empty for a bot.")


class ReopenedAnswer(ActedAnswer):
    """A seat that another person may take, and the code for it, shown here alone."""

    seat = whole()
    join_code = text()


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
        validate=OneOf(["started", "queued", "left"]),
        metadata={
            "description": "The store's file, in which the texts still stand: it is being rewritten (`started`),"
            " will be by a worker (`queued`), or has to be by the operator (`left`)."
        },
    )
    not_reached = many(ma.fields.String())
