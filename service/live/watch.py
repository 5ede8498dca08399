"""Waiting for a game to move on: one subscription a process for any number of requests that wait.

The store publishes "game version" with each append. Since a message can be lost (a reconnect, a failover), the heads
of the watched games are read every two seconds besides, all in one round trip. Works with threads and with greenlets.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

from redis.exceptions import RedisError

from events.store import CHANNEL, StoreError, Streams

RECHECK = 2.0  # seconds between two reads of the heads
_TICK = 0.5  # seconds after which a closed watcher ends
_log = logging.getLogger("rollbook.watch")


class ShuttingDown(Exception):
    """This process ends: a client that waits should send its request again, and will reach another process."""


@dataclass
class _Watched:
    """A game that requests wait for."""

    moved: threading.Condition
    newest: int = 0
    watchers: int = 0
    let_go: bool = False


@dataclass
class Watch:
    """One request that waits for a game."""

    _watched: _Watched = field(repr=False)

    @property
    def newest(self) -> int:
        """Newest version that this process has heard of; 0 when it has heard of none."""
        return self._watched.newest

    @property
    def others(self) -> int:
        """Count the watchers of the same game here, this one among them."""
        return self._watched.watchers

    def wait(self, after: int, seconds: float) -> bool:
        """Wait until the game is beyond a version; return whether it is known to be.

        Raises:
            ShuttingDown: The process ends.
        """
        watched = self._watched
        with watched.moved:
            moved = watched.moved.wait_for(lambda: watched.newest > after or watched.let_go, timeout=seconds)
            if watched.let_go and watched.newest <= after:
                raise ShuttingDown
            return moved


class Watcher:
    """Wakes the requests that wait for a game when it has moved on.

    Args:
        store: The streams.
        subscribe: Makes a redis-py `PubSub`.
    """

    def __init__(self, streams: Streams, subscribe: Callable[[], Any]) -> None:
        self._streams = streams
        self._subscribe = subscribe
        self._ending = False
        self._lock = threading.Lock()
        self._games: dict[str, _Watched] = {}
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
        self._deaf = False

    @contextmanager
    def watching(self, game: str) -> Iterator[Watch]:
        """Watch a game: what is appended from here on wakes a `wait`, also one that begins later.

        Raises:
            ShuttingDown: The process ends.
        """
        watched = self._enter(game)
        try:
            yield Watch(watched)
        finally:
            self._leave(game, watched)

    def watched(self) -> list[str]:
        """List the games that requests wait for."""
        with self._lock:
            return list(self._games)

    def waiting(self) -> int:
        """Count the requests that wait."""
        with self._lock:
            return sum(watched.watchers for watched in self._games.values())

    def fault(self) -> str:
        """Return in a sentence why nobody who waits would hear of an event; empty if all is well."""
        return "The subscription to the store was lost: live streams and polls get nothing." if self._deaf else ""

    def let_go(self) -> None:
        """Wake all requests that wait, and accept no more: the process is about to end."""
        with self._lock:
            self._ending = True
            for watched in self._games.values():
                watched.let_go = True
                watched.moved.notify_all()

    def close(self) -> None:
        """End the subscription."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _enter(self, game: str) -> _Watched:
        with self._lock:
            if self._ending:
                raise ShuttingDown
            if self._thread is None:  # not before: a process that forks takes no thread along
                self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
                self._thread.start()
            watched = self._games.setdefault(game, _Watched(threading.Condition(self._lock)))
            watched.watchers += 1
            return watched

    def _leave(self, game: str, watched: _Watched) -> None:
        with self._lock:
            watched.watchers -= 1
            if not watched.watchers:
                del self._games[game]

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                with closing(self._subscribe()) as channel:
                    channel.subscribe(CHANNEL)
                    self._deaf = False
                    self._listen(channel)
            except (RedisError, StoreError, OSError):
                self._deaf = True
                _log.warning("the subscription to the store was lost and is taken up again")
                self._closed.wait(_TICK)

    def _listen(self, channel: Any) -> None:
        due = time.monotonic()
        while not self._closed.is_set():
            now = time.monotonic()
            if now >= due:
                self._recheck()
                due = now + RECHECK
            message = channel.get_message(ignore_subscribe_messages=True, timeout=min(_TICK, due - now))
            if message is not None:
                game, _, version = message["data"].decode().partition(" ")
                self._wake(game, int(version))

    def _recheck(self) -> None:
        games = self.watched()
        for game, head in zip(games, self._streams.heads_of(games), strict=True):
            if head is not None:
                self._wake(game, head.version)

    def _wake(self, game: str, version: int) -> None:
        with self._lock:
            watched = self._games.get(game)
            if watched is not None and version > watched.newest:
                watched.newest = version
                watched.moved.notify_all()
