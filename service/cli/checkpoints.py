"""Checkpoints and verifier keys on the command line."""

from collections.abc import Sequence
from pathlib import Path

import click

from service.audit.verify import Pin
from service.cli.options import Command
from service.keys.notes import BadNote, Verifier
from service.settings import OperatorError

_pinned = click.option(
    "--pinned",
    metavar="FILE",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A checkpoint that you kept; may repeat.",
)
_keys = click.option("--key", "keys", metavar="KEY", multiple=True, help="A verifier key that you trust; may repeat.")


def pinned_options(command: Command) -> Command:
    """Add the options that name trusted checkpoints and keys."""
    return _pinned(_keys(command))


def read_pins(pinned: Sequence[Path], known: Sequence[Verifier]) -> list[Pin]:
    """Read checkpoints that were kept.

    Raises:
        OperatorError: A file cannot be read, or holds no checkpoint signed by a known key.
    """
    if pinned and not known:
        raise OperatorError("No verifier key is known here: give one with --key (GET /v1/keys lists them)")
    return [Pin.read(path, known) for path in pinned]


def read_keys(given: Sequence[str]) -> list[Verifier]:
    """Read verifier keys.

    Raises:
        OperatorError: A text is no verifier key.
    """
    try:
        return [Verifier.parse(text) for text in given]
    except BadNote as error:
        raise OperatorError(f"--key: {error}") from None
