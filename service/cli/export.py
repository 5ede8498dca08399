"""`rollbook export`: a game in one file, for whoever checks it elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import click

from events.store import Head
from service.bootstrap import Services
from service.bundle import Checkpointer, write
from service.checkpoints import Checkpoint
from service.cli.audit import progress_bar
from service.cli.options import load_settings, store_options
from service.cli.reading import exists, open_services
from service.settings import OperatorError, Settings
from service.signing import read_signer


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
        pieces = write(services.store, game, head, checkpoint=_signs(services, load_settings(**options), game))
        if output == "-":
            _pour(pieces, game, head, sys.stdout.buffer)
        else:
            _save(pieces, game, head, Path(output))


def _signs(services: Services, settings: Settings, game: str) -> Checkpointer | None:
    """Give what signs for a game: the service's key, where it is at hand and the game has lost nothing."""
    if services.games.lost(game) or not settings.signing_key_file.is_file():
        return None
    signer = read_signer(settings.signing_key_file)
    return lambda size, root, link: signer.sign(Checkpoint(game, size, root, link).text)


def _save(pieces: Iterator[bytes], game: str, head: Head, path: Path) -> None:
    """Write a file that is there whole or not at all.

    Raises:
        OperatorError: It cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            _pour(pieces, game, head, file)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise OperatorError(f"{path} cannot be written: {error.strerror}") from None


def _pour(pieces: Iterator[bytes], game: str, head: Head, file: BinaryIO) -> None:
    with progress_bar(game) as told:
        done = 0
        for piece in pieces:
            file.write(piece)
            done += piece.count(b'\n{"event":')
            told(done, head.version)
    file.flush()
