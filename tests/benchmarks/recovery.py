"""How long nobody is served after a kill: `python -m tests.benchmarks.recovery`, with `--kills N` of each victim.

Measured is the time from `kill -9` to the first action that is answered with success. A supervisor is started again at
once, as systemd would. Victims die one at a time, each after a few seconds of good service, as they do in life.
"""

import secrets
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
import requests

from tests.integration.service.test_kills import kill_an_api_worker, kill_the_api, kill_the_store
from tests.support.http import Client, Table
from tests.support.serving import ROOT, Serve

QUIET_SECONDS = 4.0
"""Of good service before each kill: what has lived so long is started again at once."""


class Service:
    """A running `rollbook serve`, and a game on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "data"
        self._starts = 0
        self._place = folder
        self.running = self._start("0")
        self.port = self.running.url.rpartition(":")[2]
        self.table = Table.open(Client(self.running.url), months=60)

    def restart(self) -> bool:
        """Kill the supervisor, and start it again; return whether there was one."""
        self.running.process.kill()
        self.running.process.wait()
        self.running = self._start(self.port)
        return True

    def _start(self, port: str) -> Serve:
        self._starts += 1
        words = ("serve", "--port", port, "--workers", "2")
        output = self._place / f"output-{self._starts}"
        return Serve(self.folder, *words, output=output, module="service.cli", imports_from=ROOT).ready()

    def seconds_without(self, kill: Callable[[], bool]) -> float:
        """Kill something, and return how long no action was answered with success."""
        time.sleep(QUIET_SECONDS)
        asked = self.table.next_body()
        assert asked is not None, "sixty months are long enough"
        seat, body = asked
        key, path = secrets.token_hex(16), f"{self.running.url}/v1/games/{self.table.game}/actions"
        headers = {"Authorization": f"Bearer {self.table.tokens[seat]}", "Idempotency-Key": key}
        began = time.monotonic()
        assert kill(), "there was something to kill"
        while True:
            try:
                if requests.post(path, json=body, headers=headers, timeout=10).status_code == 201:
                    return time.monotonic() - began
            except requests.RequestException:
                pass
            time.sleep(0.01)


@click.command()
@click.option("--kills", default=20, show_default=True, help="Of each victim.")
def main(kills: int) -> None:
    """Kill each part of a service in turn, and print how long it was away."""
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder))
        victims: dict[str, Callable[[], bool]] = {
            "an API process": partial(kill_an_api_worker, service.folder),
            "the API": partial(kill_the_api, service.folder),
            "the store": partial(kill_the_store, service.folder),
            "the supervisor": service.restart,
        }
        for name, kill in victims.items():
            took = sorted(service.seconds_without(kill) for _ in range(kills))
            middle, worst = took[len(took) // 2], took[-1]
            click.echo(f"{name}: {middle:.1f} s in the middle of {kills} kills, {worst:.1f} s at most")
        service.running.stop()


if __name__ == "__main__":
    main()
