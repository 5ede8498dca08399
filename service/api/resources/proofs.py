"""Proofs: signed checkpoints, and that one event or one earlier state belongs to them."""

from typing import Any

import msgspec
from flask import Response, request

from service.api.http.answers import private, reply
from service.api.http.context import reader, services
from service.api.http.problems import invalid
from service.api.http.resource import Resource
from service.api.schemas import proofs as schemas
from service.keys.notes import Verifier

NOTE = "text/plain"
TEXT: dict[str, Any] = {"type": "string", "description": "The signed note alone."}

proofs = Resource("proofs", "Proofs: signed checkpoints, and that one event or one earlier state belongs to them.")


@proofs.operation("GET", "/keys", schemas.KeyListAnswer)
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


@proofs.operation(
    "GET", "/games/<game:game>/checkpoint", schemas.CheckpointAnswer, query=schemas.SizeQuery, also=[(200, NOTE, TEXT)]
)
def get_checkpoint(query: dict[str, Any], game: str) -> Response:
    """Get a signed checkpoint of a game, the newest or that of a size.

    With `Accept: text/plain` the answer is the signed note alone.
    """
    signed = services().proofs.checkpoint(game, reader(), size=query.get("size"))
    if request.accept_mimetypes.best_match(["application/json", NOTE]) == NOTE:
        return private(Response(signed.note, mimetype=NOTE), "Accept")
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


@proofs.operation(
    "GET", "/games/<game:game>/events/<number:number>/proof", schemas.InclusionAnswer, query=schemas.SizeQuery
)
def prove_inclusion(query: dict[str, Any], game: str, number: int) -> Response:
    """Prove that an event is in the game, as it is or as it was at a size (RFC 9162, 2.1.3).

    The answer is a file that stands alone: `rollbook verify` and `docs/verify_bundle.py` check it offline.
    """
    found = services().proofs.inclusion(game, reader(), version=number, size=query.get("size"))
    return reply(msgspec.to_builtins(found))


@proofs.operation("GET", "/games/<game:game>/consistency", schemas.ConsistencyAnswer, query=schemas.SizesQuery)
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
