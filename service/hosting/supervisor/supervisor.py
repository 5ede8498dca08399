"""The process of `rollbook serve`: it starts its children in order, watches them, restarts them, ends them in order.

Start: the folder's lock, the port, the store, the children. End: API, workers, store. Ctrl-C reaches this process
alone; the first asks the children to finish what is in flight, a second one kills them. The store is always ended
properly. Nothing is decided about games here, and nothing is monkey-patched.
"""

import contextlib
import os
import shutil
import socket
import time
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

import redis

from events.store import Store, connect
from service.hosting.store_info import eviction_faults, log_faults, store_info
from service.hosting.supervisor.backoff import Backoff
from service.hosting.supervisor.children import Child, ChildSpec, ServeError, Stage, standard_children
from service.hosting.supervisor.listener import bind, is_healthy, link, network_link
from service.hosting.supervisor.reaper import GRACE, Reaper
from service.hosting.supervisor.signals import Signals, StopRequestedError
from service.hosting.valkey import DataFolder, EmbeddedStore, EmbeddedStoreError
from service.keys.claim import claim_key
from service.keys.files import server_key
from service.settings import Settings

TICK = 0.2
STORE_PATIENCE = 30.0  # seconds for a store of one's own to begin to answer; the embedded one has its own patience
DEATHS_AT_START = 3  # of the API, before the first readiness; after it, children are started again for ever
FULL = 1 << 20  # bytes left on the disk of the data folder, below which it is blamed

ChildrenOf = Callable[[Settings, int], list[ChildSpec]]


class Supervisor:
    """One `rollbook serve`.

    Args:
        settings: How to run.
        children: Returns the children, from settings that name the store, and the listening descriptor.
        say: Takes each line for the person at the terminal.
        while_used: End when no process shares the folder's guests lock.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        children: ChildrenOf = standard_children,
        say: Callable[[str], None] = print,
        while_used: bool = False,
    ) -> None:
        self._settings = settings
        self._children_of = children
        self._say = say
        self._while_used = while_used
        self._folder = DataFolder(settings.data)
        self._store = EmbeddedStore(settings.data) if settings.redis_url is None else None
        self._store_backoff = Backoff()
        self._store_is_up = False
        self._reaper = Reaper(self._folder.children_lock)
        self._listener: socket.socket | None = None
        self._children: list[Child] = []
        self._ready = False

    def run(self) -> None:
        """Serve until SIGINT, SIGTERM or SIGHUP.

        Raises:
            OperatorError: It cannot start, or cannot go on.
            StoreError: The store is not one that this program can use.
        """
        with Signals() as signals:
            self._signals = signals
            self._lock_folder()
            try:
                self._start()
                self._watch()
            except StopRequestedError:
                self._print("Rollbook is stopping (Ctrl-C again: at once)")
            finally:
                self._end()

    def _lock_folder(self) -> None:
        self._folder.prepare()
        lock = self._folder.serve_lock
        if not lock.take():
            raise ServeError(
                f"Another `rollbook serve` (process {lock.read_note()}) runs on the data folder {self._folder.root}"
            )
        lock.note(os.getpid())
        self._folder.note_url(None)

    def _start(self) -> None:
        self._await_predecessor()
        self._listener = bind(self._settings.host, self._settings.port)
        settings = self._settings
        if self._store is not None:
            self._open_store(self._store)
            settings = replace(settings, redis_url=self._store.url)
        self._refuse_volatile(settings.redis_url or "")
        store = Store(connect(settings.redis_url or ""))
        store.ownership.claim()
        claim_key(store.ownership, server_key(settings), path=settings.secret_file)
        self._environment = {**os.environ, **settings.environment()}
        self._children = [Child(spec) for spec in self._children_of(settings, self._listener.fileno())]

    def _await_predecessor(self) -> None:
        """Wait for the children of a supervisor that was killed: they finish their requests, and hold the port."""
        until = time.monotonic() + GRACE + 5.0
        while not self._reaper.start():
            if time.monotonic() > until:
                raise ServeError(f"Processes of an earlier `rollbook serve` on {self._folder.root} do not end")
            self._signals.pause(0.1)

    def _refuse_volatile(self, url: str) -> None:
        """Refuse a store that may forget games, unless told otherwise; wait for one that is still starting."""
        until = time.monotonic() + STORE_PATIENCE
        while True:
            try:
                with store_info(url) as info:
                    faults = [*log_faults(info), *eviction_faults(info)]
                break
            except (redis.exceptions.RedisError, OSError) as error:
                if time.monotonic() > until or isinstance(error, redis.exceptions.AuthenticationError):
                    raise ServeError(f"The store ({self._where()}) does not answer: {error}") from None
            self._signals.pause(0.5)
        if faults and not self._settings.allow_volatile:
            raise ServeError(f"The store may forget: {'; '.join(dict.fromkeys(faults))} (--allow-volatile accepts it)")

    def _watch(self) -> None:
        # The lock, once it is ours, is held until the end: a new guest waits for that.
        while not (self._while_used and self._folder.guests_lock.take()):
            self._reaper.keep_alive()
            self._tend_store()
            for child in self._children:
                self._tend(child)
            self._announce()
            self._signals.pause(TICK)

    def _tend_store(self) -> None:
        """Start the store again if it ended; the API meanwhile answers 503 and reconnects by itself."""
        if self._store is None or (self._store_is_up and self._store.is_alive()):
            return
        if self._store_is_up:
            self._store_is_up = False
            self._store_backoff.died()
            self._print(f"The store ended: starting it again{self._full()}")
        if not self._store_backoff.is_over:
            return
        try:
            self._open_store(self._store)
        except EmbeddedStoreError as error:
            self._store_backoff.died()
            self._print(f"{error}{self._full()}")

    def _open_store(self, store: EmbeddedStore) -> None:
        self._store_backoff.started()
        store.open(waiting=lambda: self._signals.pause(0.02))
        self._store_is_up = True

    def _tend(self, child: Child) -> None:
        pid = child.pid
        end = child.found_dead()
        if end is not None and pid is not None:
            self._reaper.release(pid)
            if not self._ready and child.spec.stage is Stage.API and child.backoff.deaths >= DEATHS_AT_START:
                how = f"{child.backoff.deaths} times before it was ready ({end}){self._full()}"
                raise ServeError(f"The {child.spec.name} ended {how}")
            self._print(f"The {child.spec.name} ended ({end}): starting it again{self._full()}")
        if child.is_due:
            child.start(self._environment)
            if child.pid is not None:
                self._reaper.watch(child.pid)

    def _announce(self) -> None:
        if self._ready or self._listener is None or not is_healthy(self._listener):
            return
        self._ready = True
        self._folder.note_url(link(self._listener))
        self._print(f"Rollbook is ready at {link(self._listener)} ({self._where()}; Ctrl-C stops)")
        if others := network_link(self._listener):
            self._print(f"It is open to the network: others reach it at {others}")

    def _full(self) -> str:
        """Return a note that the disk is full, or nothing: a full disk explains every other failure."""
        full = shutil.disk_usage(self._folder.root).free < FULL
        return f"; the disk of {self._folder.root} is full" if full else ""

    def _where(self) -> str:
        if self._settings.redis_url is None:
            return f"data in {self._folder.root}"
        parts = urlsplit(self._settings.redis_url)
        return f"store at {parts.hostname or parts.path}"  # never the password

    def _end(self) -> None:
        """End all, in order; what fails on the way must not keep the rest from ending."""
        if self._listener is not None:
            self._listener.close()
        try:
            for stage in Stage:
                self._end_stage([child for child in self._children if child.spec.stage is stage])
        finally:
            self._reaper.close()
            if self._store is not None:
                self._store.close()
            self._folder.note_url(None)
            self._folder.serve_lock.note(None)
            self._folder.serve_lock.close()
            self._folder.guests_lock.close()

    def _end_stage(self, children: list[Child]) -> None:
        started = time.monotonic()
        for child in children:
            child.ask_to_end()
        for child in children:
            while not child.has_ended() and not self._signals.force:
                if time.monotonic() - started > child.spec.patience:
                    self._print(f"The {child.spec.name} did not end in {child.spec.patience:.0f} s: killed")
                    break
                self._signals.rest(0.1)
            self._terminate(child)

    def _print(self, line: str) -> None:
        """Print a line; a terminal that was closed must not keep anything from ending in order."""
        with contextlib.suppress(OSError):
            self._say(line)

    def _terminate(self, child: Child) -> None:
        pid = child.pid
        child.kill()
        if pid is not None:
            self._reaper.release(pid)
