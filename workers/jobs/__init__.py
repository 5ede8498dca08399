"""The jobs: plain arguments, safe twice, safe late."""

import os
from collections.abc import Callable

from rq import get_current_job

from events.store import Store, connect
from service.audit.proofs.merkle_tree import Trees
from service.bootstrap import build_for_reading
from service.games.loading import Loader
from service.replay.pages import Pages
from service.settings import OperatorError, Settings
from workers.jobs import audit, replay_page
from workers.wired import services

REWRITE_SECONDS = 500  # less than the queue gives a job


def reach() -> Store:
    """Reach the store that the environment names.

    Raises:
        OperatorError: It names none.
    """
    url = Settings.load(os.environ).redis_url
    if url is None:
        raise OperatorError("A job needs ROLLBOOK_REDIS_URL")
    return Store(connect(url))


def audit_game(game: str) -> int:
    """Audit a game and keep the report; gives the number of findings."""
    settings = Settings.load(os.environ)
    if settings.redis_url is None:
        raise OperatorError("A job needs ROLLBOOK_REDIS_URL")
    services = build_for_reading(settings, redis_url=settings.redis_url)
    return len(audit.perform(services.games, game, _progress())["findings"])


def _progress() -> Callable[[int, int], None]:
    """Tell how far it is, a hundred times and at the end: each time is a write to the queue."""
    job, told = get_current_job(), 0

    def tell(done: int, total: int) -> None:
        nonlocal told
        if job is not None and ((done - told) * 100 >= total or done == total):
            told = done
            job.meta.update(done=done, total=total)
            job.save_meta()  # type: ignore[no-untyped-call] # RQ has types for most

    return tell


def make_page(game: str) -> int:
    """Make the page that replays a game, and keep it for an hour; gives the version that it ends with."""
    wired = services()
    assert wired.jobs is not None, "a job comes from a queue"
    return replay_page.perform(wired.games, Pages(wired.jobs.connection), game, _progress())


def move_bot(game: str, seat: int, moves: int) -> bool:
    """Make a bot's move, unless it was made or is nobody's any more; tells whether this job made it."""
    return services().games.bots.move(game, seat, moves)


def make_keyframes(game: str) -> int:
    """Store the keyframes of a game that are still missing, of its tree too; gives how many were made."""
    store = reach()
    return Trees(store.streams, store.keyframes).save(game) + Loader(store).save_keyframes(game)


def rewrite_log(game: str) -> bool:
    """Have the store's append-only file written anew, without what was erased; tells whether it was."""
    return reach().sidecar.rewrite(game, seconds=REWRITE_SECONDS)
