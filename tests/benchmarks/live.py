"""Live streams: 500 who watch one game; how late they hear of it at a lively table, and how fast a game can go at all.

The watchers are read by a process of their own, so that a figure tells of the server and not of the reader; all of
them share this machine's cores.
"""

import json
import re
import selectors
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.http import Playing, Wire, root, serving
from tests.support.watching import Crowd

WATCHERS = 500
LAST_VERSION = 2**53
ID = re.compile(rb"^id: (\d+)\n", re.MULTILINE)  # all that is read: the crowd must cost less than the server
SECONDS = 10.0
LIVELY = 5.0
"""Actions a second: more than people do. Played as fast as it goes, a delay would only tell how long the queue was."""


@dataclass(frozen=True)
class LiveFigures:
    """What `make bench` writes down about live streams."""

    live_watchers: int
    live_delay_ms_p50: float
    live_delay_ms_p99: float
    live_most_delay_ms_p99: float
    live_actions_per_s: float
    live_events_sent_per_s: float


def measure(folder: Path, say: Callable[[str], None]) -> LiveFigures:
    """Play one game before 500 watchers, as at a lively table and then as fast as one client can.

    A delay counts from the sending of the action to each watcher's reading of its last event.
    """
    with serving(folder) as base:
        player = Playing(base)
        command = [sys.executable, "-m", "tests.benchmarks.live", base, player.table.game]
        crowd = subprocess.Popen(command, cwd=root(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert crowd.stdout is not None
        assert crowd.stdout.readline() == "ready\n"
        calm, _ = _play(base, player, least=1 / LIVELY)
        time.sleep(1)
        fast, seconds = _play(base, player, least=0)
        told, _ = crowd.communicate(f"{max(fast)}\n")
    times, cut = json.loads(told)
    p50, p99 = _late(times, calm, 50), _late(times, calm, 99)
    most, actions = _late(times, fast, 99), len(fast) / seconds
    events = (max(fast) - max(calm)) * WATCHERS / seconds
    say(f"live: {WATCHERS} watchers of one game at {LIVELY:.0f} actions/s: {p50:.0f} ms (p50) and {p99:.0f} ms")
    say(f"  (p99) after it was sent; as fast as it goes, {actions:,.0f} actions/s and {events:,.0f} events/s to all of")
    say(f"  them together, {most:,.0f} ms (p99); {cut} were too slow for it and cut")
    return LiveFigures(WATCHERS, p50, p99, most, actions, events)


def _late(times: list[tuple[int, float]], sent: dict[int, float], percent: int) -> float:
    """Return how many milliseconds after its sending an action was read by so many percent of the watchers."""
    delays = sorted((got - sent[version]) * 1000 for version, got in times if version in sent)
    return delays[len(delays) * percent // 100]


def _play(base: str, player: Playing, *, least: float) -> tuple[dict[int, float], float]:
    """Play, with so many seconds at least from one action to the next.

    Gives when the action was sent that each version is the last of (`perf_counter`), and how long it took.
    """
    wire, sent = Wire(base), {}
    path, begun = f"/v1/games/{player.table.game}/actions", time.perf_counter()
    at = begun - least
    while time.perf_counter() - begun < SECONDS:
        time.sleep(max(0.0, at + least - time.perf_counter()))
        seat, body = player.asked
        at = time.perf_counter()
        status, answer = wire.send("POST", path, json.dumps(body).encode(), player.table.tokens[seat])
        if status == 201:
            sent[int(json.loads(answer)["version"])] = at
        game = player.table.game
        player.learn(status, answer)
        if player.table.game != game:  # it is over
            break
    return sent, time.perf_counter() - begun


def _watch(base: str, game: str) -> None:
    """Be the crowd: say when all are there, and read until the version that the standard input tells."""
    crowd = Crowd.gather(base, game, WATCHERS)
    print("ready", flush=True)  # noqa: T201 - it talks to the process that started it
    times: list[tuple[int, float]] = []
    reached, last = [0] * WATCHERS, LAST_VERSION
    with selectors.DefaultSelector() as selector:
        selector.register(sys.stdin, selectors.EVENT_READ)
        for number, wire in enumerate(crowd.wires):
            selector.register(wire.socket, selectors.EVENT_READ, number)
        while min(reached) < last:
            for key, _ in selector.select():
                if key.fileobj is sys.stdin:
                    last = int(input())
                    selector.unregister(sys.stdin)
                    continue
                data = crowd.wires[key.data].socket.recv(1 << 20)
                if not data:
                    # Too slow for the server, which cut it: it counts for what it has read.
                    selector.unregister(key.fileobj)
                    reached[key.data] = LAST_VERSION
                elif ids := ID.findall(data):
                    now = time.perf_counter()
                    times += [(int(version), now) for version in ids]
                    reached[key.data] = int(ids[-1])
    crowd.close()
    print(json.dumps([times, reached.count(LAST_VERSION)]))  # noqa: T201 - as above


if __name__ == "__main__":
    _watch(*sys.argv[1:])
