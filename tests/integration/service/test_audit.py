"""The command line on a real store: audit one game and all, export, and verify what was exported without the store."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from events.store import Client, connect
from events.store.keys import game_keys
from service.cli import main
from service.keys.notes import Signer, signer_key
from tests.support.played import Table, begun, games_on, play
from tests.support.social import lively
from tests.support.valkey import valkey


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with valkey(tmp_path_factory.mktemp("store")) as server:
        yield server.url


@pytest.fixture(scope="module")
def tables(url: str) -> list[Table]:
    client: Client = connect(url)
    return [play(begun(games_on(client), "one", months=1)), lively(client, events=120)]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROLLBOOK_DATA", str(tmp_path))
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments])


def test_a_game_is_audited(url: str, tables: list[Table], data: Path) -> None:
    for table in tables:
        done = run("audit", table.game, "--json", "--redis-url", url)
        report = json.loads(done.stdout)
        assert (done.exit_code, report["findings"], report["execution"]["outcome"]) == (0, [], "same")
        assert report["version"] == table.version


def test_all_games_are_audited(url: str, tables: list[Table], data: Path) -> None:
    """One line each; one bad game makes the exit code 1, and the others are still audited."""
    done = run("audit", "--all", "--redis-url", url)
    assert (done.exit_code, done.stdout.count("same")) == (0, len(tables))
    keys = game_keys(tables[0].game)
    with_client: Client = connect(url)
    head = with_client.execute_command("HGET", keys.head, "h")
    with_client.execute_command("HSET", keys.head, "h", bytes(32))
    try:
        done = run("audit", "--all", "--json", "--redis-url", url)
        found = {report["game"]: [one["check"] for one in report["findings"]] for report in json.loads(done.stdout)}
        assert (done.exit_code, found) == (1, {tables[0].game: ["head"], tables[1].game: []})
    finally:
        with_client.execute_command("HSET", keys.head, "h", head)


def test_a_game_is_exported_signed_and_verified_elsewhere(url: str, tables: list[Table], data: Path) -> None:
    """With the service's key the bundle is signed; `verify` needs neither store nor data folder."""
    signer = Signer("rollbook", b"9" * 32)
    key = data / "signing.key"
    key.write_text(signer_key("rollbook", b"9" * 32), encoding="utf-8")
    key.chmod(0o600)
    for table in tables:
        path = data / f"{table.game}.ndjson"
        environment = {"ROLLBOOK_SIGNING_KEY_FILE": str(key)}
        arguments = ["export", table.game, "--output", str(path), "--redis-url", url]
        assert CliRunner().invoke(main, arguments, env=environment).exit_code == 0
        assert list(data.glob("*.part")) == []
        done = run("verify", str(path), "--key", signer.verifier.text, "--json")
        report = json.loads(done.stdout)
        assert (done.exit_code, report["findings"], report["version"]) == (0, [], table.version)
        assert any(check.startswith("checkpoint: signed by a key that is trusted") for check in report["checks"])
        piped = CliRunner().invoke(main, ["export", table.game, "--redis-url", url], env=environment)
        assert piped.stdout_bytes == path.read_bytes()


def test_commands_that_name_nothing(url: str, tables: list[Table], data: Path) -> None:
    for arguments in (("audit",), ("audit", tables[0].game, "--all"), ("audit", "nosuch"), ("export", "nosuch")):
        done = run(*arguments, "--redis-url", url)
        assert done.exit_code != 0
        assert "Traceback" not in done.output
    done = run("export", tables[0].game, "--output", str(data / "no" / "where"), "--redis-url", url)
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
