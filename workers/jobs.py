"""The jobs: plain arguments, safe twice, safe late."""

import os

from events.store import EventStore, Keyframes, connect
from service.games.loading import Loader
from service.settings import OperatorError, Settings
from workers.wired import services


def loader() -> Loader:
    """Reach the store that the environment names.

    Raises:
        OperatorError: It names none.
    """
    url = Settings.load(os.environ).redis_url
    if url is None:
        raise OperatorError("A job needs ROLLBOOK_REDIS_URL")
    client = connect(url)
    return Loader(EventStore(client), Keyframes(client))


def move_bot(game: str, seat: int, moves: int) -> bool:
    """Make a bot's move, unless it was made or is nobody's any more; tells whether this job made it."""
    return services().games.move_bot(game, seat, moves)


def make_keyframes(game: str) -> int:
    """Store the keyframes of a game that are still missing; gives how many were made."""
    return loader().save_keyframes(game)
