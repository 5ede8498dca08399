"""Checkpoints and proofs."""

import marshmallow as ma

from service.api.schemas import fields as f
from service.api.schemas.base import Strict, flag, many, text, whole


class SizeQuery(Strict):
    """Which size of the game to show."""

    size = f.QueryWhole(least=1, metadata={"description": "Number of events; all of them without it."})


class SizesQuery(Strict):
    """Which two sizes of the game to compare."""

    first = f.QueryWhole(
        least=1, load_default=1, data_key="from", metadata={"description": "The smaller size; 1 without it."}
    )
    second = f.QueryWhole(least=1, data_key="to", metadata={"description": "The larger size; the newest without it."})


class KeyLine(Strict):
    """A key that checkpoints are or were signed with."""

    key = text("Verifier key of the signed note form: name, id and key, joined by plus signs.")
    name = text()
    id = text("In hex, as it stands before the signatures.")
    algorithm = text()
    public_key = text("32 bytes in hex.")
    current = flag("New checkpoints are signed with it.")


class KeyListAnswer(Strict):
    """Every key that signs, or signed, checkpoints here."""

    keys = many(KeyLine)


class CheckpointAnswer(Strict):
    """A game at a size, signed."""

    game = text()
    size = whole("Number of events: the version of the last one.")
    root = text("Root of the tree over them, in hex.")
    head = text("Chain link of the last one, in hex.")
    note = text("The same as a signed note: keep it, and no part of it can be changed unnoticed.")


class InclusionAnswer(Strict):
    """The proof that an event is in the game."""

    game = text()
    version = whole("The event's.")
    size = whole("Of the tree that it is proved to be in.")
    event = text("Its bytes, as they are stored.")
    leaf = text("Hash of the event's bytes, in hex.")
    root = text("Root of that tree, in hex.")
    proof = many(ma.fields.String())
    checkpoint = text("Signed note with root and size.")
    key = text("Verifier key of its signature.")


class ConsistencyAnswer(Strict):
    """The proof that nothing before a version was changed after it."""

    game = text()
    first = ma.fields.Integer(required=True, data_key="from", metadata={"description": "Size of the smaller tree."})
    second = ma.fields.Integer(required=True, data_key="to", metadata={"description": "Size of the larger one."})
    first_root = ma.fields.String(required=True, data_key="from_root", metadata={"description": "In hex."})
    second_root = ma.fields.String(required=True, data_key="to_root", metadata={"description": "In hex."})
    proof = many(ma.fields.String())
    checkpoint = text("Signed note with the larger tree's root and size.")
