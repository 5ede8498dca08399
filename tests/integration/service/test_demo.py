"""`rollbook demo`, and what it leaves behind: one entry for every roll, draw and payment, for any client to see."""

import json
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
import redis

from service.cli import main
from service.cli.demo.server import server
from service.hosting.valkey import DataFolder, EmbeddedStore
from service.settings import Settings
from tests.support.command import rollbook
from tests.support.serving import Serve, processes_of, until

CLI = "service.cli"


def stream_of(folder: Path, game: str) -> list[dict[str, Any]]:
    """Read a game's stream as a stranger with a Redis client would: find the key, read all entries."""
    with EmbeddedStore(folder) as store:
        client = redis.Redis(unix_socket_path=str(store.folder.socket_path()), protocol=2)
        (key,) = [key for key in client.keys(f"*{game}*") if client.type(key) == b"stream"]
        rows: Any = client.xrange(key)
        assert [number for number, _ in rows] == [b"%d-0" % (place + 1) for place in range(len(rows))]
        client.close()
    return [json.loads(fields[b"e"]) for _, fields in rows]


OF = {
    "public_assistance": ("--months", "1"),
    "social_justice": ("--rulebook", "social_justice", "--rounds", "4", "--seed", "7"),
}


@pytest.mark.parametrize("rulebook", ["public_assistance", pytest.param("social_justice", marks=pytest.mark.long)])
def test_a_demo_of_its_own(serve: Callable[..., Serve], folder: Path, rulebook: str) -> None:
    """Four bots play to the end; the report is clean; nothing is left running; the game stays."""
    run = serve("demo", *OF[rulebook], "--json", module=CLI)
    assert run.ended() == 0, run.output
    report = json.loads(run.output[run.output.index("\n{") :])
    assert processes_of(folder) == []
    assert (report["faults"], len(report["standings"]), report["rulebook"]) == ([], 4, rulebook)
    entries = stream_of(folder, report["game"])
    assert len(entries) == report["events"]
    told = rollbook(folder, "replay", report["game"], "--json")
    assert told.exit_code == 0, told.output
    lines = [line for step in json.loads(told.stdout)["steps"] for line in step["lines"]]
    kinds = Counter(entry["data"]["type"] for entry in entries)
    assert len(lines) == len(entries)
    assert kinds["dice_rolled"] == sum(bool(re.search(r" rolls \d", line)) for line in lines) > 3
    books = rollbook(folder, "ledger", report["game"], "--json")
    assert books.exit_code == 0, books.output
    transfers = [entry for entry in json.loads(books.stdout)["entries"] if entry["kind"] == "transfer"]
    assert kinds["money_moved"] == len(transfers) > 3
    statement = rollbook(folder, "ledger", report["game"], "--account", "seat:2", "--json")
    assert statement.exit_code == 0, statement.output
    assert one_account(json.loads(statement.stdout), "seat:2")
    drawn = [entry["data"] for entry in entries if entry["data"]["type"] == "card_drawn"]
    assert len(drawn) == sum(" draws a card " in line for line in lines)
    compared = f"{len([card for card in drawn if card['coordinate']])} cards"
    assert any(compared in check for check in report["verification"]["checks"])
    for command in (("audit", report["game"]), ("doctor", "--port", "0")):
        done = rollbook(folder, *command, "--json")
        assert done.exit_code == 0, done.output
    assert processes_of(folder) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rounds", "3"), "--rounds is for another rulebook"),
        (("--rulebook", "social_justice", "--months", "3"), "--months is for another rulebook"),
        (("--months", "61"), "--months is at most 60"),
        (("--rulebook", "social_justice", "--rounds", "201"), "--rounds is at most 200"),
    ],
)
def test_a_demo_of_a_length_that_is_none_is_one_line(folder: Path, words: tuple[str, ...], said: str) -> None:
    run = rollbook(folder, "demo", *words)
    assert run.exit_code == 1
    assert len(run.output.splitlines()) == 1
    assert said in run.output
    assert processes_of(folder) == []


def one_account(told: dict[str, Any], account: str) -> bool:
    """Return whether a statement's balances follow from its entries and end at the trial balance."""
    balance = 0
    for entry in told["entries"]:
        assert account in (entry["credited"], entry["debited"])
        balance += sum(posting["amount"] for posting in entry["postings"] if posting["account"] == account)
        assert entry["balance"] == balance
    rows = {row["account"]: row["debit"] - row["credit"] for row in told["trial_balance"]["rows"]}
    return len(told["entries"]) > 1 and rows[account] == balance


@pytest.mark.long
def test_a_demo_on_the_running_server(
    serve: Callable[..., Serve], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It plays on the server that runs on the folder, and leaves it running.

    All is printed and hung up before a server is stopped: a connection that is left open holds it up for as long as it
    gives to requests in flight.
    """
    running = serve("serve", "--port", "0", "--workers", "1", module=CLI).ready()
    seen: list[object] = []
    said: list[str] = []

    @contextmanager
    def observed(settings: Settings) -> Iterator[str]:
        with server(settings) as base:
            yield base
            mine = psutil.Process().net_connections("tcp")
            seen.extend(one for one in mine if one.status == "ESTABLISHED" and one.raddr[1] == running.port)
            said.append(capsys.readouterr().out)

    monkeypatch.setattr("service.cli.demo.command.server", observed)
    main(["demo", "--months", "1", "--data", str(folder)], standalone_mode=False)
    assert seen == []
    (output,) = said
    assert running.url in output.replace("\n", "")
    assert output.count("All is well.") == 1
    game = re.search(r"rollbook replay (\w+)", output + capsys.readouterr().out)
    assert game
    assert json.loads(running.get(f"/v1/games/{game[1]}"))["state"]["status"] == "finished"
    assert running.stop() == 0


def test_a_demo_that_cannot_start_is_one_line(serve: Callable[..., Serve], tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("no folder")
    run = serve("demo", module=CLI, data=place)
    assert run.ended() == 1
    assert len(run.output.splitlines()) == 1
    assert str(place) in run.output


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.long), signal.SIGKILL]
)
def test_a_demo_that_is_ended_takes_its_server_along(
    serve: Callable[..., Serve], folder: Path, number: signal.Signals
) -> None:
    """However the demo ends, nothing of it stays."""
    run = serve("demo", "--months", "60", module=CLI)
    until(lambda: "Four bots" in run.output, "it plays")
    run.process.send_signal(number)
    assert run.ended() == -number, run.output
    until(lambda: processes_of(folder) == [], "its server has ended")


@pytest.mark.long
def test_two_demos_at_once_share_a_server(serve: Callable[..., Serve], folder: Path) -> None:
    """Started together in a new folder: neither fails, and the server stays until the second one is over."""
    first, second = (serve("demo", "--months", months, module=CLI) for months in ("1", "2"))
    for run in (first, second):
        assert run.ended() == 0, run.output
        assert "All is well." in run.output
    until(lambda: processes_of(folder) == [], "the server has ended")


def test_a_server_outlives_a_starter_who_was_killed_while_others_use_it(
    serve: Callable[..., Serve], folder: Path
) -> None:
    starter = serve("demo", "--months", "60", module=CLI)
    until(lambda: "Four bots" in starter.output, "the first one plays")
    other = serve("demo", "--months", "1", module=CLI)
    until(lambda: "Four bots" in other.output, "the second one plays")
    address = DataFolder(folder).url()
    starter.process.kill()
    starter.ended()
    assert other.ended() == 0, other.output
    assert address in other.output.replace("\n", "")
    until(lambda: processes_of(folder) == [], "the server has ended")
