"""`rollbook export`: a game in one file that can be checked elsewhere, or its ledger for an accountant's tool."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import click

from service.audit.audit import audit_game
from service.audit.bundle import Checkpointer, write
from service.audit.proofs.checkpoints import Checkpoint
from service.audit.verify import StoredHistory, shown
from service.bootstrap import Services
from service.cli.display import progress_bar
from service.cli.options import load_settings, store_options
from service.cli.store import check_exists, load, open_services
from service.keys.signing import read_signer
from service.ledger.exports import FORMATS
from service.ledger.exports.source import of_game
from service.replay.page import write_page
from service.settings import OperatorError, Settings

BUNDLE = "bundle"
HTML = "html"


@click.command()
@click.argument("names", metavar="GAME...", nargs=-1, required=True)
@click.option(
    "--format",
    "name",
    type=click.Choice([BUNDLE, HTML, *FORMATS]),
    default=BUNDLE,
    show_default=True,
    help="The whole game as a bundle or as a page that replays it, or its ledger for an accountant's tool.",
)
@click.option("--html", is_flag=True, help="The same as --format html: one page that replays the game with no server.")
@click.option("--at", "version", type=click.IntRange(min=1), help="The ledger at this version, not the newest.")
@click.option("--output", "-o", metavar="FILE", default="-", help="Where to; - for standard output (the default).")
@store_options
def export(*, names: tuple[str, ...], name: str, html: bool, version: int | None, output: str, **options: Any) -> None:
    """Write GAME to a file: a bundle (docs/format.md), a page that replays it, or its ledger for accountants.

    The ledgers of several games are one file, with the accounts of each under a root of its own.
    """
    if html and name not in (BUNDLE, HTML):
        raise OperatorError(f"--html and --format {name} are two formats: ask for one.")
    name = HTML if html else name
    if version and name in (BUNDLE, HTML):
        raise OperatorError(f"--at is for ledgers: a {'page' if name == HTML else name} is always the whole game.")
    if len(names) > 1 and (version or name in (BUNDLE, HTML)):
        raise OperatorError("Several games are one file as ledgers alone, at their newest versions.")
    only = names[0] if len(names) == 1 else None
    with open_services(options, only) as services:
        for game in names:
            check_exists(services, game)
        pieces = _pieces(services, name, names, version, options)
        if output == "-":
            _write(pieces, sys.stdout.buffer)
        else:
            _save(pieces, Path(output))


def _pieces(
    services: Services, name: str, names: Sequence[str], version: int | None, options: dict[str, Any]
) -> Iterator[bytes]:
    game = names[0]
    if name == BUNDLE:
        return _bundle(services, load_settings(**options), game)
    return _page(services, game) if name == HTML else _ledgers(services, name, names, version)


def _page(services: Services, game: str) -> Iterator[bytes]:
    """Yield the page that replays a game piece by piece, with a progress bar."""
    head = services.store.streams.head(game)
    assert head is not None, "it exists"
    verification = shown(audit_game(services.games, game, execute=False))
    with progress_bar(game) as progress:
        yield from write_page(
            services.games.loader, game, upto=head.version, verification=verification, progress=progress
        )


def _bundle(services: Services, settings: Settings, game: str) -> Iterator[bytes]:
    """Yield a bundle piece by piece, with a progress bar."""
    head = services.store.streams.head(game)
    assert head is not None, "it exists"
    with progress_bar(game) as progress:
        done = 0
        for piece in write(
            StoredHistory(services.store), game, head, checkpoint=_checkpointer(services, settings, game)
        ):
            yield piece
            done += piece.count(b'\n{"event":')
            progress(done, head.version)


def _ledgers(services: Services, name: str, names: Sequence[str], version: int | None) -> Iterator[bytes]:
    """Return the ledgers of games piece by piece in one of the formats."""
    sources = [
        of_game(services.games.loader, game, at=version or load(services, game).state.version)
        for game in dict.fromkeys(names)
    ]
    return FORMATS[name].pieces(*sources, many=len(names) > 1)


def _checkpointer(services: Services, settings: Settings, game: str) -> Checkpointer | None:
    """Return the function that signs for a game; None without the service's key, or for a game that lost events."""
    if services.games.guard.lost(game) or not settings.signing_key_file.is_file():
        return None
    signer = read_signer(settings.signing_key_file)
    return lambda size, root, link: signer.sign(Checkpoint(game, size, root, link).text)


def _save(pieces: Iterator[bytes], path: Path) -> None:
    """Write a file that is there whole or not at all; a pipe or a device stays one.

    Raises:
        OperatorError: It cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                _write(pieces, file)
        else:
            # The target of a link, not the link itself: /dev/stdout may be a file.
            _put_in_place(pieces, path.resolve())
    except OSError as error:
        raise OperatorError(f"{path} cannot be written: {error.strerror}") from None


def _put_in_place(pieces: Iterator[bytes], path: Path) -> None:
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            _write(pieces, file)
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _write(pieces: Iterator[bytes], file: BinaryIO) -> None:
    for piece in pieces:
        file.write(piece)
    file.flush()
