"""The store's file without what was erased."""

from workers import wiring

REWRITE_SECONDS = 500
"""Less than the queue gives a job."""


def rewrite_log(game: str) -> bool:
    """Have the store's append-only file written again, without what was erased; return whether it was."""
    return wiring.services().store.sidecar.rewrite(game, seconds=REWRITE_SECONDS)
