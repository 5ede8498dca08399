"""Options that many commands share. Those of the store override the environment variables of the same meaning."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from service.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])

data_option = click.option("--data", metavar="FOLDER", help="Data folder (ROLLBOOK_DATA; default ./rollbook-data).")
redis_option = click.option(
    "--redis-url", metavar="URL", help="Store (ROLLBOOK_REDIS_URL; default: the embedded one in the data folder)."
)


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document instead of tables.")


def store_options(command: Command) -> Command:
    """Add the options that name the store."""
    return data_option(redis_option(command))


def load_settings(**options: object) -> Settings:
    """Return the settings: every option that was given overrides its environment variable.

    Raises:
        SettingsError: A value cannot be used; the message names the variable.
    """
    given = {f"ROLLBOOK_{name.upper()}": str(value) for name, value in options.items() if value is not None}
    return Settings.load({**os.environ, **given})
