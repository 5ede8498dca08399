"""Requests for the page that replays a game, which a worker makes once for each version of the game."""

from events.store import Store
from service.errors import NoPage, NotReady
from service.jobs import PAGE_JOB, Job, JobQueue
from service.replay.pages import Pages


def ask_for(jobs: JobQueue, store: Store, game: str, version: int) -> Job:
    """Request the page of a game, and return its job; a page that is being made, or is there, is not made again.

    Args:
        jobs: The queue.
        store: Where the game lies.
        game: Its id.
        version: Its newest version.

    Raises:
        QueueUnavailable: The queue does not answer.
    """
    known = jobs.find(PAGE_JOB, game)
    if known is not None:
        there = (
            known.status == "finished"
            and Pages(jobs.connection).newest(game, len(store.sidecar.erased(game))) == version
        )
        if known.open or there:
            return known
    return jobs.start(PAGE_JOB, game, "")


def ready_version(jobs: JobQueue, store: Store, game: str) -> int:
    """Return the version of the page that is there.

    Raises:
        NotReady: It is being made.
        NoPage: It was never requested, has expired, or could not be made.
        QueueUnavailable: The queue does not answer.
    """
    known = jobs.find(PAGE_JOB, game)
    if known is not None and known.open:
        raise NotReady(f"The page of game {game} is being made.", known.status, known.done, known.total)
    version = Pages(jobs.connection).newest(game, len(store.sidecar.erased(game)))
    if not version:
        failed = known is not None and known.status == "failed"
        why = "could not be made" if failed else "was not made, or not within the last hour"
        raise NoPage(f"The page of game {game} {why}; POST here has it made.")
    return version
