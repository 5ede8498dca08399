"""Pages that a worker makes: asked for, watched, and made once for each version of a game."""

from collections.abc import Callable

from events.store import Store
from service.bootstrap import Services
from service.errors import NoPage, NotReady
from service.jobs import Job, JobQueue
from service.replay.page import write_page

PAGE_JOB = "workers.jobs.make_page"


def ask_for(jobs: JobQueue, store: Store, game: str, version: int) -> Job:
    """Have the page of a game made, unless it is being made, or is there; what failed is made again.

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
        there = known.status == "finished" and jobs.pages.newest(game, len(store.sidecar.erased(game))) == version
        if known.open or there:
            return known
    return jobs.start(PAGE_JOB, game, "")


def perform(services: Services, jobs: JobQueue, game: str, told: Callable[[int, int], None]) -> int:
    """Make the page of a game as it is, and keep it; gives the version that it ends with.

    Whoever erases a text removes the pages behind it. One that was being made meanwhile may hold the text, and is made
    anew: either it is seen here that there are more erased ones, or the removal comes after and takes the page.
    """
    while True:
        head, erased = services.store.streams.head(game), len(services.store.sidecar.erased(game))
        version = head.version if head else 0
        jobs.pages.save(game, version, erased, write_page(services.games.loader, game, upto=version, progress=told))
        if len(services.store.sidecar.erased(game)) == erased:
            return version
        jobs.pages.forget(game)


def ready(jobs: JobQueue, store: Store, game: str) -> int:
    """Give the version of the page that is there.

    Raises:
        NotReady: It is being made.
        NoPage: It was never asked for, is over its time, or failed.
        QueueUnavailable: The queue does not answer.
    """
    known = jobs.find(PAGE_JOB, game)
    if known is not None and known.open:
        raise NotReady(f"The page of game {game} is being made.", known.status, known.done, known.total)
    version = jobs.pages.newest(game, len(store.sidecar.erased(game)))
    if not version:
        failed = known is not None and known.status == "failed"
        why = "could not be made" if failed else "was not made, or not within the last hour"
        raise NoPage(f"The page of game {game} {why}; POST here has it made.")
    return version
