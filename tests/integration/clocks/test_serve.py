"""`rollbook serve` as it is: its clock and its worker move the bots, also after a kill, and say when they are away."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.http import Client
from tests.support.serving import Serve, processes_of, until


def of_background(folder: Path) -> list[psutil.Process]:
    return [p for p in processes_of(folder) if any(word in ("workers", "workers.clock") for word in p.cmdline())]


def bots_game(client: Client) -> str:
    """A game that bots alone play."""
    made: dict[str, Any] = client.insist("POST", "/v1/games", body={"rulebook": "public_assistance"}).json()
    path = f"/v1/games/{made['game']}"
    for level in ("random", "sensible"):
        client.insist("POST", f"{path}/seats", token=made["host_token"], body={"kind": "bot", "level": level})
    client.insist("POST", f"{path}/start", token=made["host_token"])
    return path


@pytest.mark.long
def test_bots_move_by_themselves_also_after_a_kill(serve: Callable[..., Serve], folder: Path) -> None:
    running = serve("serve", "--port", "0", "--workers", "1", module="service.cli").ready()
    client = Client(running.url)
    until(lambda: client.call("GET", "/readyz").json()["background"] == [], "clock and worker are there")
    path = bots_game(client)

    def moves() -> int:
        lines = client.call("GET", f"{path}/events?limit=1000").json()["events"]
        return sum(line["event"]["data"]["type"] == "action_taken" for line in lines)

    began = moves()
    until(lambda: moves() >= began + 1, "the bots have moved")
    for process in of_background(folder):
        os.kill(process.pid, signal.SIGKILL)
    again = moves()
    until(lambda: moves() >= again + 1, "the bots move again")
    found = client.call("GET", f"{path}/verification").json()
    assert (found["findings"], found["sound"]) == ([], True)
    assert running.stop() == 0
