"""What the reading commands share: the games of a store, a game that exists, numbers and JSON for the terminal."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
import msgspec
from rich.markup import escape
from rich.text import Text

from events.store import StoreError
from service.bootstrap import Services, build_for_reading
from service.cli.options import load_settings
from service.errors import Frozen, ServiceError
from service.games import Loaded
from service.games.loading import HISTORY
from service.hosting.valkey import open_store
from service.settings import OperatorError

_CONTROLS = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if code != ord("\n")}
"""What could move the cursor, colour, or rename a terminal is shown as a character that says so."""

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document instead of tables.")


@contextmanager
def open_services(options: dict[str, Any]) -> Iterator[Services]:
    """Reach the store that the options name, beside a running `rollbook serve` or on its own.

    Raises:
        OperatorError: A game that is read cannot be read to where it is asked for.
    """
    settings = load_settings(**options)
    with open_store(settings, existing=True) as url:
        try:
            yield build_for_reading(settings, redis_url=url)
        except (Frozen, StoreError):
            raise
        except HISTORY as error:
            text = f"The game cannot be read to its end: {error}; `rollbook audit` names every event that is off"
            raise OperatorError(text) from error


def exists(services: Services, game: str) -> None:
    """See that there is such a game, however damaged.

    Raises:
        OperatorError: There is none.
    """
    store = services.store
    try:
        found = store.streams.head(game) or store.streams.tail(game, action=None, request=None, after=0).head
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


def newest(services: Services, game: str) -> int:
    """Give a game's newest version, also of one that cannot be read to its end.

    Raises:
        OperatorError: There is no such game, or it has lost its head record.
    """
    try:
        head = services.store.streams.head(game)
    except ValueError as error:
        raise OperatorError(str(error)) from error
    return head.version if head else load(services, game).state.version


def echo_json(document: object) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(msgspec.to_builtins(document, str_keys=True), ensure_ascii=False, indent=2))


def plain(text: str) -> str:
    """Make what somebody typed, or what a foreign file says, safe within Rich's markup and for the terminal."""
    return escape(text.translate(_CONTROLS))


def literal(text: str) -> Text:
    """Give what somebody typed as it is, where nothing is read as markup: alone in a line, or in a table's cell."""
    return Text(text.translate(_CONTROLS))


def seat_name(names: dict[int, str], seat: int) -> str:
    """Name a seat for people."""
    return f"{seat} {names[seat]}" if names.get(seat) else f"{seat}"
