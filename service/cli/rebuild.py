"""`rollbook rebuild`: makes statistics and the due index again from the streams."""

from typing import Any

import click

from service.bootstrap import Services
from service.cli import display
from service.cli.display import echo_json, plain, progress_bar
from service.cli.options import json_option, store_options
from service.cli.store import open_services
from service.rebuilding import PARTS, Rebuilt


@click.command()
@click.argument("parts", metavar="[statistics] [due]", nargs=-1, type=click.Choice([*PARTS]))
@json_option
@store_options
def rebuild(*, parts: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Make again from the streams what follows from them; exit code 1 if a game cannot be read.

    The statistics over all games, and the index of what is due; without a name both. A service may run meanwhile.
    """
    with open_services(options) as services:
        done = {part: _rebuilt(services, part) for part in PARTS if part in parts or not parts}
    if as_json:
        echo_json(done)
    else:
        show(done)
    if any(one.left_out for one in done.values()):
        raise click.exceptions.Exit(1)


def _rebuilt(services: Services, part: str) -> Rebuilt:
    """Make one part again, with a progress bar."""
    total, games = services.store.index.count(), 0
    with progress_bar(part) as progress:

        def one() -> None:
            nonlocal games
            games += 1
            progress(games, max(total, games))

        progress(0, total)
        return PARTS[part](services, one)


def show(done: dict[str, Rebuilt]) -> None:
    """Print for people what was done."""
    table = display.table("", "games", "put right", "left out")
    for part, one in done.items():
        corrected = "all" if one.corrected is None else f"{one.corrected:,}"
        table.add_row(part, f"{one.games:,}", corrected, f"{len(one.left_out):,}")
    console = display.console()
    console.print(table)
    for part, one in done.items():
        for left_out in one.left_out:
            console.print(f"[red]left out[/] of {part}: {plain(left_out.game)}: {plain(left_out.why)}")
