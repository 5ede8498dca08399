"""`rollbook audit`: every check of a game's history, or of the history of every game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from service.audit.audit import audit_game
from service.audit.verify import Pin, Report
from service.bootstrap import Services
from service.cli import display
from service.cli.checkpoints import pinned_options, read_keys, read_pins
from service.cli.display import echo_json, plain, progress_bar
from service.cli.options import json_option, load_settings, store_options
from service.cli.store import check_exists, open_services
from service.keys.signing import noted_verifiers
from service.queries.games import all_games


@click.command()
@click.argument("game", required=False)
@click.option("--all", "every_game", is_flag=True, help="Every game of the store, with one line for each.")
@pinned_options
@json_option
@store_options
def audit(
    *,
    game: str | None,
    every_game: bool,
    pinned: tuple[Path, ...],
    keys: tuple[str, ...],
    as_json: bool,
    **options: Any,
) -> None:
    """Check all of GAME, executing every action again; exit code 1 if anything is off."""
    if (game is None) != every_game:
        raise click.UsageError("Name a game, or --all.")
    if pinned and every_game:
        raise click.UsageError("A checkpoint is of one game: name it.")
    pins = read_pins(pinned, read_keys(keys) or (noted_verifiers(load_settings(**options)) if pinned else []))
    with open_services(options) as services:
        if game is not None:
            check_exists(services, game)
        names = [game] if game is not None else all_games(services.store.index)
        reports = [_audited(services, one, pins) for one in names]
    if as_json:
        echo_json(reports if every_game else reports[0])
    elif every_game:
        display.console().print(summary(reports))
    else:
        show(reports[0])
    if any(report.findings for report in reports):
        raise click.exceptions.Exit(1)


def _audited(services: Services, game: str, pins: Sequence[Pin]) -> Report:
    with progress_bar(game) as progress:
        return audit_game(services.games, game, pins=pins, progress=progress)


def show(report: Report) -> None:
    """Print a report for people."""
    console = display.console()
    for check in report.checks:
        console.print(f"[green]checked[/] {plain(check)}")
    for left_out in report.unchecked:
        console.print(f"[yellow]not checked[/] {plain(left_out)}")
    for finding in report.findings:
        where = f"event {finding.version}" if finding.version else "the game"
        console.print(
            f"[red]found[/] {where}, {plain(finding.check)}: expected {plain(finding.expected)}, "
            f"found {plain(finding.found)}"
        )
    verdict = "[red]something is off[/]" if report.findings else "[green]verified[/]"
    console.print(f"{report.game}: {report.version} events, head {report.head_hex[:16]}…: {verdict}")


def summary(reports: list[Report]) -> Table:
    """Return a table with a line for each game: the result of executing it again, and the first finding."""
    table = display.table("game", "events", "executed again", "findings", "the first", title=f"{len(reports)} games")
    for report in reports:
        first = report.findings[0] if report.findings else None
        table.add_row(
            report.game,
            f"{report.version:,}",
            str(report.execution or "not done"),
            f"{len(report.findings):,}",
            plain(f"event {first.version}, {first.check}: {first.expected}, found {first.found}") if first else "",
        )
    return table
