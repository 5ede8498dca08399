"""The store as the commands that read it open it: its games, one game that exists, one that is loaded."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from events.store import StoreError
from service.bootstrap import Services, build_for_reading
from service.cli.options import load_settings
from service.errors import Frozen, ServiceError
from service.games.loading import HISTORY
from service.games.records import LoadedGame
from service.hosting.valkey import open_store
from service.settings import OperatorError


@contextmanager
def open_services(options: dict[str, Any], game: str | None = None) -> Iterator[Services]:
    """Reach the store that the options name, next to a running `rollbook serve` or on its own.

    Args:
        options: Of the command.
        game: The only one that the command is about; None for all.

    Raises:
        OperatorError: A game cannot be read as far as the command needs it.
    """
    settings = load_settings(**options)
    with open_store(settings, existing=True) as url:
        try:
            yield build_for_reading(settings, redis_url=url, game=game)
        except (Frozen, StoreError):
            raise
        except HISTORY as error:
            text = f"The game cannot be read to its end: {error}; `rollbook audit` names every event that is off"
            raise OperatorError(text) from error


def check_exists(services: Services, game: str) -> None:
    """Check that there is such a game, however damaged.

    Raises:
        OperatorError: There is none.
    """
    store = services.store
    try:
        # A game without its head record is damaged, not unknown.
        found = store.streams.head(game) or store.streams.tail(game, action=None, request=None, after=0).head
    except (StoreError, ValueError) as error:
        raise OperatorError(str(error)) from error
    if found is None:
        raise OperatorError(f"There is no game {game}.")


def load(services: Services, game: str) -> LoadedGame:
    """Load a game at its head.

    Raises:
        OperatorError: There is none, or it cannot be read.
    """
    try:
        return services.games.loader.load(game)
    except (ServiceError, StoreError, ValueError) as error:
        raise OperatorError(str(error)) from error


def newest_version(services: Services, game: str) -> int:
    """Return a game's newest version, also of one that cannot be read to its end.

    Raises:
        OperatorError: There is no such game, or it has lost its head record.
    """
    try:
        head = services.store.streams.head(game)
    except ValueError as error:
        raise OperatorError(str(error)) from error
    return head.version if head else load(services, game).state.version
