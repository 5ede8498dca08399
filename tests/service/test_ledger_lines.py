"""`rollbook ledger`: the entries of a game, and an account's statement with the balance after each."""

import pytest
from rich.console import Console

from service.cli.ledger import ListedEntry, entries_table, list_entries
from tests.support.played import Table, finished


@pytest.fixture(scope="module")
def table() -> Table:
    return finished(months=1)


def drawn(lines: list[ListedEntry]) -> list[str]:
    console = Console(width=200)
    with console.capture() as captured:
        console.print(entries_table(lines))
    return captured.get().splitlines()


def test_all_entries_have_no_balance(table: Table) -> None:
    lines = list_entries(table.games.loader, table.game, upto=table.version, account=None)
    assert {balance for _, balance in lines} == {None}
    assert len({entry.version for entry, _ in lines}) == len(lines) > 10
    assert "balance" not in drawn(lines)[0]


def test_a_statement_runs_up_to_the_balance(table: Table) -> None:
    lines = list_entries(table.games.loader, table.game, upto=table.version, account="seat:2")
    assert {"seat:2"} & {lines[0][0].credited, lines[0][0].debited}
    assert [balance for _, balance in lines][:1] == [500]
    assert lines[-1][1] == table.state.cash["seat:2"]
    heading, first, *_ = drawn(lines)
    assert heading.split()[-1] == "balance"
    assert first.split()[-1] == "500"


def test_a_statement_ends_at_the_version_asked_for(table: Table) -> None:
    lines = list_entries(table.games.loader, table.game, upto=table.version, account="custodian")
    upto = lines[3][0].version
    assert list_entries(table.games.loader, table.game, upto=upto, account="custodian") == lines[:4]
