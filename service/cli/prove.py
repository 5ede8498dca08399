"""`rollbook prove`: one file that proves one event of a game, such as a payment, to anyone."""

import sys
from typing import Any

import click
import msgspec

from events.store import StreamDamaged
from projections.replay import BrokenChain
from service.audit.proofs.event_proof import EventProof, prove
from service.audit.proofs.merkle_tree import Trees
from service.bootstrap import Services
from service.cli.options import load_settings, store_options
from service.cli.store import check_exists, newest_version, open_services
from service.keys.notes import Signer
from service.keys.signing import read_signer
from service.settings import OperatorError


@click.command("prove")
@click.argument("game")
@click.argument("version", type=click.IntRange(min=1))
@store_options
def prove_event(*, game: str, version: int, **options: Any) -> None:
    """Print the proof that the event of this VERSION is in GAME, signed; `rollbook verify` checks it offline.

    The versions of payments stand in `rollbook ledger GAME --json` and in what `rollbook export` writes.
    """
    with open_services(options, game) as services:
        check_exists(services, game)
        proof = _prove(services, game, version, read_signer(load_settings(**options).signing_key_file))
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(proof)) + b"\n")


def _prove(services: Services, game: str, version: int, signer: Signer) -> EventProof:
    """Prove an event by the game as it is.

    Raises:
        OperatorError: There is no such event, or the game lost events or is damaged: nothing is signed then.
    """
    size = newest_version(services, game)
    if services.games.guard.lost(game):
        raise OperatorError(f"Game {game} has lost events that were acknowledged: nothing is signed of it.")
    if version > size:
        raise OperatorError(f"Game {game} has no event {version}: it ends with {size}.")
    store = services.store
    try:
        tree = Trees(store.streams, store.keyframes).at(game, size, also=[version - 1])
        (entry,) = store.streams.read(game, after=version - 1, upto=version, count=1)
    except (BrokenChain, StreamDamaged) as error:
        raise OperatorError(f"Game {game} is damaged, and nothing is signed of it: {error}") from error
    return prove(game, tree, version, entry.data, signer)
