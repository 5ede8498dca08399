"""`rollbook verify`: whether a game's history is whole, its books right and its chance fair."""

from pathlib import Path
from typing import Any

import click

from service.cli import display
from service.cli.options import load_settings, store_options
from service.cli.reading import echo_json, exists, json_option, open_services, plain
from service.notes import BadNote, Verifier
from service.settings import OperatorError
from service.signing import noted
from service.verify import Pin, Report

file_type = click.Path(path_type=Path)


@click.command()
@click.argument("game")
@click.option("--pinned", metavar="FILE", type=file_type, multiple=True, help="A checkpoint that you kept; may repeat.")
@click.option("--key", metavar="KEY", multiple=True, help="A verifier key that you trust, instead of the known ones.")
@json_option
@store_options
def verify(*, game: str, pinned: tuple[Path, ...], key: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Read GAME from its first event and check all of it; exit code 1 if anything is off.

    With --pinned, it must also be the game that the checkpoint in FILE was signed for: whatever was changed, cut off or
    begun anew before that is found. Verifier keys are taken from the data folder, or from --key.
    """
    pins = _pins(pinned, key, options)
    with open_services(options) as services:
        exists(services, game)
        report = services.games.verify(game, pins=pins)
    if as_json:
        echo_json(report)
    else:
        show(report)
    if report.findings:
        raise click.exceptions.Exit(1)


def _pins(pinned: tuple[Path, ...], keys: tuple[str, ...], options: dict[str, Any]) -> list[Pin]:
    if not pinned:
        return []
    known = [_verifier(text) for text in keys] or noted(load_settings(**options))
    if not known:
        raise OperatorError("No verifier key is known here: give one with --key (GET /v1/keys lists them)")
    return [Pin.read(path, known) for path in pinned]


def _verifier(text: str) -> Verifier:
    try:
        return Verifier.parse(text)
    except BadNote as error:
        raise OperatorError(f"--key: {error}") from None


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
