"""How far one POST goes through our code: `python -m tests.benchmarks.one_post`, with `--list` for every call.

Counted are calls of Python functions whose file lies in one of the rooms below, as the interpreter reports them
("call" events of `sys.setprofile`). Comprehensions and generator expressions are left out, and so is every library.
Two warm requests are measured on a real store: a roll of Public Assistance that leads to 8 events, and a `pay` of The
Social Justice Game.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import click
from flask import Flask
from flask.testing import FlaskClient

from events.store import HeadLog, connect
from service.api.app import create_app
from service.bootstrap import assemble
from service.games.heads import HEADS_LOG
from service.hosting.valkey import EmbeddedStore
from service.jobs import JobQueue

ROOT = Path(__file__).parents[2]
ROOMS = tuple(f"{ROOT / room}/" for room in ("events", "projections", "service", "workers"))
INNER = frozenset({"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"})
VIEW = ("service/api/resources/play.py", "act")
DECIDE = ("service/rules/decide.py", "decide")
SECRET = "07" * 32
WARM = 8  # requests of a kind before the one that is measured
EVENTS = 8  # of the roll that is measured


@dataclass
class Trace:
    """The calls of one request.

    Attributes:
        calls: File, function and depth of each call, in order.
        to_decide: Frames from the view to `decide`, both counted; 0 before it was met.
    """

    calls: list[tuple[str, str, int]] = field(default_factory=list)
    to_decide: int = 0

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        """Note a call, as the interpreter's profiler."""
        if event != "call" or (place := _place(frame)) is None:
            return
        stack = [place, *_callers(frame.f_back)]
        self.calls.append((*place, len(stack)))
        if place == DECIDE and VIEW in stack:
            self.to_decide = stack.index(VIEW) + 1

    @property
    def files(self) -> int:
        """How many files were entered."""
        return len({file for file, _, _ in self.calls})

    @property
    def depth(self) -> int:
        """Most calls within each other."""
        return max(depth for _, _, depth in self.calls)

    @property
    def changes(self) -> int:
        """How often a call is in another file than the call before it."""
        files = [file for file, _, _ in self.calls]
        return sum(before != after for before, after in pairwise(files))

    def line(self) -> str:
        """Return the figures on a line."""
        return (
            f"{self.files} files, {len(self.calls)} calls, depth {self.depth}, {self.changes} changes of file,"
            f" {self.to_decide} frames from the view to decide"
        )


def _place(frame: FrameType) -> tuple[str, str] | None:
    """Return file and function of a call that counts."""
    file, name = frame.f_code.co_filename, frame.f_code.co_name
    return (file.removeprefix(f"{ROOT}/"), name) if file.startswith(ROOMS) and name not in INNER else None


def _callers(frame: FrameType | None) -> Iterator[tuple[str, str]]:
    while frame is not None:
        if place := _place(frame):
            yield place
        frame = frame.f_back


class Player:
    """A game that is played by requests, without a server.

    Args:
        app: The application.
        rulebook: Which game; two seats take part.
    """

    def __init__(self, app: Flask, rulebook: str) -> None:
        self._client: FlaskClient = app.test_client()
        made = self.send("POST", "/v1/games", {"rulebook": rulebook, "secret": SECRET}, key=f"{rulebook:.<17}")
        self.path = f"/v1/games/{made['game']}"
        seats = [self.send("POST", f"{self.path}/seats", {}, made["join_code"]) for _ in range(2)]
        self.tokens = {seated["seat"]: seated["token"] for seated in seats}
        for token in self.tokens.values():
            self.send("POST", f"{self.path}/ready", {"edition": 1}, token)
        self.send("POST", f"{self.path}/start", {}, made["host_token"])

    def send(
        self, method: str, path: str, body: dict[str, Any] | None = None, token: str = "", *, key: str = ""
    ) -> Any:
        """Send a request and return its answer."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if key:
            headers["Idempotency-Key"] = key
        reply = self._client.open(path, method=method, json=body, headers=headers)
        assert reply.status_code < 300, reply.text
        return reply.json

    def act(self, seat: int, body: dict[str, Any]) -> tuple[Trace, Any]:
        """Send an action; return how it went through our code, and its answer."""
        trace = Trace()
        sys.setprofile(trace)
        try:
            answer = self.send("POST", f"{self.path}/actions", body, self.tokens[seat])
        finally:
            sys.setprofile(None)
        return trace, answer

    def step(self) -> tuple[str, Trace, Any]:
        """Do what the clock would do for the first seat that is asked; return the action's name with the rest."""
        prompts = self.send("GET", self.path)["state"]["prompts"]
        seat = next(iter(prompts.values()))["seat"]
        menu = self.send("GET", f"{self.path}/actions", token=self.tokens[seat])["open"]
        action = next(action for action in menu if action["default"])
        return (action["name"], *self.act(seat, action["body"]))


def roll(app: Flask) -> Trace:
    """Return the way of a roll that leads to 8 events."""
    player, rolls = Player(app, "public_assistance"), 0
    while True:
        name, trace, answer = player.step()
        rolls += name == "roll"
        if name == "roll" and rolls > WARM and len(answer["events"]) == EVENTS:
            return trace


def pay(app: Flask) -> Trace:
    """Return the way of a payment."""
    player = Player(app, "social_justice")
    for _ in range(WARM):
        trace, _ = player.act(1, {"action": "pay", "to": 2, "amount": 1})
    return trace


@click.command()
@click.option("--list", "every", is_flag=True, help="Show every call, indented by its depth.")
def main(every: bool) -> None:
    """Measure two requests."""
    with TemporaryDirectory(prefix="rb") as folder, EmbeddedStore(Path(folder)) as store:
        client, heads = connect(store.url), HeadLog(Path(folder) / HEADS_LOG)
        # With a known key the ids of the games, and so the dice, are the same in every run.
        services = assemble(client, server_key=b"k" * 32, heads=heads, jobs=JobQueue.at(store.url))
        services.uptime.serve()
        app = create_app(services)
        for name, measure in (("roll", roll), ("pay", pay)):
            trace = measure(app)
            click.echo(f"{name}: {trace.line()}")
            for file, function, depth in trace.calls if every else ():
                click.echo(f"{'  ' * depth}{file}:{function}")


if __name__ == "__main__":
    main()
