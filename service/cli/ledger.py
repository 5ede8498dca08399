"""`rollbook ledger`: the custodian's books of a game."""

from typing import Any

import click
import msgspec
from rich.table import Table

from events import codec
from projections.ledger import books
from projections.ledger.chart import LedgerEntry
from projections.ledger.check import TrialBalance, check, trial_balance
from projections.ledger.debts import debts_of
from service.cli import display
from service.cli.books import explained, show_explained, show_policy
from service.cli.options import Command, store_options
from service.cli.reading import echo_json, json_option, load, open_services
from service.errors import ServiceError
from service.games.loading import Loader
from service.ledger.entries import MOST_AMOUNT, Wanted
from service.ledger.explain import policy_of
from service.settings import OperatorError

Line = tuple[LedgerEntry, int | None]
"""An entry; with `--account`, the balance there after it."""

EVERYTHING = Wanted()
FILTERS = ("seat", "reason", "rule", "turn", "least", "most")


def filter_options(command: Command) -> Command:
    """Add the options that say which entries are listed."""
    for option in (
        click.option(
            "--most", type=click.IntRange(min=0), default=MOST_AMOUNT, help="Largest amount.", show_default=False
        ),
        click.option("--least", type=click.IntRange(min=0), default=0, help="Smallest amount.", show_default=False),
        click.option("--turn", type=click.IntRange(min=0), help="Entries of this turn; 0 is before the first."),
        click.option("--rule", default="", help="Entries under this rule."),
        click.option("--reason", default="", help="Entries for this reason."),
        click.option("--seat", type=click.IntRange(0, 8), default=0, help="Entries of this seat."),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("game")
@click.option("--at", "version", type=click.IntRange(min=1), help="At this version instead of the newest.")
@click.option("--account", help="The statement of this account: its entries, with the balance after each.")
@click.option("--entries/--no-entries", default=True, help="List the entries, or the trial balance alone.")
@filter_options
@click.option("--explain", metavar="ACCOUNT", help="Why this account stands where it does, down to action and rule.")
@click.option("--policy", is_flag=True, help="What purse or bank created and took back, and who attested the books.")
@json_option
@store_options
def ledger(*, game: str, version: int | None, explain: str | None, policy: bool, as_json: bool, **options: Any) -> None:
    """Show entries and trial balance of GAME; exit code 1 if the books are wrong."""
    account, entries = options.pop("account"), options.pop("entries")
    wanted = Wanted(**{name: options.pop(name) for name in FILTERS})
    with open_services(options) as services:
        at = version or load(services, game).state.version
        try:
            if explain or policy:
                show_audit(services.games.loader, game, explain, at=at, as_json=as_json)
                return
            found = services.games.loader.at(game, at)
        except ServiceError as error:
            raise OperatorError(str(error)) from error
        assert found.state is not None, "a version from 1 has a state"
        faults = check(found.books, found.state.cash, debts_of(found.state))
        lines = lines_of(services.games.loader, game, upto=at, account=account, wanted=wanted) if entries else []
    show(game, lines, trial_balance(found.books), faults, as_json=as_json)
    if account and entries and not lines and not as_json:
        click.echo(f"No entry touches the account {account}.")
    if faults:
        raise click.exceptions.Exit(1)


def show_audit(loader: Loader, game: str, account: str | None, *, at: int, as_json: bool) -> None:
    """Explain the balance of an account, or without one tell what the bank did."""
    if account:
        told, print_it = explained(loader, game, account, at=at), show_explained
    else:
        policy = policy_of(loader, game, after=0, upto=at)
        told, print_it = {"game": game, "version": at, **policy.told()}, show_policy
    if as_json:
        echo_json(told)
    else:
        print_it(display.console(), told)


def show(game: str, lines: list[Line], balance: TrialBalance, faults: list[str], *, as_json: bool) -> None:
    """Print entries, trial balance and what is wrong."""
    if as_json:
        echo_json({"game": game, "entries": plain_lines(lines), "trial_balance": balance, "faults": faults})
        return
    console = display.console()
    if lines:
        console.print(lines_table(lines))
    console.print(trial_table(balance))
    for fault in faults:
        console.print(fault, style="red")


def lines_of(loader: Loader, game: str, *, upto: int, account: str | None, wanted: Wanted = EVERYTHING) -> list[Line]:
    """List the entries of a game, or the statement of one account, as far as they are wanted."""
    batches = loader.stream(game, upto=upto)
    envelopes = (codec.decode(entry.data) for batch in batches for entry in batch)
    if account is None:
        return [(entry, None) for entry in books.entries(envelopes) if wanted.takes(entry)]
    statement = books.statement(envelopes, account)
    return [(entry, balance) for entry, _, balance in statement if wanted.takes(entry)]


def plain_lines(lines: list[Line]) -> list[dict[str, Any]]:
    """Make the entries ready for JSON, those of a statement with their balance."""
    return [
        {**msgspec.to_builtins(entry), **({} if balance is None else {"balance": balance})} for entry, balance in lines
    ]


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
