"""`rollbook games`: the games of a data folder, newest first."""

from datetime import UTC, datetime
from typing import Any

import click

from events.store import GameIndex
from service.cli import display
from service.cli.display import echo_json, literal
from service.cli.options import json_option, store_options
from service.cli.store import open_services
from service.queries.games import GameFilter, page

PAGE = 100


@click.command()
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="How many, from the newest.")
@click.option("--status", default="", help="Only games with this status, such as running or finished.")
@json_option
@store_options
def games(*, limit: int, status: str, as_json: bool, **options: Any) -> None:
    """List the games of the data folder, newest first, private ones too."""
    with open_services(options) as services:
        listed, more = _list(services.store.index, GameFilter(status=status, private=True), limit)
    if as_json:
        echo_json({"games": listed, "more": more})
        return
    if not listed:
        click.echo("There is no such game.")
        return
    table = display.table("game", "opened (UTC)", "rulebook", "status", "seats", "turn", "events", box=None)
    for line in listed:
        opened = datetime.fromtimestamp(line["created"] / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        figures = (f"{line[name]:,}" for name in ("seats", "turn", "version"))
        rulebook = line["rulebook"].replace("_", " ")
        table.add_row(literal(line["game"]), opened, rulebook, line["status"], *figures)
    display.console().print(table)
    if more:
        click.echo("There are more: --limit shows them.")


def _list(index: GameIndex, wanted: GameFilter, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """Return the newest games, and whether there are more."""
    listed, after = page(index, wanted, after=None, limit=min(PAGE, limit))
    while after is not None and len(listed) < limit:
        found, after = page(index, wanted, after=after, limit=min(PAGE, limit - len(listed)))
        listed += found
    return listed, after is not None
