"""`rollbook replay` on games that end in an event of a later release, or in a damaged one.

A damaged event may belong to the step before it, which is therefore not told, either.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.text import Text

from events import chain
from events.store import Entry, SidecarUpdate
from service.bootstrap import assemble
from service.cli import main, replay_screen, store
from service.cli.replay_screen import Screen, Walk
from service.replay.steps import StepView
from tests.support.played import Table, empty, games_on, play, sit_down, start

OF_A_LATER_RELEASE = b'"data":{"schema":1,"seat":1,"type":"tea_served"}'
DAMAGED = b'"data":{"schema":1,"seat":[],"type":"turn_ended"}'


def appended(table: Table, data: bytes) -> int:
    """Append an action as it stands, whatever it is; gives how many steps there were."""
    loaded = table.games.loader.load(table.game)
    version, action = loaded.state.version + 1, "f" * 64
    head = f'{{"action":"{action}","actor":"seat:1","at":{loaded.state.at},'.encode()
    stored = head + data + f',"turn":1,"version":{version}}}'.encode()
    entry = Entry(stored, chain.link(loaded.link, stored))
    options: dict[str, Any] = {"expected": version - 1, "previous": loaded.link, "sidecar": SidecarUpdate()}
    table.store.streams.append(table.game, [entry], action=action, request="", **options)
    return loaded.state.steps


@pytest.fixture
def client() -> Any:
    return empty()


@pytest.fixture
def table(client: Any) -> Table:
    return play(start(sit_down(games_on(client))), most=5)


@pytest.fixture
def run(client: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    services = assemble(client, server_key=b"k" * 32, operator_token="t" * 32, allow_volatile=True)

    @contextmanager
    def opened(*_args: object, **_options: object) -> Iterator[str]:
        yield "redis://nowhere"

    monkeypatch.setattr(store, "open_store", opened)
    monkeypatch.setattr(store, "build_for_reading", lambda *_args, **_options: services)

    def invoke(*args: object) -> Result:
        return CliRunner().invoke(main, [str(arg) for arg in args])

    return invoke


@pytest.mark.parametrize(("data", "more"), [(OF_A_LATER_RELEASE, 1), (DAMAGED, -1)])
def test_all_before_it_is_told(run: Any, table: Table, data: bytes, more: int) -> None:
    known = appended(table, data)
    told = run("replay", table.game, "--json")
    damaged = f"What comes after step {known - 1} is damaged: `rollbook audit` names every event.\n"
    assert (told.exit_code, told.stderr) == ((0, "") if more > 0 else (1, damaged))
    steps = json.loads(told.stdout)["steps"]
    assert [step["number"] for step in steps] == list(range(1, known + more + 1))
    in_words = run("replay", table.game, "--from", known - 1)
    assert in_words.exit_code == told.exit_code
    assert run("replay", table.game, "--to", known - 1).exit_code == 0
    assert in_words.stdout.startswith(f"{known - 1} turn")
    assert ("tea_served" in in_words.stdout) is (more > 0)


@pytest.mark.parametrize(("data", "more"), [(OF_A_LATER_RELEASE, 1), (DAMAGED, -1)])
def test_it_is_walked_to_its_last_good_step(
    run: Any, table: Table, data: bytes, more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = appended(table, data)
    keys, seen = iter("epq"), []

    def drawn(_loader: Any, view: StepView, walk: Walk) -> Screen:
        seen.append((view.step.number, walk.last))
        return Screen(Text(), [], Text())

    monkeypatch.setattr(replay_screen, "takes_keys", lambda _console: True)
    monkeypatch.setattr(replay_screen, "screen", drawn)
    monkeypatch.setattr(replay_screen, "pressed", lambda: nullcontext(lambda _seconds: next(keys)))
    assert run("replay", table.game).exit_code == 0
    last = known + more
    assert seen == [(1, last), (last, last), (last - 1, last)]


def test_a_game_that_there_is_not(run: Any) -> None:
    told = run("replay", "zzzz")
    assert (told.exit_code, told.stderr) == (1, "Error: There is no game zzzz.\n")


@pytest.mark.parametrize("game", ["", "*", "a b", "G"])
def test_nor_is_what_can_be_no_games_id_called_a_bug(run: Any, game: str) -> None:
    told = run("replay", game)
    assert (told.exit_code, told.stderr) == (1, f"Error: not a game id: {game!r}\n")


@pytest.mark.parametrize("data", [OF_A_LATER_RELEASE, DAMAGED])
@pytest.mark.parametrize("command", [("ledger",), ("ledger", "--explain", "seat:1"), ("export", "--format", "csv")])
def test_what_cannot_be_folded_is_one_clear_line(run: Any, table: Table, data: bytes, command: tuple[str, ...]) -> None:
    """It is no bug, and says what will name the event."""
    appended(table, data)
    name, *options = command
    told = run(name, table.game, *options)
    assert told.exit_code == 1
    assert told.stderr.startswith("Error: The game cannot be read to its end: ")
    assert "a bug" not in told.stderr
    assert told.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_an_export_to_a_folder_is_one_clear_line(run: Any, table: Table, name: str) -> None:
    told = run("export", table.game, "--format", "csv", "--output", name)
    assert (told.exit_code, told.stderr) == (1, f"Error: {name or '.'} cannot be written: Is a directory\n")


def test_an_export_to_a_pipe_or_through_a_link_leaves_it_there(run: Any, table: Table, tmp_path: Path) -> None:
    """A file in its place would be lost to the reader of the pipe, and `/dev/null` to all."""
    pipe, link, file = (tmp_path / name for name in ("pipe", "link", "file"))
    os.mkfifo(pipe)
    link.symlink_to(file)
    file.write_bytes(b"what was there before")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    for place in (pipe, link):
        assert run("export", table.game, "--format", "csv", "--output", place).exit_code == 0
    assert pipe.is_fifo()
    assert link.is_symlink()
    wanted = run("export", table.game, "--format", "csv").stdout_bytes
    assert file.read_bytes() == wanted
    assert os.read(reader, len(wanted) + 1) == wanted
    os.close(reader)
    assert {path.name for path in tmp_path.iterdir()} == {"pipe", "link", "file"}


def test_an_export_has_one_format(run: Any, table: Table) -> None:
    told = run("export", table.game, "--html", "--format", "csv")
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr == "Error: --html and --format csv are two formats: ask for one.\n"
