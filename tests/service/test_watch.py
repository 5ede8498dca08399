"""Waiting for a game: by message, by the look every two seconds, and never by turning round and round."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import fakeredis
import pytest
from redis.exceptions import ConnectionError as Lost

from events.store import CHANNEL, Head, Streams
from service.live import watch
from service.live.watch import ShuttingDown, Watch, Watcher

LONG = 20.0


class Heads:
    """A store that knows nothing but heads, and counts how often it is asked."""

    def __init__(self) -> None:
        self.versions: dict[str, int] = {}
        self.asked = threading.Event()

    def heads_of(self, games: list[str]) -> list[Head | None]:
        self.asked.set()
        return [Head(self.versions[game], b"", sealed=False) if game in self.versions else None for game in games]


def pubsub(server: fakeredis.FakeServer) -> Any:
    return fakeredis.FakeRedis(server=server).pubsub()  # type: ignore[no-untyped-call] # the stubs leave it untyped


@pytest.fixture
def server() -> fakeredis.FakeServer:
    return fakeredis.FakeServer()


@pytest.fixture
def heads() -> Heads:
    return Heads()


Make = Callable[..., Watcher]


@pytest.fixture
def make(server: fakeredis.FakeServer, heads: Heads) -> Iterator[Make]:
    made: list[Watcher] = []

    def watcher(subscribe: Callable[[], Any] | None = None, **options: int) -> Watcher:
        streams: Streams = heads  # type: ignore[assignment] # all of them that is used here
        made.append(Watcher(streams, subscribe or fakeredis.FakeRedis(server=server).pubsub, **options))
        return made[-1]

    yield watcher
    for one in made:
        one.close()


def woken(watch: Watch, after: int) -> bool:
    """Wait for an hour, and return whether it took less than the patience of these tests."""
    waiting = threading.Thread(target=watch.wait, args=(after, 3600), daemon=True)
    waiting.start()
    waiting.join(LONG)
    return not waiting.is_alive()


def say(server: fakeredis.FakeServer, text: str) -> None:
    """Publish once there is a listener."""
    client, until = fakeredis.FakeRedis(server=server), time.monotonic() + LONG
    while not client.publish(CHANNEL, text):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_message_wakes_those_who_wait_for_that_game(make: Make, server: fakeredis.FakeServer) -> None:
    watcher = make()
    with watcher.watching("a") as mine, watcher.watching("b") as other:
        threading.Thread(target=say, args=(server, "a 5")).start()
        assert woken(mine, 4)
        assert not mine.wait(5, 0)
        assert not other.wait(0, 0)


def test_what_came_before_the_wait_is_not_missed(make: Make, server: fakeredis.FakeServer) -> None:
    """Who watches first and reads then can lose nothing in between."""
    watcher = make()
    with watcher.watching("a") as mine, watcher.watching("a") as second:
        say(server, "a 5")
        assert woken(second, 4)
        assert mine.wait(4, 0)


def test_without_messages_the_heads_are_looked_at(make: Make, heads: Heads, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lost message costs two seconds, not the time of the poll."""
    monkeypatch.setattr(watch, "RECHECK", 0.01)
    with make().watching("a") as mine:
        assert heads.asked.wait(LONG)
        heads.versions["a"] = 3
        assert woken(mine, 2)


def test_many_who_wait_are_one_subscription(make: Make, server: fakeredis.FakeServer) -> None:
    subscriptions = []

    def subscribe() -> Any:
        subscriptions.append(1)
        return pubsub(server)

    watcher = make(subscribe)
    found = []

    def wait() -> None:
        with watcher.watching("a") as mine:
            found.append(mine.wait(4, 3600))

    waiting = [threading.Thread(target=wait, daemon=True) for _ in range(50)]
    for thread in waiting:
        thread.start()
    until = time.monotonic() + LONG
    while watcher.waiting() < 50:
        assert time.monotonic() < until
        time.sleep(0.01)
    say(server, "a 5")
    for thread in waiting:
        thread.join(LONG)
    assert found == [True] * 50
    assert len(subscriptions) == 1
    assert watcher.watched() == []


def test_a_lost_subscription_is_taken_up_again(
    make: Make, server: fakeredis.FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "_TICK", 0.01)
    tries: list[int] = []

    def subscribe() -> Any:
        tries.append(1)
        if len(tries) < 3:
            raise Lost("gone")
        return pubsub(server)

    with make(subscribe).watching("a") as mine:
        threading.Thread(target=say, args=(server, "a 5")).start()
        assert woken(mine, 4)
    assert len(tries) == 3


def test_who_waits_is_let_go_when_the_process_ends(make: Make) -> None:
    """And what is known already is still told."""
    watcher, ends = make(), []

    def wait() -> None:
        with pytest.raises(ShuttingDown), watcher.watching("a") as mine:
            mine.wait(3, LONG)
        ends.append("let go")

    waiter = threading.Thread(target=wait)
    waiter.start()
    with watcher.watching("a") as other:
        while watcher.waiting() < 2:
            time.sleep(0.01)
        watcher.let_go()
        waiter.join(LONG)
        assert ends == ["let go"]
        with pytest.raises(ShuttingDown):
            other.wait(0, LONG)
    with pytest.raises(ShuttingDown), watcher.watching("b"):
        pass
