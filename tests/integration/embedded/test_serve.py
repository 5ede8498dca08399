"""`rollbook serve` as its users meet it: real processes, real signals, real kills."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from service.hosting.supervisor.children import python_module
from service.hosting.supervisor.listener import network_link
from service.hosting.valkey import EmbeddedStore
from tests.support.serving import ROOT, Serve, processes_of, until

Start = Callable[..., Serve]


def _can_connect(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _kill_store(folder: Path) -> None:
    """Kill Valkey, and wait until another one answers."""
    store = EmbeddedStore(folder)
    old = store.pid()
    assert old is not None
    os.kill(old, signal.SIGKILL)
    until(lambda: store.pid() not in (None, old), "there is another Valkey")
    store.attach()
    assert store.close() is False


def _pid_of(folder: Path, word: str) -> int:
    """Return the process of the folder whose command holds the word, and that leads a group."""
    found = [p.pid for p in processes_of(folder) if word in " ".join(p.cmdline()) and os.getsid(p.pid) == p.pid]
    assert len(found) == 1, found
    return found[0]


def test_it_serves_stops_and_keeps_its_data(serve: Start, folder: Path) -> None:
    first = serve().ready()
    assert f"data in {folder}" in first.output
    assert first.get("/count") == "1"
    assert first.stop() == 0, first.output
    assert processes_of(folder) == []
    assert not _can_connect(first.port)
    again = serve().ready()
    assert again.get("/count") == "2"
    assert again.stop() == 0


# What an editable install comes down to: our packages are asked for by name, after all folders of the import path.
EDITABLE = f"""
import importlib.util, pathlib, sys

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        where = pathlib.Path({str(ROOT)!r}, name, "__init__.py")
        return importlib.util.spec_from_file_location(name, where) if where.exists() else None

sys.meta_path.append(Finder)
"""


@pytest.fixture
def editable(tmp_path: Path) -> Path:
    """A folder to import from in which our packages are, as `pip install -e` has them."""
    path = tmp_path / "editable"
    path.mkdir()
    (path / "sitecustomize.py").write_text(EDITABLE)
    return path


@pytest.mark.long
@pytest.mark.parametrize("installed", [False, True])
def test_nothing_is_imported_from_where_it_runs(serve: Start, folder: Path, editable: Path, *, installed: bool) -> None:
    for name in ("service", "events", "projections", "workers", "gunicorn", "json"):
        for strange in (folder / name, folder.parent / name):
            strange.mkdir(parents=True)
            (strange / "__init__.py").write_text(f"raise SystemExit('a stranger named {name}')")
    imports_from = editable if installed else ROOT
    start = ("serve", "--port", "0", "--workers", "1")
    first = serve(*start, module="service.cli", imports_from=imports_from).ready()
    assert json.loads(first.get("/v1/rulebooks"))
    assert first.stop() == 0
    assert "stranger" not in first.output


def test_the_api_starts_in_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ROLLBOOK_DATA": str(tmp_path)}
    command = python_module("service.hosting.supervisor.api", "--version")
    ended = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_serve_beside_serve_is_one_clear_line(serve: Start, folder: Path) -> None:
    first = serve().ready()
    second = serve()
    assert second.ended() == 1
    assert second.output.splitlines() == [
        f"Error: Another `rollbook serve` (process {first.process.pid}) runs on the data folder {folder}"
    ]
    assert first.get("/count") == "1"


def test_a_command_beside_serve_attaches_and_leaves_the_store_running(serve: Start, folder: Path) -> None:
    first = serve().ready()
    first.get("/count")
    with EmbeddedStore(folder) as store, store.client() as client:
        assert not store.is_ours
        assert client.get("count") == b"1"
    assert first.get("/count") == "2"


def test_a_store_that_a_command_started_is_left_to_it_when_serve_ends(serve: Start, folder: Path) -> None:
    with EmbeddedStore(folder) as store, store.client() as client:
        command = serve().ready()
        assert command.get("/count") == "1"
        assert command.stop() == 0
        assert client.get("count") == b"1"
    assert processes_of(folder) == []


def test_a_busy_port_is_one_clear_line(serve: Start, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = serve("trial", "--port", port)
        assert command.ended() == 1
    assert command.output.splitlines() == [
        f"Error: Cannot listen on 127.0.0.1:{port}: Address already in use (--port or ROLLBOOK_PORT names another)"
    ]
    assert processes_of(folder) == []


def test_a_start_that_fails_leaves_no_keys(serve: Start, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command = serve("serve", "--port", str(taken.getsockname()[1]), module="service.cli")
        assert command.ended() == 1
    assert [path.name for path in folder.rglob("*") if path.suffix in (".key", ".token")] == []


def test_an_open_address_is_reported_with_what_others_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wildcard with this machine's own address; an address of the network as it is; loopback not at all."""
    monkeypatch.setattr("service.hosting.supervisor.listener._own_address", lambda _family: "192.0.2.7")
    bound = {"0.0.0.0": "http://192.0.2.7:80", "192.0.2.9": "http://192.0.2.9:80", "127.0.0.1": "", "::1": ""}
    for host, expected in bound.items():
        listener: Any = SimpleNamespace(getsockname=lambda host=host: (host, 80), family=socket.AF_INET)
        assert network_link(listener) == expected


def test_a_folder_that_is_a_file_is_one_clear_line(serve: Start, folder: Path) -> None:
    folder.touch()
    command = serve("serve", module="service.cli")
    assert command.ended() == 1
    assert command.output.splitlines() == [
        f"Error: The data folder {folder} cannot be used: File exists (ROLLBOOK_DATA names another)"
    ]


def test_an_app_that_cannot_start_ends_serve_with_an_error(serve: Start, folder: Path) -> None:
    command = serve("trial", "--port", "0", "--broken")
    assert command.ended() == 1
    assert "Error: The API ended 3 times before it was ready" in command.output.splitlines()[-1]
    assert processes_of(folder) == []


def test_after_a_killed_supervisor_the_next_one_adopts_the_store(serve: Start, folder: Path) -> None:
    first = serve().ready()
    assert first.get("/count") == "1"
    store = EmbeddedStore(folder)
    orphan = store.pid()
    first.process.kill()
    first.ended()
    again = serve("trial", "--port", str(first.port)).ready()
    assert again.get("/count") == "2"
    assert store.pid() == orphan
    assert again.stop() == 0
    assert processes_of(folder) == []


def test_children_do_not_survive_a_killed_supervisor(serve: Start, folder: Path) -> None:
    first = serve().ready()
    first.process.kill()
    first.ended()
    valkey = EmbeddedStore(folder).pid()
    until(lambda: [p.pid for p in processes_of(folder)] == [valkey], "only the store is left")
    assert not _can_connect(first.port)


def test_a_killed_store_is_started_again(serve: Start, folder: Path) -> None:
    first = serve().ready()
    assert first.get("/count") == "1"
    _kill_store(folder)
    assert first.get("/count") == "2"
    assert first.stop() == 0
    assert processes_of(folder) == []


def test_an_adopted_store_that_is_killed_is_started_again(serve: Start, folder: Path) -> None:
    first = serve().ready()
    first.process.kill()
    first.ended()
    again = serve().ready()
    _kill_store(folder)
    assert again.get("/count") == "1"


@pytest.mark.parametrize("victim", ["gunicorn", "worker", "reaper"])
def test_a_killed_child_is_started_again(serve: Start, folder: Path, victim: str) -> None:
    first = serve().ready()
    word = f"embedded.{victim}" if victim == "worker" else victim
    if victim == "reaper":
        old = next(p.pid for p in psutil.Process(first.process.pid).children() if word in " ".join(p.cmdline()))
    else:
        old = _pid_of(folder, word)
    os.kill(old, signal.SIGKILL)

    def another() -> bool:
        for child in psutil.Process(first.process.pid).children():
            with contextlib.suppress(psutil.NoSuchProcess):
                if child.pid != old and word in " ".join(child.cmdline()):
                    return True
        return False

    until(another, f"there is another {victim}")
    until(lambda: first.get("/healthz") == "ok", "it answers")
    first.process.kill()
    first.ended()
    until(lambda: len(processes_of(folder)) == 1, "only the store is left")


def test_a_killed_api_worker_is_replaced_by_gunicorn(serve: Start) -> None:
    first = serve().ready()
    master, worker = first.get("/pid").split()
    os.kill(int(worker), signal.SIGKILL)
    until(lambda: first.get("/pid").split()[1] != worker, "another worker answers")
    assert first.get("/pid").split()[0] == master


def _slow_request(command: Serve, folder: Path) -> tuple[threading.Thread, list[str]]:
    answers: list[str] = []

    def ask() -> None:
        with contextlib.suppress(OSError):
            answers.append(command.get("/slow"))

    thread = threading.Thread(target=ask)
    thread.start()
    until((folder / "begun").exists, "the request is in flight")
    return thread, answers


@pytest.mark.parametrize(
    ("number", "whole_group"),
    [
        pytest.param(signal.SIGINT, False, marks=pytest.mark.long),
        (signal.SIGINT, True),
        (signal.SIGTERM, False),
        pytest.param(signal.SIGTERM, True, marks=pytest.mark.long),
        pytest.param(signal.SIGHUP, False, marks=pytest.mark.long),
        pytest.param(signal.SIGHUP, True, marks=pytest.mark.long),
    ],
)
def test_a_request_in_flight_is_answered_and_the_order_kept(
    serve: Start, folder: Path, number: signal.Signals, whole_group: bool
) -> None:
    """A terminal sends Ctrl-C to its whole foreground group; only the supervisor may be in it."""
    command = serve().ready()
    thread, answers = _slow_request(command, folder)
    if whole_group:
        os.killpg(command.process.pid, number)
    else:
        command.process.send_signal(number)
    until(lambda: "is stopping" in command.output, "it stops")
    until(lambda: not _can_connect(command.port), "new requests are refused")
    (folder / "go-on").touch()
    thread.join()
    assert answers == ["done"]
    assert command.ended() == 0, command.output
    assert (folder / "ends").read_text().split() == ["request", "worker"]  # and the worker found the store alive
    assert "bye bye" in (folder / "valkey.log").read_text().splitlines()[-1]
    assert processes_of(folder) == []


def test_a_second_ctrl_c_ends_it_at_once(serve: Start, folder: Path) -> None:
    """The request would never end; the store is ended properly all the same."""
    command = serve().ready()
    thread, answers = _slow_request(command, folder)
    command.process.send_signal(signal.SIGINT)
    until(lambda: "is stopping" in command.output, "it stops")

    def insist() -> bool:
        command.process.send_signal(signal.SIGINT)
        return command.process.poll() is not None

    until(insist, "it ends")
    thread.join()
    assert answers == []
    assert "was killed" not in command.output
    assert "bye bye" in (folder / "valkey.log").read_text().splitlines()[-1]
    assert processes_of(folder) == []


def test_ctrl_c_before_it_is_ready_leaves_nothing(serve: Start, folder: Path) -> None:
    command = serve()
    until((folder / "store.lock").exists, "it has begun")
    assert command.stop() == 0, command.output
    assert processes_of(folder) == []


def test_another_store_is_used_and_left_running(serve: Start, folder: Path) -> None:
    with EmbeddedStore(folder.with_name("other")) as other, other.client() as client:
        command = serve("trial", "--port", "0", "--workers", "1", "--redis-url", other.url).ready()
        assert command.get("/count") == "1"
        assert not (folder / "valkey.log").exists()
        assert command.stop() == 0
        assert client.get("count") == b"1"


@pytest.mark.parametrize("option", ["appendonly", "maxmemory-policy"])
def test_a_store_that_may_forget_is_refused_unless_told(serve: Start, folder: Path, option: str) -> None:
    options = {option: {"appendonly": "no", "maxmemory-policy": "allkeys-lru"}[option]}
    with EmbeddedStore(folder.with_name("other"), options=options) as other:
        arguments = ("trial", "--port", "0", "--workers", "1", "--redis-url", other.url)
        refused = serve(*arguments)
        assert refused.ended() == 1
        assert refused.output.startswith("Error: The store may forget: ")
        assert len(refused.output.splitlines()) == 1
        serve(*arguments, "--allow-volatile").ready()


def test_no_password_is_shown(serve: Start, folder: Path) -> None:
    with EmbeddedStore(folder.with_name("other")) as other, other.client() as client:
        client.config_set("requirepass", "hunter2")
        url = other.url.replace("unix://", "unix://:hunter3@")
        command = serve("trial", "--port", "0", "--redis-url", url)
        assert command.ended() == 1
        client.config_set("requirepass", "")
    assert "does not answer" in command.output
    assert "hunter" not in command.output
