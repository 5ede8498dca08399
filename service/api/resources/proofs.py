"""Proofs: signed checkpoints, and that one event or one earlier state belongs to them."""

from typing import Any

import marshmallow as ma
from flask import Response, request

from service.api.http.answers import reply
from service.api.http.context import reader, services
from service.api.http.problems import invalid
from service.api.http.resource import Resource
from service.api.schemas import answers as a
from service.api.schemas import fields as f
from service.api.schemas.requests import Strict
from service.audit.proofs.proofs import Signed
from service.keys.notes import Verifier

NOTE = "text/plain"
TEXT: dict[str, Any] = {"type": "string", "description": "The signed note alone."}

proofs = Resource("proofs", "Proofs: signed checkpoints, and that one event or one earlier state belongs to them.")


class SizeQuery(Strict):
    """Which size of the game to tell of."""

    size = f.QueryWhole(least=1, metadata={"description": "Number of events; all of them without it."})


class SizesQuery(Strict):
    """Which two sizes of the game to compare."""

    first = f.QueryWhole(
        least=1, load_default=1, data_key="from", metadata={"description": "The smaller size; 1 without it."}
    )
    second = f.QueryWhole(least=1, data_key="to", metadata={"description": "The larger size; the newest without it."})


class KeyLine(Strict):
    """A key that checkpoints are or were signed with."""

    key = a.text("Verifier key of the signed note form: name, id and key, joined by plus signs.")
    name = a.text()
    id = a.text("In hex, as it stands before the signatures.")
    algorithm = a.text()
    public_key = a.text("32 bytes in hex.")
    current = a.flag("New checkpoints are signed with it.")


class KeysAnswer(Strict):
    """Every key that signs, or signed, checkpoints here."""

    keys = a.many(KeyLine)


class CheckpointAnswer(Strict):
    """A game at a size, signed."""

    game = a.text()
    size = a.whole("Number of events: the version of the last one.")
    root = a.text("Root of the tree over them, in hex.")
    head = a.text("Chain link of the last one, in hex.")
    note = a.text("The same as a signed note: keep it, and no part of it can be changed unnoticed.")


class InclusionAnswer(Strict):
    """The proof that an event is in the game."""

    game = a.text()
    version = a.whole("The event's.")
    size = a.whole("Of the tree that it is proved to be in.")
    leaf = a.text("Hash of the event's bytes, in hex.")
    root = a.text("Root of that tree, in hex.")
    proof = a.many(ma.fields.String())
    checkpoint = a.text("Signed note that says root and size.")


class ConsistencyAnswer(Strict):
    """The proof that nothing before a version was changed after it."""

    game = a.text()
    first = ma.fields.Integer(required=True, data_key="from", metadata={"description": "Size of the smaller tree."})
    second = ma.fields.Integer(required=True, data_key="to", metadata={"description": "Size of the larger one."})
    first_root = ma.fields.String(required=True, data_key="from_root", metadata={"description": "In hex."})
    second_root = ma.fields.String(required=True, data_key="to_root", metadata={"description": "In hex."})
    proof = a.many(ma.fields.String())
    checkpoint = a.text("Signed note that says the larger tree's root and size.")


@proofs.operation("GET", "/keys", KeysAnswer)
def list_keys(_query: dict[str, Any]) -> Response:
    """List the keys that sign checkpoints, and those that did before."""
    keys = services().proofs.keys
    return reply({"keys": [_key(one, current=one == keys.signer.verifier) for one in keys.verifiers]})


def _key(verifier: Verifier, *, current: bool) -> dict[str, Any]:
    return {
        "key": verifier.text,
        "name": verifier.name,
        "id": verifier.id.hex(),
        "algorithm": "Ed25519",
        "public_key": verifier.public.hex(),
        "current": current,
    }


@proofs.operation("GET", "/games/<game:game>/checkpoint", CheckpointAnswer, query=SizeQuery, also=[(200, NOTE, TEXT)])
def get_checkpoint(query: dict[str, Any], game: str) -> Response:
    """Get a signed checkpoint of a game, the newest or that of a size.

    With `Accept: text/plain` the answer is the signed note alone.
    """
    signed = services().proofs.checkpoint(game, reader(), size=query.get("size"))
    if request.accept_mimetypes.best_match(["application/json", NOTE]) == NOTE:
        return _plain(signed)
    checkpoint = signed.checkpoint
    return reply(
        {
            "game": game,
            "size": checkpoint.size,
            "root": checkpoint.root.hex(),
            "head": checkpoint.head.hex(),
            "note": signed.note,
        }
    )


def _plain(signed: Signed) -> Response:
    response = Response(signed.note, mimetype=NOTE)
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Authorization")
    response.vary.add("Accept")
    return response


@proofs.operation("GET", "/games/<game:game>/events/<number:number>/proof", InclusionAnswer, query=SizeQuery)
def prove_inclusion(query: dict[str, Any], game: str, number: int) -> Response:
    """Prove that an event is in the game, as it is or as it was at a size (RFC 9162, 2.1.3)."""
    found = services().proofs.inclusion(game, reader(), version=number, size=query.get("size"))
    checkpoint = found.signed.checkpoint
    return reply(
        {
            "game": game,
            "version": number,
            "size": checkpoint.size,
            "leaf": found.leaf.hex(),
            "root": checkpoint.root.hex(),
            "proof": [one.hex() for one in found.proof],
            "checkpoint": found.signed.note,
        }
    )


@proofs.operation("GET", "/games/<game:game>/consistency", ConsistencyAnswer, query=SizesQuery)
def prove_consistency(query: dict[str, Any], game: str) -> Response:
    """Prove that the game at one size is the beginning of the game at another (RFC 9162, 2.1.4)."""
    first, second = query["first"], query.get("second")
    if second is not None and first > second:
        raise invalid([{"query": "from", "detail": "Must not be above `to`."}])
    found = services().proofs.consistency(game, reader(), first=first, second=second)
    checkpoint = found.signed.checkpoint
    return reply(
        {
            "game": game,
            "from": first,
            "to": checkpoint.size,
            "from_root": found.root.hex(),
            "to_root": checkpoint.root.hex(),
            "proof": [one.hex() for one in found.proof],
            "checkpoint": found.signed.note,
        }
    )
