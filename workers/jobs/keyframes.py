"""The keyframes of a game, so that a moment late in it is found fast."""

from service.audit.proofs.merkle_tree import Trees
from workers import wiring


def make_keyframes(game: str) -> int:
    """Store the keyframes of a game that are still missing, of its tree too; return how many were made."""
    store, loader = wiring.services().store, wiring.services().games.loader
    return Trees(store.streams, store.keyframes).save(game) + loader.save_keyframes(game)
