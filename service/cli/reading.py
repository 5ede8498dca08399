"""What the reading commands share: the games of a store, a game that exists, numbers and JSON for the terminal."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
import msgspec

from events.store import StoreError
from service.bootstrap import Services, build_for_reading
from service.cli.options import load_settings
from service.embedded import open_store
from service.errors import ServiceError
from service.games import Loaded
from service.settings import OperatorError

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document instead of tables.")


@contextmanager
def open_services(options: dict[str, Any]) -> Iterator[Services]:
    """Reach the store that the options name, beside a running `rollbook serve` or on its own."""
    settings = load_settings(**options)
    with open_store(settings, existing=True) as url:
        yield build_for_reading(settings, redis_url=url)


def exists(services: Services, game: str) -> None:
    """See that there is such a game, however damaged.

    Raises:
        OperatorError: There is none.
    """
    store = services.games.loader.store
    try:
        found = store.head(game) or store.look(game, action=None, request=None, after=0).head
    except (StoreError, ValueError) as error:  # a game without its head record is damaged, not unknown
        raise OperatorError(str(error)) from error
    if found is None:
        raise OperatorError(f"There is no game {game}.")


def load(services: Services, game: str) -> Loaded:
    """Load a game at its head.

    Raises:
        OperatorError: There is none, or it cannot be read.
    """
    try:
        return services.games.loader.load(game)
    except (ServiceError, StoreError, ValueError) as error:
        raise OperatorError(str(error)) from error


def echo_json(document: object) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(msgspec.to_builtins(document, str_keys=True), ensure_ascii=False, indent=2))


def plain(text: str) -> str:
    """Make typed-in text safe for Rich's markup."""
    return text.replace("[", r"\[")


def seat_name(names: dict[int, str], seat: int) -> str:
    """Name a seat for people."""
    return f"{seat} {names[seat]}" if names.get(seat) else f"{seat}"
