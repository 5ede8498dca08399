"""Copies of a data folder, as docs/recovery.md says: which order is right, and what a folder set back shows."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import rollbook
from tests.support.http import Client, Table
from tests.support.serving import Serve

KEYS = ("server.key", "signing.key", "operator.token")


def lost(folder: Path) -> list[str]:
    """What `doctor` says of a folder's history."""
    told = json.loads(rollbook(folder, "doctor", "--json", "--port", "0").stdout)
    return [check["detail"] for check in told["checks"] if check["check"] == "History" and check["status"] != "ok"]


def copied(folder: Path, to: Path, *names: str) -> None:
    to.mkdir(exist_ok=True)
    for name in names:
        source = folder / name
        shutil.copytree(source, to / name) if source.is_dir() else shutil.copy(source, to)


@pytest.mark.long
def test_the_log_of_heads_is_copied_before_the_store(serve: Callable[..., Serve], folder: Path, tmp_path: Path) -> None:
    running = serve("serve", "--port", "0", "--workers", "1", module="service.cli").ready()
    table = Table.open(Client(running.url))
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    copied(folder, right, *KEYS, "heads.log")
    copied(folder, wrong, *KEYS, "valkey")
    table.play(3)
    copied(folder, right, "valkey")
    copied(folder, wrong, "heads.log")
    assert running.stop() == 0
    assert lost(right) == []
    assert [table.game in sentence for sentence in lost(wrong)] == [True]


@pytest.mark.long
def test_a_folder_that_was_set_back_is_noticed_by_what_a_player_kept_alone(
    serve: Callable[..., Serve], folder: Path, tmp_path: Path
) -> None:
    running = serve("serve", "--port", "0", "--workers", "1", module="service.cli").ready()
    table = Table.open(Client(running.url))
    assert running.stop() == 0
    before = tmp_path / "before"
    shutil.copytree(folder, before, ignore=shutil.ignore_patterns("valkey.sock"))
    again = serve("serve", "--port", "0", "--workers", "1", module="service.cli").ready()
    table.client = Client(again.url)
    table.play(3)
    kept = tmp_path / "kept"
    kept.write_text(table.client.call("GET", f"/v1/games/{table.game}/checkpoint", Accept="text/plain").text)
    assert again.stop() == 0
    assert lost(before) == []
    assert rollbook(before, "audit", table.game).exit_code == 0
    assert rollbook(before, "audit", table.game, "--pinned", str(kept)).exit_code == 1
    assert rollbook(folder, "audit", table.game, "--pinned", str(kept)).exit_code == 0
