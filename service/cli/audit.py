"""`rollbook audit`: every check of a game's history, or of the history of every game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table

from service.audit.audit import audit_game
from service.audit.verify import Finding, Outcome, Pin, Report, shown_findings
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
    """Check all of GAME, executing every action again.

    Exit code 0: verified; 1: failed; 3: not verified, since a check could not be made.
    """
    if (game is None) != every_game:
        raise click.UsageError("Name a game, or --all.")
    if pinned and every_game:
        raise click.UsageError("A checkpoint is of one game: name it.")
    if keys and not pinned:
        raise click.UsageError("A key is for a checkpoint that was kept: give one with --pinned.")
    pins = read_pins(pinned, read_keys(keys) or (noted_verifiers(load_settings(**options)) if pinned else []))
    with open_services(options, game) as services:
        if game is not None:
            check_exists(services, game)
        names = [game] if game is not None else all_games(services.store.index)
        reports = [_audited(services, one, pins) for one in names]
    if as_json:
        shown = [as_json_document(report) for report in reports]
        echo_json(shown if every_game else shown[0])
    elif every_game:
        display.console().print(summary(reports))
    else:
        show(reports[0])
    leave(reports)


def _audited(services: Services, game: str, pins: Sequence[Pin]) -> Report:
    with progress_bar(game) as progress:
        return audit_game(services.games, game, pins=pins, progress=progress)


EXIT_CODES: dict[Outcome, int] = {"verified": 0, "failed": 1, "not verified": 3}
COLOURS: dict[Outcome, str] = {"verified": "green", "failed": "red", "not verified": "yellow"}


def leave(reports: Sequence[Report]) -> None:
    """End the command with the exit code of its verdicts: one that failed counts most, then one not verified."""
    codes = {EXIT_CODES[report.verdict] for report in reports}
    if code := next((code for code in (1, 3) if code in codes), 0):
        raise click.exceptions.Exit(code)


def as_json_document(report: Report) -> dict[str, Any]:
    """Return a report for programs: verdict first, findings grouped by cause."""
    return {"verdict": report.verdict, **msgspec.to_builtins(report), "findings": shown_findings(report)}


def show(report: Report) -> None:
    """Print a report for people: the verdict, what failed, what could not be done, what is open, what was done."""
    console = display.console()
    verdict = f"[{COLOURS[report.verdict]}]{report.verdict}[/]"
    console.print(f"{verdict}: game {report.game}, {report.version} events, head {report.head_hex[:16]}…")
    for finding in report.causes:
        console.print(f"[red]found[/] {plain(in_words(finding))}")
    for sentence in report.missing:
        console.print(f"[yellow]not checked[/] {plain(sentence)}")
    for sentence in report.unchecked:
        console.print(f"[yellow]open[/] {plain(sentence)}")
    for sentence in report.checks:
        console.print(f"[green]checked[/] {plain(sentence)}")


def in_words(finding: Finding) -> str:
    """Return a finding in a sentence, with what comes of the same cause."""
    where = f"event {finding.version}" if finding.version else "the game"
    follows = ", ".join(f"{one.check}{f' ({one.count:,})' if one.count > 1 else ''}" for one in finding.follows)
    text = f"{where}, {finding.check}: expected {finding.expected}, found {finding.found}"
    return f"{text}; by the same cause: {follows}" if follows else text


def summary(reports: list[Report]) -> Table:
    """Return a table with a line for each game: its verdict, the result of executing it again, the first finding."""
    headers = ("verdict", "game", "events", "executed again", "findings", "the first")
    table = display.table(*headers, title=f"{len(reports)} games")
    for report in reports:
        causes = report.causes
        first = in_words(causes[0]) if causes else report.missing[0] if report.missing else ""
        executed = str(report.execution or "not done")
        columns = (report.verdict, report.game, f"{report.version:,}", executed, f"{len(causes):,}")
        table.add_row(*columns, plain(first))
    return table
