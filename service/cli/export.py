"""`rollbook export`: a game in one file, for whoever checks it elsewhere."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import click

from events.store import EventStore, Head
from service.bundle import write
from service.cli.audit import progress_bar
from service.cli.options import store_options
from service.cli.reading import exists, open_services
from service.settings import OperatorError


@click.command()
@click.argument("game")
@click.option("--output", "-o", metavar="FILE", default="-", help="Where to; - for standard output (the default).")
@store_options
def export(*, game: str, output: str, **options: Any) -> None:
    """Write GAME as a bundle: events, typed-in texts, chain, checkpoint and data files; see docs/format.md."""
    with open_services(options) as services:
        exists(services, game)
        head = services.store.head(game)
        assert head is not None, "it exists"
        if output == "-":
            _pour(services.store, game, head, sys.stdout.buffer)
            return
        _save(services.store, game, head, Path(output))


def _save(store: EventStore, game: str, head: Head, path: Path) -> None:
    """Write a file that is there whole or not at all.

    Raises:
        OperatorError: It cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            _pour(store, game, head, file)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise OperatorError(f"{path} cannot be written: {error.strerror}") from None


def _pour(store: EventStore, game: str, head: Head, file: BinaryIO) -> None:
    with progress_bar(game) as told:
        done = 0
        for piece in write(store, game, head):
            file.write(piece)
            done += piece.count(b'\n{"event":')
            told(done, head.version)
    file.flush()
