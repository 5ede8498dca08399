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
from service.cli.display import echo_json
from service.cli.ledger_explain import explanation, show_explanation, show_policy
from service.cli.options import Command, json_option, store_options
from service.cli.store import load, open_services
from service.errors import ServiceError
from service.games.loading import Loader
from service.ledger.entries import EVERY_ENTRY, MOST_AMOUNT, EntryFilter
from service.ledger.explain import policy_of
from service.settings import OperatorError

ListedEntry = tuple[LedgerEntry, int | None]
"""An entry; with `--account`, the balance there after it."""

FILTERS = ("seat", "reason", "rule", "turn", "least", "most")


def filter_options(command: Command) -> Command:
    """Add the options that choose which entries are listed."""
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
    wanted = EntryFilter(**{name: options.pop(name) for name in FILTERS})
    with open_services(options, game) as services:
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
        listed = list_entries(services.games.loader, game, upto=at, account=account, wanted=wanted) if entries else []
    show(game, listed, trial_balance(found.books), faults, as_json=as_json)
    if account and entries and not listed and not as_json:
        click.echo(f"No entry touches the account {account}.")
    if faults:
        raise click.exceptions.Exit(1)


def show_audit(loader: Loader, game: str, account: str | None, *, at: int, as_json: bool) -> None:
    """Explain the balance of an account, or without one show what the bank did."""
    if account:
        found, print_it = explanation(loader, game, account, at=at), show_explanation
    else:
        policy = policy_of(loader, game, after=0, upto=at)
        found, print_it = {"game": game, "version": at, **policy.as_dict()}, show_policy
    if as_json:
        echo_json(found)
    else:
        print_it(display.console(), found)


def show(game: str, listed: list[ListedEntry], balance: TrialBalance, faults: list[str], *, as_json: bool) -> None:
    """Print entries, trial balance and what is wrong."""
    if as_json:
        entries = [
            {**msgspec.to_builtins(entry), **({} if after is None else {"balance": after})} for entry, after in listed
        ]
        echo_json({"game": game, "entries": entries, "trial_balance": balance, "faults": faults})
        return
    console = display.console()
    if listed:
        console.print(entries_table(listed))
    console.print(trial_table(balance))
    for fault in faults:
        console.print(fault, style="red")


def list_entries(
    loader: Loader, game: str, *, upto: int, account: str | None, wanted: EntryFilter = EVERY_ENTRY
) -> list[ListedEntry]:
    """List the entries of a game, or the statement of one account, that pass a filter."""
    batches = loader.stream(game, upto=upto)
    envelopes = (codec.decode(entry.data) for batch in batches for entry in batch)
    if account is None:
        return [(entry, None) for entry in books.entries(envelopes) if wanted.passes(entry)]
    statement = books.statement(envelopes, account)
    return [(entry, balance) for entry, _, balance in statement if wanted.passes(entry)]


def entries_table(listed: list[ListedEntry]) -> Table:
    """Return entries as a table; those of a statement with the balance after each."""
    names = ["event", "turn", "from", "to", "amount", "reason", "rule", "about"]
    if listed[0][1] is not None:
        names.append("balance")
    table = display.table(*names, box=None)
    for entry, balance in listed:
        cells = (
            f"{entry.version}", f"{entry.turn}", entry.credited, entry.debited, f"{entry.amount:,}", entry.reason,
            entry.rule, entry.ref,
        )  # fmt: skip
        table.add_row(*cells, *(() if balance is None else (f"{balance:,}",)))
    return table


def trial_table(balance: TrialBalance) -> Table:
    """Return a trial balance as a table."""
    title = f"Trial balance at version {balance.version}"
    table = display.table("account", "debit", "credit", title=title, show_footer=True)
    table.columns[0].footer = "total"
    for column, total in zip(table.columns[1:], (balance.debit, balance.credit), strict=True):
        column.justify, column.footer = "right", f"{total:,}"
    for row in balance.rows:
        table.add_row(row.account, f"{row.debit:,}", f"{row.credit:,}")
    return table
