"""`rollbook doctor` and the frame of the command line, in process and beside a running `serve`."""

import errno
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from events.store import HeadLog, Store, VolatileStore, connect
from events.store.keys import game_keys
from service.cli import checks, main
from service.games.heads import HEADS_LOG
from service.hosting.valkey import EmbeddedStore
from service.keys.notes import signer_key
from tests.integration.store.moves import add, new_game
from tests.support.serving import ROOT, Serve, processes_of


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, folder: Path) -> CliRunner:
    for name in ("REDIS_URL", "PORT", "ALLOW_VOLATILE"):
        monkeypatch.delenv(f"ROLLBOOK_{name}", raising=False)
    monkeypatch.setenv("ROLLBOOK_DATA", str(folder))
    with socket.create_server(("127.0.0.1", 0)) as free:
        monkeypatch.setenv("ROLLBOOK_PORT", str(free.getsockname()[1]))
    return CliRunner()


def _doctor(runner: CliRunner, *arguments: str) -> tuple[int, dict[str, tuple[str, str]]]:
    result = runner.invoke(main, ["doctor", "--json", *arguments])
    document = json.loads(result.stdout)
    assert document["healthy"] is (result.exit_code == 0)
    return result.exit_code, {row["check"]: (row["status"], row["detail"]) for row in document["checks"]}


def test_a_fresh_folder_is_well_and_nothing_is_left_running(runner: CliRunner, folder: Path) -> None:
    code, found = _doctor(runner)
    assert code == 0, found
    assert {status for status, _ in found.values()} == {"ok"}
    assert {"Python", "Data folder", "Lock", "Store", "Append-only file", "Eviction", "Disk", "Port", "Heads log"} <= {
        *found
    }
    assert processes_of(folder) == []


def test_the_table_names_each_check(runner: CliRunner) -> None:
    result = runner.invoke(main, ["doctor"])
    assert result.exit_code == 0
    assert "Eviction" in result.stdout
    assert "noeviction" in result.stdout


def test_a_busy_port_fails(runner: CliRunner) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, found = _doctor(runner, "--port", str(taken.getsockname()[1]))
    assert code == 1
    assert found["Port"][0] == "fail"


def test_beside_serve_the_port_is_in_use_rightly(runner: CliRunner, serve: Callable[..., Serve], folder: Path) -> None:
    command = serve().ready()
    code, found = _doctor(runner, "--port", str(command.port))
    assert code == 0, found
    assert str(command.process.pid) in found["Lock"][1]
    assert command.get("/count") == "1", "doctor must leave the store running"


@pytest.fixture
def forgetful(folder: Path) -> Iterator[str]:
    """A store that loses data, under its URL."""
    options = {"appendonly": "no", "maxmemory-policy": "allkeys-lru"}
    with EmbeddedStore(folder.with_name("forgetful"), options=options) as store:
        yield store.url


def test_a_store_that_forgets_fails_unless_it_may(
    runner: CliRunner, forgetful: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, found = _doctor(runner, "--redis-url", forgetful)
    assert code == 1
    assert (found["Append-only file"][0], found["Eviction"][0]) == ("fail", "fail")
    monkeypatch.setenv("ROLLBOOK_ALLOW_VOLATILE", "1")
    code, found = _doctor(runner, "--redis-url", forgetful)
    assert code == 0
    assert (found["Append-only file"][0], found["Eviction"][0]) == ("warn", "warn")


def test_a_full_store_is_named(runner: CliRunner, folder: Path) -> None:
    with EmbeddedStore(folder, options={"maxmemory": "1mb"}):
        code, found = _doctor(runner)
    assert code == 1
    assert found["Memory"] == (
        "fail",
        "the store is at its memory limit of 1,048,576 bytes, so no game goes on (maxmemory)",
    )


def test_a_cluster_is_asked_node_by_node(runner: CliRunner, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    options = {"port": port, "bind": "127.0.0.1", "cluster-enabled": "yes"}
    with EmbeddedStore(folder.with_name("cluster"), options=options) as store, store.client() as client:
        client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        code, found = _doctor(runner, "--redis-url", f"redis+cluster://127.0.0.1:{port}")
    assert code == 0, found
    assert "1 node" in found["Store"][1]


def test_a_store_that_is_not_there_fails_and_the_other_checks_still_run(runner: CliRunner, tmp_path: Path) -> None:
    code, found = _doctor(runner, "--redis-url", f"unix://{tmp_path}/nothing")
    assert code == 1
    assert found["Store"][0] == "fail"
    assert found["Disk"][0] == "ok"


def test_a_misspelt_variable_is_named(runner: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLBOOK_REDIS_URI", "x")
    _, found = _doctor(runner)
    assert found["Variables"] == ("warn", "not known, so without effect: ROLLBOOK_REDIS_URI")


def test_a_folder_that_is_a_file_fails(runner: CliRunner, folder: Path) -> None:
    folder.touch()
    code, found = _doctor(runner)
    assert code == 1
    assert found["Data folder"][0] == "fail"


def test_a_heads_log_cut_in_its_last_line_is_noticed(runner: CliRunner, folder: Path) -> None:
    folder.mkdir()
    (folder / HEADS_LOG).write_text(f"whole 1 {'a' * 64}\ncu")
    _, found = _doctor(runner)
    assert found["Heads log"][0] == "warn"
    (folder / HEADS_LOG).write_text(f"whole 1 {'a' * 64}\n")
    _, found = _doctor(runner)
    assert found["Heads log"][0] == "ok"


def test_lines_that_nobody_can_read_are_counted_and_nothing_is_written(runner: CliRunner, folder: Path) -> None:
    folder.mkdir()
    (folder / HEADS_LOG).write_text("garbage\nmore of it\n")
    _, found = _doctor(runner)
    assert found["Heads log"][0] == "fail"
    assert "2 lines" in found["Heads log"][1]
    assert (folder / HEADS_LOG).read_text() == "garbage\nmore of it\n"
    HeadLog(folder / HEADS_LOG).close()
    _, found = _doctor(runner)
    assert found["Heads log"][0] == "ok"


def test_a_heads_log_that_was_kept_aside_is_named(runner: CliRunner, folder: Path) -> None:
    folder.mkdir()
    (folder / f"{HEADS_LOG}.damaged-1").touch()
    findings = json.loads(runner.invoke(main, ["doctor", "--json"]).stdout)["checks"]
    assert [one["status"] for one in findings if one["check"] == "Heads log"] == ["warn", "ok"]


def test_games_that_no_log_knows_are_noticed(runner: CliRunner, folder: Path) -> None:
    with EmbeddedStore(folder) as store:
        add(Store(connect(store.url)), new_game(), b"one")
    _, found = _doctor(runner)
    assert found["History"][0] == "warn"


def test_the_port_of_the_server_that_runs_is_told(runner: CliRunner, serve: Callable[..., Serve]) -> None:
    """It has another port than the one that is set, which a stranger has taken."""
    command = serve().ready()
    _, found = _doctor(runner)
    assert (found["Port"][0], command.url in found["Port"][1]) == ("ok", True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        _, found = _doctor(runner, "--port", str(taken.getsockname()[1]))
    assert (found["Port"][0], command.url in found["Port"][1]) == ("fail", True)


@pytest.mark.parametrize("command", ["audit", "export", "ledger", "replay"])
def test_a_game_that_lost_its_head_record_is_damaged_not_unknown(runner: CliRunner, folder: Path, command: str) -> None:
    game = new_game()
    with EmbeddedStore(folder) as store:
        client = connect(store.url)
        add(Store(client), game, b"one")
        client.execute_command("DEL", game_keys(game).head)
    result = runner.invoke(main, [command, game])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "damaged" in result.stderr or "head record" in result.stderr


@pytest.mark.parametrize("command", ["audit", "export", "ledger", "replay"])
def test_reading_makes_nothing(runner: CliRunner, folder: Path, command: str) -> None:
    """A data folder that was mistyped stays one that does not exist."""
    result = runner.invoke(main, [command, "g1"])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert f"no data folder {folder}" in result.stderr
    assert not folder.exists()
    folder.mkdir()
    result = runner.invoke(main, [command, "g1"])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert f"no store in {folder}" in result.stderr
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device", "here"), VolatileStore("forgets")])
def test_what_is_no_bug_is_not_called_one(runner: CliRunner, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(_patient: object) -> None:
        raise error

    monkeypatch.setattr("service.cli.doctor.examine", fail)
    result = runner.invoke(main, ["doctor"])
    assert result.exit_code == 1
    assert "a bug" not in result.stderr
    assert ("here" in result.stderr) or ("forgets" in result.stderr)


def test_a_terminal_without_our_characters_shows_others(folder: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    name = str(folder.with_name("Müll…"))
    command = [sys.executable, "-m", "service.cli", "doctor", "--json", "--data", name]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, cwd=ROOT)
    assert b"M\xfcll?" in done.stdout, done.stderr


def test_a_key_that_cannot_be_used_is_a_fault(runner: CliRunner, folder: Path) -> None:
    (folder / "server.key").mkdir(parents=True)
    (folder / "operator.token").write_text("short")
    (folder / "signing.key").write_text("k" * 40)
    _, found = _doctor(runner)
    assert [found[name][0] for name in ("Server key", "Signing key", "Operator token")] == ["fail"] * 3


def test_a_lost_server_key_is_refused(runner: CliRunner, serve: Callable[..., Serve], folder: Path) -> None:
    """With a new one, what is sent again would make second games and dead tokens."""
    assert serve().ready().stop() == 0
    _, found = _doctor(runner)
    assert found["Key and store"][0] == "ok"
    key = (folder / "server.key").read_text()
    (folder / "server.key").unlink()
    again = serve()
    assert again.ended() == 1
    assert len(again.output.splitlines()) == 1
    assert "another server key" in again.output
    code, found = _doctor(runner)
    assert (code, found["Key and store"][0]) == (1, "fail")
    (folder / "server.key").write_text(key)
    assert serve().ready().stop() == 0


@pytest.mark.parametrize("value", [("SET", "rb:buckets", "32"), ("LPUSH", "rb:buckets", "x")], ids=["32", "a list"])
def test_anothers_store_is_refused_in_one_line(
    runner: CliRunner, serve: Callable[..., Serve], folder: Path, value: tuple[str, ...]
) -> None:
    """Before any child is started, which would say it in many."""
    with EmbeddedStore(folder.with_name("other")) as store, store.client() as client:
        client.execute_command(*value)
        started = serve("serve", "--port", "0", "--redis-url", store.url, module="service.cli")
        assert started.ended() == 1
        assert len(started.output.splitlines()) == 1, started.output
        code, found = _doctor(runner, "--redis-url", store.url)
    assert (code, found["Buckets"][0]) == (1, "fail")


def test_a_heads_log_that_is_a_folder_is_one_line(serve: Callable[..., Serve], folder: Path) -> None:
    (folder / HEADS_LOG).mkdir(parents=True)
    run = serve()
    assert run.ended() == 1
    assert (len(run.output.splitlines()), HEADS_LOG in run.output) == (1, True)


@pytest.mark.parametrize("command", [["audit", "g1"], ["doctor", "--accept", "g1"]], ids=["audit", "accept"])
def test_nor_is_it_called_a_bug_by_who_reads_it(runner: CliRunner, folder: Path, command: list[str]) -> None:
    with EmbeddedStore(folder):
        (folder / HEADS_LOG).mkdir()
        result = runner.invoke(main, command)
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert HEADS_LOG in result.stderr
    assert "a bug" not in result.stderr


@pytest.mark.parametrize("game", ["", "nosuch", "x 5", "two\nlines", "Ü"])
def test_only_a_game_that_was_noted_is_accepted(runner: CliRunner, folder: Path, game: str) -> None:
    """A name that is none would be a line that no reader of the log can read."""
    folder.mkdir()
    log = folder / HEADS_LOG
    log.write_text(f"known 7 {'ab' * 32}\n")
    result = runner.invoke(main, ["doctor", "--accept", "known", "--accept", game])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert repr(game) in result.stderr
    assert log.read_text() == f"known 7 {'ab' * 32}\n"
    assert _doctor(runner, "--accept", "known")[0] == 0
    assert HeadLog(log, reading=True).count() == 0


def test_a_game_with_a_hole_is_not_accepted(runner: CliRunner, folder: Path) -> None:
    """It could not go on, and nothing would warn of it any more."""
    with EmbeddedStore(folder) as store, store.client() as client:
        games, log = Store(connect(store.url)), HeadLog(folder / HEADS_LOG)
        for game in ("holed", "shorter"):
            add(games, game, b"one", b"two", b"three")
            log.note(game, 4, b"\x01" * 32)
        client.xdel(game_keys("holed").stream, "2-0")
        result = runner.invoke(main, ["doctor", "--accept", "shorter", "--accept", "holed"])
        assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
        assert "'holed': more than its end is lost" in result.stderr
        assert [tail.game for tail in log.compare(games.streams)] == ["holed", "shorter"]
        assert _doctor(runner, "--accept", "shorter")[1]["History"][0] == "fail"  # for the other's sake
        assert [tail.game for tail in log.compare(games.streams)] == ["holed"]


def test_keys_that_others_can_read_are_named(runner: CliRunner, folder: Path) -> None:
    folder.mkdir()
    (folder / "server.key").write_text("k" * 40)
    (folder / "server.key").chmod(0o644)
    (folder / "signing.key").write_text(signer_key("rollbook", b"k" * 32))
    (folder / "signing.key").chmod(0o640)
    _, found = _doctor(runner)
    assert (found["Server key"][0], found["Signing key"][0]) == ("warn", "warn")
    (folder / "signing.key").chmod(0o600)
    assert _doctor(runner)[1]["Signing key"][0] == "ok"


def test_a_check_that_breaks_is_a_finding(runner: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_patient: checks.Patient) -> list[checks.CheckResult]:
        raise RuntimeError("oops")

    monkeypatch.setattr(checks, "CHECKS", [broken, *checks.CHECKS])
    code, found = _doctor(runner)
    assert code == 1
    assert "oops" in found["broken"][1]
    assert found["Python"][0] == "ok"


def test_the_version(runner: CliRunner) -> None:
    result = runner.invoke(main, ["--version"])
    assert result.output.startswith("rollbook, version ")


def test_a_bad_setting_is_one_line_on_standard_error(runner: CliRunner) -> None:
    result = runner.invoke(main, ["doctor", "--port", "eighty"])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == "Error: ROLLBOOK_PORT must be a whole number from 0 to 65535, not 'eighty'\n"


def test_a_bug_is_one_line_too(runner: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.doctor.examine", lambda _patient: 1 // 0)
    result = runner.invoke(main, ["doctor"])
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "ZeroDivisionError" in result.stderr
