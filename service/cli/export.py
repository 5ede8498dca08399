"""`rollbook export`: the ledger of a game as a file for an accountant's tool."""

from typing import Any

import click

from service.cli.options import store_options
from service.cli.reading import load, open_services
from service.exports import FORMATS
from service.exports.source import of_game


@click.command()
@click.argument("game")
@click.option(
    "--format", "name", type=click.Choice(list(FORMATS)), default="beancount", show_default=True, help="Kind of file."
)
@click.option("--at", "version", type=click.IntRange(min=1), help="At this version instead of the newest.")
@click.option("--output", type=click.Path(dir_okay=False), default="-", help="File; standard output without it.")
@store_options
def export(*, game: str, name: str, version: int | None, output: str, **options: Any) -> None:
    """Write the ledger of GAME as Beancount, hledger journal, CSV or JSON."""
    with open_services(options) as services:
        newest = load(services, game).state.version
        source = of_game(services.games, game, at=version or newest)
        with click.open_file(output, "wb") as file:  # not before: what cannot be exported leaves no file
            for piece in FORMATS[name].pieces(source):
                file.write(piece)
