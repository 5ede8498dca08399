"""The counting beside the clocks: what cannot be counted keeps nothing waiting; kill -9 loses and doubles nothing."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from events.store import Store, StoreUnavailable, connect
from events.store.keys import BUCKETS, bucket_keys, bucket_of
from projections.statistics import LEFT_MS, Whole
from service.bootstrap import assemble
from tests.support.counted import Entries, count_all, expected, fork_of, history, kept, made_up, write
from tests.support.played import empty
from tests.support.serving import ROOT
from tests.support.valkey import valkey
from workers.counting import Counting, Statistician, keep_counting

GO_ON = threading.Event()

COUNT = """
import sys, threading
from events.store import Store, Figures, connect
from workers.counting import Counting
from workers.counting import Statistician
client = connect(sys.argv[1])
statistician = Statistician(Counting(Store(client)))
while True:
    statistician.look(threading.Event())
"""


def test_a_bucket_that_cannot_be_counted_waits_for_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    client, now = empty(), [0.0]
    store, chance = Store(client), random.Random(1)
    for game in ("good", "bad"):
        write(store, game, made_up(chance, game)[0])
    figures = bucket_keys(bucket_of("bad")).figures
    client.execute_command("SET", figures, "no hash")
    statistician = Statistician(Counting(store), monotonic=lambda: now[0])
    for _ in range(3):
        statistician.look(GO_ON)
    assert Store(client).figures.counted(bucket_of("good"), ["good"]) == [1]
    assert caplog.text.count("is not counted for a minute") == 1
    client.execute_command("DEL", figures)
    statistician.look(GO_ON)
    assert Store(client).figures.counted(bucket_of("bad"), ["bad"]) == [0]
    now[0] = 60.0
    statistician.look(GO_ON)
    assert kept(client) == expected(store)


def test_a_store_that_is_away_is_waited_for(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """That is said once; and the thread ends when it is asked to."""
    client = empty()
    services = assemble(client, server_key=b"k" * 32, allow_volatile=True)
    offsets, failures = services.store.figures.offsets, [1, 2]

    def away() -> Any:
        if failures:
            failures.pop()
            raise StoreUnavailable("away")
        return offsets()

    services.store.figures.offsets = away  # type: ignore[method-assign] # the store is away
    monkeypatch.setattr("workers.counting.LOOK_SECONDS", 0.01)
    write(services.store, "one", made_up(random.Random(1), "one")[0])
    stop = threading.Event()
    thread = keep_counting(stop, services)
    until = time.monotonic() + 20
    while kept(client)[0] != {"one": 1}:
        assert time.monotonic() < until
        time.sleep(0.01)
    stop.set()
    thread.join(timeout=20)
    assert not thread.is_alive()
    assert caplog.text.count("statistics stand still") == 1


def start(url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", COUNT, url], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})


def test_processes_that_are_killed_count_each_game_once(tmp_path: Path) -> None:
    """Three count at once while games go on; one after the other is killed while it counts, and another one begins."""
    chance = random.Random(1)
    games: dict[str, list[Entries]] = {f"g{n}": made_up(chance, f"g{n}", over=n % 4 > 0) for n in range(100)}
    games |= {f"f{n}": fork_of(chance, games[f"g{n}"], f"f{n}") for n in range(1, 20)}
    with valkey(tmp_path) as server:
        client = connect(server.url)
        store, processes = Store(client), [start(server.url) for _ in range(3)]
        try:
            for place, part in enumerate([[*games][n::6] for n in range(6)]):
                before = changes(client)
                play(store, {game: games[game] for game in part}, chance)
                wait_for_more(client, than=before)
                end(processes[place % 3])
                processes[place % 3] = start(server.url)
        finally:
            for process in processes:
                end(process)
        count_all(store, client)
        assert kept(client) == expected(store)
        for bucket in range(BUCKETS):
            Counting(store).rebuild(bucket)
        assert kept(client) == expected(store)


def play(store: Store, games: dict[str, list[Entries]], chance: random.Random) -> None:
    """Play games in turns, until all are over."""
    waiting = {game: iter(actions) for game, actions in games.items()}
    while waiting:
        game = chance.choice([*waiting])
        if action := next(waiting[game], None):
            write(store, game, action)
        else:
            del waiting[game]


def changes(client: Any) -> int:
    """How often something was counted."""
    return sum(mark.number for mark in Store(client).figures.offsets())


def wait_for_more(client: Any, *, than: int) -> None:
    until = time.monotonic() + 60
    while changes(client) <= than + 3:
        assert time.monotonic() < until, "nobody counts"
        time.sleep(0.001)


def end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize("seed", range(4))
def test_chance_of_a_game_that_is_left_counts_after_a_week(seed: int) -> None:
    """As far as it got, and once: also when it goes on, is left again, and comes to its end."""
    client, chance = empty(), random.Random(seed)
    store, counting, game = Store(client), Counting(Store(client)), "left"
    actions = made_up(chance, game, known=False, over=True)
    while len(actions) < 6:
        actions = made_up(chance, game, known=False, over=True)
    bucket, stops = bucket_of(game), (len(actions) // 3, 2 * len(actions) // 3, len(actions))
    begin = 0
    for stop in stops:
        for action in actions[begin:stop]:
            write(store, game, action)
        begin = stop
        counting.count(bucket)
        if stop == stops[-1]:
            break
        before, last = kept(client), history(store, game)[-1]
        counting.count_left(bucket, now=last.at + LEFT_MS - 1)
        assert kept(client)[1:] == before[1:]
        for _ in range(2):
            counting.count_left(bucket, now=last.at + LEFT_MS)
            assert chance_of(kept(client)[1]) == chance_in(history(store, game))
    assert kept(client)[1:] == expected(store)[1:]
    counting.rebuild(bucket)
    assert kept(client) == expected(store)


def chance_of(figures: dict[str, int]) -> dict[str, int]:
    return {word: times for word, times in figures.items() if word.partition("/")[0] in ("die", "card", "first")}


def chance_in(entries: Entries) -> dict[str, int]:
    """The chance of a game, counted as if it were over."""
    found = Whole()
    for envelope in entries:
        found.see(envelope)
    return dict(found.chance())


def test_one_bucket_after_another_is_searched_for_games_that_were_left() -> None:
    """Each about once an hour; without a clock of the store none is."""
    now, searched = [0.0], list[int]()
    counting = Counting(Store(empty()))

    def count_left(bucket: int, *, now: int) -> None:
        searched.append(bucket if now == 5 else -1)

    counting.count_left = count_left  # type: ignore[method-assign] # only which bucket
    for clock in (None, lambda: 5):
        statistician = Statistician(counting, first=3, now=clock, monotonic=lambda: now[0])
        for _ in range(3):
            statistician.look(GO_ON)
            statistician.look(GO_ON)
            now[0] += 60
    assert searched == [4, 5, 6]
