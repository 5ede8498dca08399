"""Checkpoints and verifier keys on the command line."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from service.notes import MOST_BYTES, BadNote, Verifier
from service.settings import OperatorError
from service.verify import Pinned

Command = TypeVar("Command", bound=Callable[..., Any])

_pinned = click.option(
    "--pinned", metavar="FILE", multiple=True, help="A checkpoint that somebody kept: the game must agree with it."
)
_keys = click.option(
    "--key", "keys", metavar="KEY", multiple=True, help="A verifier key (name+id+key), or a file of some, one a line."
)


def pinned_options(command: Command) -> Command:
    """Add the options that say which checkpoints and keys are trusted."""
    return _pinned(_keys(command))


def read_pinned(names: Sequence[str]) -> list[Pinned]:
    """Read checkpoints that were kept.

    Raises:
        OperatorError: A file cannot be read.
    """
    return [Pinned(_read(Path(name)), name) for name in names]


def read_keys(given: Sequence[str]) -> list[Verifier]:
    """Read verifier keys.

    Raises:
        OperatorError: One is none, or a file of them cannot be read.
    """
    lines = [
        line
        for one in given
        for line in ([one] if "+" in one else _read(Path(one)).decode(errors="replace").splitlines())
    ]
    try:
        return [Verifier.parse(line) for line in lines if line.strip()]
    except BadNote as error:
        raise OperatorError(f"--key: {error}") from None


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise OperatorError(f"{path} cannot be read: {error.strerror}.") from None
