"""`rollbook ledger`: the custodian's books of a game."""

from typing import Any

import click
import msgspec
from rich.table import Table

from events import codec
from projections import ledger as books
from projections.debts import debts_of
from projections.ledger_chart import LedgerEntry
from projections.ledger_check import TrialBalance, check, trial_balance
from service.cli import display
from service.cli.options import store_options
from service.cli.reading import echo_json, json_option, load, open_services
from service.errors import ServiceError
from service.games import Games
from service.settings import OperatorError

Line = tuple[LedgerEntry, int | None]
"""An entry; with `--account`, the balance there after it."""


@click.command()
@click.argument("game")
@click.option("--at", "version", type=click.IntRange(min=1), help="At this version instead of the newest.")
@click.option("--account", help="The statement of this account: its entries, with the balance after each.")
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
        faults = check(found.books, found.state.cash, debts_of(found.state))
        lines = lines_of(services.games, game, upto=at, account=account) if entries else []
    balance = trial_balance(found.books)
    if as_json:
        echo_json({"game": game, "entries": plain_lines(lines), "trial_balance": balance, "faults": faults})
    else:
        _print(lines, balance, faults)
        if account and entries and not lines:
            click.echo(f"No entry touches the account {account}.")
    if faults:
        raise click.exceptions.Exit(1)


def lines_of(games: Games, game: str, *, upto: int, account: str | None) -> list[Line]:
    """List the entries of a game, or the statement of one account."""
    batches = games.loader.store.stream(game, upto=upto)
    envelopes = (codec.decode(entry.data) for batch in batches for entry in batch)
    if account is None:
        return [(entry, None) for entry in books.entries(envelopes)]
    return [(entry, balance) for entry, _, balance in books.statement(envelopes, account)]


def plain_lines(lines: list[Line]) -> list[dict[str, Any]]:
    """Make the entries ready for JSON, those of a statement with their balance."""
    return [
        {**msgspec.to_builtins(entry), **({} if balance is None else {"balance": balance})} for entry, balance in lines
    ]


def _print(lines: list[Line], balance: TrialBalance, faults: list[str]) -> None:
    console = display.console()
    if lines:
        console.print(lines_table(lines))
    console.print(trial_table(balance))
    for fault in faults:
        console.print(fault, style="red")


def lines_table(lines: list[Line]) -> Table:
    """Draw entries; those of a statement with the balance after each."""
    names = ["event", "turn", "from", "to", "amount", "reason", "rule", "about"]
    if lines[0][1] is not None:
        names.append("balance")
    table = display.table(*names, box=None)
    for entry, balance in lines:
        cells = (
            f"{entry.version}", f"{entry.turn}", entry.credited, entry.debited, f"{entry.amount:,}", entry.reason,
            entry.rule, entry.ref,
        )  # fmt: skip
        table.add_row(*cells, *(() if balance is None else (f"{balance:,}",)))
    return table


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
