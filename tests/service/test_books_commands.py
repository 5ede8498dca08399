"""`rollbook export` and `rollbook ledger` with filters, `--explain` and `--policy`, on a store that is a fake."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from service.audit.audit import audit_game
from service.audit.proofs.event_proof import verify_event
from service.audit.verify import shown
from service.bootstrap import assemble
from service.cli import export, games, ledger, main, prove
from service.keys.signing import key_ring
from service.replay.page import write_page
from service.settings import Settings
from tests.support.accounting import bean_check, beancount_balances, hledger_balances, hledger_check, named
from tests.support.played import Table, empty, games_on, play, sit_down, start


@pytest.fixture(scope="module")
def client() -> Any:
    return empty()


@pytest.fixture(scope="module")
def table(client: Any) -> Table:
    return play(start(sit_down(games_on(client), months=1, attest=True, custodian=1)))


@pytest.fixture
def run(client: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    services = assemble(client, server_key=b"k" * 32, operator_token="t" * 32, allow_volatile=True)

    @contextmanager
    def opened(_options: object, _game: str | None = None) -> Iterator[Any]:
        yield services

    for module in (export, games, ledger, prove):
        monkeypatch.setattr(module, "open_services", opened)

    def invoke(*args: object) -> Result:
        return CliRunner().invoke(main, [str(arg) for arg in args])

    return invoke


def ok(result: Result) -> str:
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_the_games_of_a_folder_are_listed_newest_first(run: Any, table: Table) -> None:
    """Each with its id whole; the list can be filtered by status, and is one document with `--json`."""
    assert f"{table.game}" in ok(run("games"))
    listed = json.loads(ok(run("games", "--json", "--limit", "1000")))
    opened = [game["created"] for game in listed["games"]]
    assert opened == sorted(opened, reverse=True)
    assert table.game in [game["game"] for game in listed["games"]]
    assert not listed["more"]
    assert json.loads(ok(run("games", "--status", "none", "--json")))["games"] == []
    assert "no such game" in ok(run("games", "--status", "none"))


def test_an_export_goes_to_standard_output_or_to_a_file(run: Any, table: Table, tmp_path: Path) -> None:
    wanted = named(table.games.loader.at(table.game, table.version).books.balances)
    beans = ok(run("export", table.game, "--format", "beancount"))
    assert bean_check(beans, tmp_path) == (0, "")
    assert beancount_balances(beans) == wanted
    path = tmp_path / "books.journal"
    assert ok(run("export", table.game, "--format", "hledger", "--output", path)) == ""
    journal = path.read_text(encoding="utf-8")
    assert hledger_check(journal) == (0, "")
    assert hledger_balances(journal) == wanted
    early = json.loads(ok(run("export", table.game, "--format", "json", "--at", 20)))
    assert (early["version"], max(entry["version"] for entry in early["entries"]) <= 20) == (20, True)


def test_what_cannot_be_exported_leaves_no_file(run: Any, table: Table, tmp_path: Path) -> None:
    path = tmp_path / "none"
    for args in (("nosuchgame",), (table.game, "--at", 999_999)):
        refused = run("export", *args, "--output", path)
        assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
        assert not path.exists()


def test_entries_are_filtered(run: Any, table: Table) -> None:
    whole = json.loads(ok(run("ledger", table.game, "--json")))["entries"]
    turn, amount, rule = whole[-1]["turn"], whole[0]["amount"], whole[-1]["rule"]
    for args, wanted in (
        (("--turn", turn), [e for e in whole if e["turn"] == turn]),
        (("--least", amount, "--most", amount), [e for e in whole if e["amount"] == amount]),
        (("--rule", rule), [e for e in whole if e["rule"] == rule]),
        (("--reason", "first_allowance", "--seat", 2), [e for e in whole if e["debited"] == "seat:2"][:1]),
    ):
        assert json.loads(ok(run("ledger", table.game, "--json", *args)))["entries"] == wanted
        assert 0 < len(wanted) < len(whole)


def test_a_balance_is_explained(run: Any, table: Table) -> None:
    told = json.loads(ok(run("ledger", table.game, "--explain", "seat:1", "--json")))
    assert told["balance"] == table.state.cash["seat:1"]
    assert sum(share["sum"] for share in told["reasons"]) == told["balance"]
    assert sum(posting["amount"] for posting in told["postings"]) == told["balance"]
    assert {posting["action"] for posting in told["postings"]} >= {"start", "roll"}
    printed = ok(run("ledger", table.game, "--explain", "seat:1"))
    assert "first_allowance" in printed
    assert f"{told['balance']:,}" in printed
    refused = run("ledger", table.game, "--explain", "nosuch")
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)


def test_the_policy_of_the_bank_is_shown(run: Any, table: Table) -> None:
    told = json.loads(ok(run("ledger", table.game, "--policy", "--json")))
    assert told["in_play"] == told["created"] - told["taken_back"] == -table.state.cash["custodian"]
    printed = ok(run("ledger", table.game, "--policy"))
    assert f"In play: ${told['in_play']:,}" in printed
    assert "seat 1 is custodian of record (start)" in printed
    early = json.loads(ok(run("ledger", table.game, "--policy", "--json", "--at", 20)))
    assert early["created"] < told["created"]


def test_an_event_is_proved_in_one_file(
    run: Any, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is one that `verify` takes; of an event that there is not, and without a key, there is none."""
    key = tmp_path / "signing.key"
    monkeypatch.setenv("ROLLBOOK_SIGNING_KEY_FILE", str(key))
    missing = run("prove", table.game, "7")
    assert (missing.exit_code, key.name in missing.stderr) == (1, True), missing.stderr
    places = {"ROLLBOOK_SIGNING_KEY_FILE": str(key), "ROLLBOOK_DATA": str(tmp_path)}
    signer = key_ring(Settings.load(places)).signer
    done = run("prove", table.game, "7")
    assert done.exit_code == 0, done.stderr
    report = verify_event(done.stdout.encode(), [signer.verifier])
    assert (report.verdict, json.loads(done.stdout)["version"]) == ("verified", 7)
    beyond = run("prove", table.game, str(table.version + 1))
    assert (beyond.exit_code, f"it ends with {table.version}" in beyond.stderr) == (1, True)


@pytest.mark.parametrize("option", [["--html"], ["--format", "html"]])
def test_a_page_that_replays_the_game_is_written(run: Any, table: Table, tmp_path: Path, option: list[str]) -> None:
    """The same that a worker makes; a page is always of the whole game."""
    path = tmp_path / "game.html"
    assert run("export", table.game, *option, "-o", path).exit_code == 0
    checked = shown(audit_game(table.games, table.game, execute=False))
    page = write_page(table.games.loader, table.game, upto=table.version, verification=checked)
    assert path.read_bytes() == b"".join(page)
    refused = run("export", table.game, *option, "--at", 3)
    assert (refused.exit_code, "always the whole game" in refused.stderr) == (1, True)


def test_several_games_are_one_journal(run: Any, client: Any, table: Table) -> None:
    """As ledgers alone; the accounts of each lie under its own root."""
    other = play(start(sit_down(games_on(client), key="another game", months=1)), most=20)
    journal = ok(run("export", table.game, other.game, "--format", "hledger"))
    assert hledger_check(journal) == (0, "")
    assert {name.split(":")[1] for name in hledger_balances(journal)} == {
        f"Game-{table.game}",
        f"Game-{other.game}",
    }
    for options in ((), ("--html",), ("--format", "csv", "--at", 3)):
        refused = run("export", table.game, other.game, *options)
        assert refused.exit_code == 1
        assert "Several games" in refused.stderr
