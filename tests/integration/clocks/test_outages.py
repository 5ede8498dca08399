"""The API is away for a moment around many deadlines: no turn is lost by it, and no time won."""

import random
import secrets
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
import requests

from tests.integration.clocks.fleet import ROOT
from tests.support.http import Client, Table
from tests.support.serving import Serve, processes_of

BEAT_MS = 250
"""The API is seen so often; an outage begins when it was seen last."""

SLACK_MS = 300
"""What a request takes on a machine that is busy."""


@dataclass
class Turn:
    """A turn whose deadline is near: at a table, of a seat, with its prompt."""

    table: Table
    seat: int
    prompt: str
    deadline: int

    @classmethod
    def begin(cls, client: Client, seconds: int) -> "Turn":
        table = Table.open(client, turn_seconds=seconds)
        (prompt,) = table.state()["prompts"].values()
        return cls(table, prompt["seat"], prompt["prompt"], prompt["deadline"])

    def move(self, client: Client) -> requests.Response:
        """Send the move until it is answered."""
        body = {"action": "roll", "prompt": self.prompt}
        path = f"/v1/games/{self.table.game}/actions"
        return client.insist("POST", path, token=self.table.tokens[self.seat], body=body, key=secrets.token_hex(16))

    def won(self) -> int:
        """Return the milliseconds by which the deadline was moved."""
        credited: list[dict[str, Any]] = self.table.events("outage_credited")
        moved = [event["deadlines"][self.prompt] for event in credited if self.prompt in event["deadlines"]]
        return max(moved, default=self.deadline) - self.deadline


def now() -> int:
    return time.time_ns() // 1_000_000


def of_api(folder: Path) -> list[psutil.Process]:
    return [p for p in processes_of(folder) if any("gunicorn" in w or "supervisor.api" in w for w in p.cmdline())]


def stopped(running: Serve, folder: Path, seconds: float, again: Callable[[int], Serve]) -> Serve:
    """Stop the API for so long, as a machine that sleeps does."""
    processes = of_api(folder)
    assert processes
    for process in processes:
        process.suspend()
    time.sleep(seconds)
    for process in processes:
        process.resume()
    return running


def killed(running: Serve, folder: Path, seconds: float, again: Callable[[int], Serve]) -> Serve:
    """Kill the API; it is started again by itself."""
    for process in of_api(folder):
        process.kill()
    return running


def restarted(running: Serve, folder: Path, seconds: float, again: Callable[[int], Serve]) -> Serve:
    """End everything, and start it again after so long."""
    port = running.port
    running.process.send_signal(signal.SIGTERM)
    running.ended()
    time.sleep(seconds)
    return again(port)


HOWS = {"stopped": stopped, "killed": killed, "restarted": restarted}


def sweep(start: Callable[..., Serve], folder: Path, how: str, seconds: float, *, turn: int, turns: int) -> None:
    """Check an outage at whose beginning some of many turns are over, some nearly so, and some have much time left."""

    def again(port: int) -> Serve:
        return start("serve", "--port", str(port), "--workers", "1", module="service.cli", imports_from=ROOT).ready()

    running = again(0)
    open_ = [Turn.begin(Client(running.url), turn) for _ in range(turns)]
    middle = open_[turns // 2].deadline
    time.sleep(max(0, middle - now()) / 1000)
    gone = now()
    running = HOWS[how](running, folder, seconds, again)
    client = Client(running.url)
    client.insist("GET", "/v1/games")
    back = now()
    for one in sorted(open_, key=lambda one: one.deadline):
        one.table.client = client
        if one.deadline > gone:
            answer = one.move(client)
            assert answer.status_code == 201, (one.deadline - gone, back - gone, answer.text)
            assert one.won() > 0 or back - gone < 1000 - SLACK_MS
    for one in open_:
        assert one.won() <= back - gone + BEAT_MS + SLACK_MS, (one.deadline - gone, back - gone, one.won())


@pytest.mark.parametrize("how", HOWS)
def test_a_short_outage_costs_nobody_a_turn(serve: Callable[..., Serve], folder: Path, how: str) -> None:
    sweep(serve, folder, how, 1.5, turn=2, turns=8)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("how", HOWS)
def test_no_outage_costs_anybody_a_turn(serve: Callable[..., Serve], folder: Path, how: str, seed: int) -> None:
    seconds = random.Random(f"{how} {seed}").choice([0.2, 0.5, 0.8, 1, 2, 3, 5, 8, 11, 15])
    sweep(serve, folder, how, seconds, turn=5, turns=24)
