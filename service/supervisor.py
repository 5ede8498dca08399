"""What stands behind `rollbook serve`: start in order, watch, start again, end in order.

Start: the folder's lock, the port, the store, the children. End: API, workers, store. Ctrl-C reaches this process
alone; the first asks the children to finish what is in flight, a second one kills them. The store is always ended
properly. Nothing is decided about games here, and nothing is monkey-patched.
"""

import os
import socket
import time
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

from service.children import FIRST_DELAY, Child, ChildSpec, ServeError, Stage, standard_children
from service.embedded import DataFolder, EmbeddedStore, EmbeddedStoreError
from service.listener import bind, is_healthy, link
from service.settings import Settings
from service.signals import Signals, StopRequestedError
from service.undertaker import GRACE, Undertaker

TICK = 0.2
DEATHS_AT_START = 3  # before the first readiness; after it, children are started again for ever

ChildrenOf = Callable[[Settings, int], list[ChildSpec]]


class Supervisor:
    """One `rollbook serve`.

    Args:
        settings: How to run.
        children: Gives the children, from settings that name the store, and the listening descriptor.
        say: Takes each line for the person at the terminal.
    """

    def __init__(
        self, settings: Settings, *, children: ChildrenOf = standard_children, say: Callable[[str], None] = print
    ) -> None:
        self._settings = settings
        self._children_of = children
        self._say = say
        self._folder = DataFolder(settings.data)
        self._store = EmbeddedStore(settings.data) if settings.redis_url is None else None
        self._store_deaths = 0
        self._undertaker = Undertaker(self._folder.children_lock)
        self._listener: socket.socket | None = None
        self._children: list[Child] = []
        self._ready = False

    def run(self) -> None:
        """Serve until SIGINT, SIGTERM or SIGHUP.

        Raises:
            OperatorError: It cannot start, or cannot go on.
        """
        with Signals() as signals:
            self._signals = signals
            self._lock_folder()
            try:
                self._start()
                self._watch()
            except StopRequestedError:
                self._say("Rollbook is stopping (Ctrl-C again: at once)")
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

    def _start(self) -> None:
        self._await_predecessor()
        self._listener = bind(self._settings.host, self._settings.port)
        if self._store is not None:
            self._store.open(waiting=lambda: self._signals.pause(0.02))
        settings = self._settings if self._store is None else replace(self._settings, redis_url=self._store.url)
        self._environment = {**os.environ, **settings.environment()}
        self._children = [Child(spec) for spec in self._children_of(settings, self._listener.fileno())]

    def _await_predecessor(self) -> None:
        """Wait for the children of a supervisor that was killed: they finish their requests, and hold the port."""
        until = time.monotonic() + GRACE + 5.0
        while not self._undertaker.start():
            if time.monotonic() > until:
                raise ServeError(f"Processes of an earlier `rollbook serve` on {self._folder.root} do not end")
            self._signals.pause(0.1)

    def _watch(self) -> None:
        while True:
            self._undertaker.keep_alive()
            self._tend_store()
            for child in self._children:
                self._tend(child)
            self._announce()
            self._signals.pause(TICK)

    def _tend_store(self) -> None:
        """Start the store again if it ended; the API meanwhile answers 503 and reconnects by itself."""
        if self._store is None or self._store.is_alive():
            return
        self._store_deaths += 1
        self._say("The store ended: starting it again")
        try:
            self._store.open(waiting=lambda: self._signals.pause(0.02))
        except EmbeddedStoreError as error:
            if not self._ready or self._store_deaths > DEATHS_AT_START:
                raise
            self._say(str(error))
            self._signals.pause(FIRST_DELAY * 2**self._store_deaths)
        else:
            self._store_deaths = 0

    def _tend(self, child: Child) -> None:
        pid = child.pid
        end = child.found_dead()
        if end is not None and pid is not None:
            self._undertaker.release(pid)
            if not self._ready and child.deaths >= DEATHS_AT_START:
                raise ServeError(f"The {child.spec.name} ended {child.deaths} times before it was ready ({end})")
            self._say(f"The {child.spec.name} ended ({end}): starting it again")
        if child.is_due:
            child.start(self._environment)
            if child.pid is not None:
                self._undertaker.watch(child.pid)

    def _announce(self) -> None:
        if self._ready or self._listener is None or not is_healthy(self._listener):
            return
        self._ready = True
        self._say(f"Rollbook is ready at {link(self._listener)} ({self._where()}; Ctrl-C stops)")

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
            self._undertaker.close()
            if self._store is not None:
                self._store.close()
            self._folder.serve_lock.note(None)
            self._folder.serve_lock.close()

    def _end_stage(self, children: list[Child]) -> None:
        started = time.monotonic()
        for child in children:
            child.ask_to_end()
        for child in children:
            while not child.has_ended() and not self._signals.force:
                if time.monotonic() - started > child.spec.patience:
                    self._say(f"The {child.spec.name} did not end in {child.spec.patience:.0f} s: killed")
                    break
                self._signals.rest(0.1)
            self._bury(child)

    def _bury(self, child: Child) -> None:
        pid = child.pid
        child.kill()
        if pid is not None:
            self._undertaker.release(pid)
