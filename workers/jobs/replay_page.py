"""The page that replays a game, as a worker makes it."""

from collections.abc import Callable

from service.audit.audit import audit_game
from service.audit.verify import shown
from service.games.games import Games
from service.replay.page import write_page
from service.replay.pages import Pages
from workers import wiring
from workers.jobs.progress import progress


def make_page(game: str) -> int:
    """Make the page that replays a game, and keep it for an hour; return the version that it ends with."""
    wired = wiring.services()
    assert wired.jobs is not None, "a job comes from a queue"
    return perform(wired.games, Pages(wired.jobs.connection), game, progress())


def perform(games: Games, pages: Pages, game: str, on_event: Callable[[int, int], None]) -> int:
    """Make the page of a game as it is, and keep it; return the version that it ends with.

    An erasure removes the pages that were made before it. A page that was being made meanwhile may hold the erased
    text and is made again: either there are more erased texts after it is kept, or the removal comes after that.
    """
    while True:
        head, erased = games.store.streams.head(game), len(games.store.sidecar.erased(game))
        version = head.version if head else 0
        checked = shown(audit_game(games, game, execute=False))
        page = write_page(games.loader, game, upto=version, verification=checked, progress=on_event)
        pages.save(game, version, erased, page)
        if len(games.store.sidecar.erased(game)) == erased:
            return version
        pages.forget(game)
