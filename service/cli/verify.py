"""`rollbook verify`: whether a game's history is whole, its books right and its chance fair."""

from typing import Any

import click

from service.cli import display
from service.cli.options import store_options
from service.cli.reading import echo_json, exists, json_option, open_services, plain
from service.verify import Report


@click.command()
@click.argument("game")
@json_option
@store_options
def verify(*, game: str, as_json: bool, **options: Any) -> None:
    """Read GAME from its first event and check all of it; exit code 1 if anything is off."""
    with open_services(options) as services:
        exists(services, game)
        report = services.games.verify(game)
    if as_json:
        echo_json(report)
    else:
        show(report)
    if report.findings:
        raise click.exceptions.Exit(1)


def show(report: Report) -> None:
    """Print a report for people."""
    console = display.console()
    for check in report.checks:
        console.print(f"[green]checked[/] {plain(check)}")
    for finding in report.findings:
        console.print(
            f"[red]found[/] event {finding.version}, {plain(finding.check)}: expected {plain(finding.expected)}, "
            f"found {plain(finding.found)}"
        )
    verdict = "[red]something is off[/]" if report.findings else "[green]verified[/]"
    console.print(f"{report.game}: {report.version} events, head {report.head_hex[:16]}…: {verdict}")
