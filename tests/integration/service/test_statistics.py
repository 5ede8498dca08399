"""`rollbook serve` counts by itself, and `rollbook rebuild` finds the same, beside it and without it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from service.cli import main
from tests.support.http import Client, Table
from tests.support.serving import Serve, until


def told(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.call("GET", "/v1/statistics?days=2").json()
    return found


def rebuilt(folder: Path, *parts: str) -> Any:
    done = CliRunner().invoke(main, ["rebuild", *parts, "--json", "--data", str(folder)])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_a_service_counts_by_itself_and_a_rebuild_finds_the_same(serve: Callable[..., Serve], folder: Path) -> None:
    running = serve("serve", "--port", "0", "--workers", "1", module="service.cli").ready()
    client = Client(running.url)
    table = Table.open(client)
    table.play(5)
    client.insist("DELETE", f"/v1/games/{table.game}/seats/1", token=table.tokens[1])
    until(lambda: [line["finished"] for line in told(client)["games"]] == [1], "the game is counted")
    before = told(client)
    assert before["behind"] == 0
    assert before["dice"][0]["fair"]["count"] > 0
    everything = {"games": 1, "left_out": []}
    assert rebuilt(folder) == {
        "statistics": {**everything, "corrected": None},
        "due": {**everything, "corrected": 0},
    }
    assert told(client) == before
    assert running.stop() == 0
    assert rebuilt(folder, "statistics") == {"statistics": {**everything, "corrected": None}}
