"""`rollbook audit`: everything about a game's history that can be checked, or about every game's."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from service.audit.verify import Pin, Report
from service.audit.verify import Progress as Told
from service.bootstrap import Services
from service.cli import display
from service.cli.options import load_settings, store_options
from service.cli.pinned import pinned_options, read_keys, read_pins
from service.cli.reading import echo_json, exists, json_option, open_services, plain
from service.keys.signing import noted
from service.queries.games import every


@click.command()
@click.argument("game", required=False)
@click.option("--all", "all_games", is_flag=True, help="Every game of the store, with one line for each.")
@pinned_options
@json_option
@store_options
def audit(
    *,
    game: str | None,
    all_games: bool,
    pinned: tuple[Path, ...],
    keys: tuple[str, ...],
    as_json: bool,
    **options: Any,
) -> None:
    """Check all of GAME, executing every action again; exit code 1 if anything is off."""
    if (game is None) != all_games:
        raise click.UsageError("Name a game, or --all.")
    if pinned and all_games:
        raise click.UsageError("A checkpoint is of one game: name it.")
    pins = read_pins(pinned, read_keys(keys) or (noted(load_settings(**options)) if pinned else []))
    with open_services(options) as services:
        if game is not None:
            exists(services, game)
        names = [game] if game is not None else every(services.store.index)
        reports = [_audited(services, one, pins) for one in names]
    if as_json:
        echo_json(reports if all_games else reports[0])
    elif all_games:
        display.console().print(summary(reports))
    else:
        show(reports[0])
    if any(report.findings for report in reports):
        raise click.exceptions.Exit(1)


def _audited(services: Services, game: str, pins: Sequence[Pin]) -> Report:
    with progress_bar(game) as told:
        return services.games.verify(game, pins=pins, progress=told)


@contextmanager
def progress_bar(what: str) -> Iterator[Told]:
    """Show how far it is, on standard error where that is a terminal."""
    console = display.console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(plain(what), total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


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
    """Draw a line for each game: what executing it again came to, and what was found first."""
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
