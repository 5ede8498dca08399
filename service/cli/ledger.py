"""`rollbook ledger`: the custodian's books of a game."""

from typing import Any

import click
from rich.table import Table

from projections.ledger_chart import LedgerEntry
from projections.ledger_check import TrialBalance, check, trial_balance
from service.cli import display
from service.cli.options import store_options
from service.cli.reading import echo_json, json_option, load, open_services
from service.errors import ServiceError
from service.games import Games
from service.settings import OperatorError
from service.steps import page

PAGE = 200


@click.command()
@click.argument("game")
@click.option("--at", "version", type=click.IntRange(min=1), help="At this version instead of the newest.")
@click.option("--account", help="Only entries that touch this account.")
@click.option("--entries/--no-entries", default=True, help="List the entries, or the trial balance alone.")
@json_option
@store_options
def ledger(
    *, game: str, version: int | None, account: str | None, entries: bool, as_json: bool, **options: Any
) -> None:
    """Show entries and trial balance of GAME; exit code 1 if the books are wrong."""
    with open_services(options) as services:
        newest = load(services, game).state.version
        at = version or newest
        try:
            found = services.games.loader.at(game, at)
        except ServiceError as error:
            raise OperatorError(str(error)) from error
        assert found.state is not None, "a version from 1 has a state"
        faults = check(found.books, found.state.cash)
        lines = entries_of(services.games, game, upto=at, account=account) if entries else []
    balance = trial_balance(found.books)
    if as_json:
        echo_json({"game": game, "entries": lines, "trial_balance": balance, "faults": faults})
    else:
        _print(lines, balance, faults)
        if account and entries and not lines:
            click.echo(f"No entry touches the account {account}.")
    if faults:
        raise click.exceptions.Exit(1)


def entries_of(games: Games, game: str, *, upto: int, account: str | None) -> list[LedgerEntry]:
    """List the entries of a game, perhaps of one account alone."""
    found: list[LedgerEntry] = []
    after = 0
    while steps := page(games, game, after=after, limit=PAGE, upto=upto):
        after = steps[-1].last
        for step in steps:
            found += [entry for entry in step.entries if account in (None, entry.credited, entry.debited)]
    return found


def _print(lines: list[LedgerEntry], balance: TrialBalance, faults: list[str]) -> None:
    console = display.console()
    if lines:
        table = display.table("event", "turn", "from", "to", "amount", "reason", "rule", "about", box=None)
        for entry in lines:
            table.add_row(
                f"{entry.version}", f"{entry.turn}", entry.credited, entry.debited, f"{entry.amount:,}",
                entry.reason, entry.rule, entry.ref,
            )  # fmt: skip
        console.print(table)
    console.print(trial_table(balance))
    for fault in faults:
        console.print(fault, style="red")


def trial_table(balance: TrialBalance) -> Table:
    """Draw a trial balance."""
    table = display.table(
        "account", "debit", "credit", title=f"Trial balance at version {balance.version}", show_footer=True
    )
    table.columns[0].footer = "total"
    for column, total in zip(table.columns[1:], (balance.debit, balance.credit), strict=True):
        column.justify, column.footer = "right", f"{total:,}"
    for row in balance.rows:
        table.add_row(row.account, f"{row.debit:,}", f"{row.credit:,}")
    return table
