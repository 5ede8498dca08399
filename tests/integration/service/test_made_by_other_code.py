"""Games that another release opened under the same number of the rules: read, exported, audited, and not played on.

`made_by_other_code.tar.xz` is the data folder of release 0.1.0 at commit 279c962, with `tokens.json` beside it: of each
rulebook a game that is over and one that runs, one with a clock, and one that nobody has joined.
"""

import json
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from service.cli import main
from tests.support.command import rollbook
from tests.support.http import Client
from tests.support.serving import ROOT, Serve

PACKED = Path(__file__).with_name("made_by_other_code.tar.xz")
OVER = ("finished_pa", "finished_sj")
RUNNING = ("running_pa", "running_sj", "timed_pa")


@pytest.fixture
def games(tmp_path: Path, folder: Path) -> dict[str, Any]:
    """Unpack the folder; gives id and tokens of each game."""
    with tarfile.open(PACKED) as packed:
        packed.extractall(tmp_path, filter="data")
    assert (tmp_path / "data") == folder
    found: dict[str, Any] = json.loads((tmp_path / "tokens.json").read_text())
    return found


def refused(client: Client, game: dict[str, Any], token: str, path: str, body: object) -> None:
    answer = client.call("POST", f"/v1/games/{game['game']}{path}", token=token, body=body, key="a key of this test")
    assert (answer.status_code, answer.json()["code"]) == (409, "made_by_other_code"), answer.text


def test_it_is_read_and_not_played_on(serve: Callable[..., Serve], folder: Path, games: dict[str, Any]) -> None:
    """Not by its players, not by the clock, not by a fork; what people typed in can still be erased."""
    running = serve("serve", "--port", "0", "--workers", "1", module="service.cli").ready()
    client = Client(running.url)
    before = {name: len(events(client, game)) for name, game in games.items()}
    assert min(before[name] for name in (*OVER, *RUNNING)) > 40
    assert {line["game"] for line in client.call("GET", "/v1/games").json()["games"]} == {
        game["game"] for game in games.values()
    }
    for name in RUNNING:
        game = games[name]
        prompt = next(iter(client.call("GET", f"/v1/games/{game['game']}").json()["state"]["prompts"].values()))
        token = game["tokens"][str(prompt["seat"])]
        menu = client.call("GET", f"/v1/games/{game['game']}/actions", token=token).json()
        refused(client, game, token, "/actions", next(action["body"] for action in menu["open"] if action["default"]))
        refused(client, game, game["host"], "/forks", {"step": 8})
    refused(client, games["lobby_pa"], games["lobby_pa"]["join"], "/seats", {"name": "Late"})
    over = games["finished_pa"]
    path = f"/v1/games/{over['game']}"
    for more in ("/steps", "/ledger/trial-balance", "/checkpoint", "/verification"):
        assert client.call("GET", path + more).status_code == 200
    assert client.call("GET", f"{path}/verification").json()["verdict"] == "not verified"
    renewed = client.call("POST", f"{path}/seats/1/token", token=over["host"])
    assert renewed.status_code == 201
    erased = client.call("DELETE", f"{path}/seats/1/texts", token=renewed.json()["token"])
    assert erased.status_code < 300, erased.text
    # A clock that was to take the default years ago has had its time by now.
    assert client.call("GET", "/readyz").json()["frozen"] == 0
    assert {name: len(events(client, game)) for name, game in games.items()} == before
    assert running.stop() == 0


def events(client: Client, game: dict[str, Any]) -> list[dict[str, Any]]:
    return client.lines(f"/v1/games/{game['game']}/events")


def test_it_is_not_verified_unless_something_is_wrong(folder: Path, games: dict[str, Any], tmp_path: Path) -> None:
    """By the audit, by `verify` and by the second verifier; a payment that was made up is found by each."""
    everything = rollbook(folder, "audit", "--all")
    assert everything.exit_code == 3, everything.output
    for name in (*OVER, *RUNNING, "lobby_pa"):
        done = rollbook(folder, "audit", games[name]["game"])
        assert done.exit_code == 3, done.output
        assert "other code under the same number of the rules" in done.output
    for name in OVER:
        bundle = tmp_path / f"{name}.ndjson"
        assert rollbook(folder, "export", games[name]["game"], "--output", str(bundle)).exit_code == 0
        assert verdicts(bundle) == (3, 3)
        whole = bundle.read_text()
        bundle.write_text(whole.replace('"amount":', '"amount":1', 1))
        assert verdicts(bundle) == (1, 1)


def verdicts(bundle: Path) -> tuple[int, int]:
    second = [sys.executable, str(ROOT / "docs" / "verify_bundle.py"), str(bundle)]
    return (
        CliRunner().invoke(main, ["verify", str(bundle)]).exit_code,
        subprocess.run(second, capture_output=True, check=False).returncode,
    )
