"""Checkpoints and verifier keys on the command line."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from service.audit.verify import Pin
from service.keys.notes import BadNote, Verifier
from service.settings import OperatorError

Command = TypeVar("Command", bound=Callable[..., Any])

file_type = click.Path(path_type=Path)
_pinned = click.option(
    "--pinned", metavar="FILE", type=file_type, multiple=True, help="A checkpoint that you kept; may repeat."
)
_keys = click.option("--key", "keys", metavar="KEY", multiple=True, help="A verifier key that you trust; may repeat.")


def pinned_options(command: Command) -> Command:
    """Add the options that say which checkpoints and keys are trusted."""
    return _pinned(_keys(command))


def read_pins(pinned: Sequence[Path], known: Sequence[Verifier]) -> list[Pin]:
    """Read checkpoints that were kept.

    Raises:
        OperatorError: A file cannot be read, or is no checkpoint that a known key signed.
    """
    if pinned and not known:
        raise OperatorError("No verifier key is known here: give one with --key (GET /v1/keys lists them)")
    return [Pin.read(path, known) for path in pinned]


def read_keys(given: Sequence[str]) -> list[Verifier]:
    """Read verifier keys.

    Raises:
        OperatorError: One is none.
    """
    try:
        return [Verifier.parse(text) for text in given]
    except BadNote as error:
        raise OperatorError(f"--key: {error}") from None
