"""The jobs: plain arguments, safe twice, safe late."""

import os

from events.store import EventStore, Keyframes, connect
from service.games.loading import Loader
from service.settings import OperatorError, Settings
from service.trees import Trees


def reach() -> tuple[EventStore, Keyframes]:
    """Reach the store that the environment names.

    Raises:
        OperatorError: It names none.
    """
    url = Settings.load(os.environ).redis_url
    if url is None:
        raise OperatorError("A job needs ROLLBOOK_REDIS_URL")
    client = connect(url)
    return EventStore(client), Keyframes(client)


def make_keyframes(game: str) -> int:
    """Store the keyframes of a game that are still missing, of its tree too; gives how many were made."""
    reached = reach()
    return Trees(*reached).save(game) + Loader(*reached).save_keyframes(game)
