"""What people do in a game; the table in `service.games.permissions` says who may."""

import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from weakref import WeakValueDictionary

from msgspec.structs import replace

from projections.evolve import AnyState
from service.games import chance
from service.games.appending import NO_TEXTS, Appender
from service.games.clock import Clock
from service.games.deadlines import Deadlines
from service.games.loading import HISTORY, Loader
from service.games.permissions import Gate
from service.games.records import Answer, RequestContext
from service.games.texts import commit_texts
from service.rules import actions as a
from service.rules.typed_text import MAY_HOLD_TEXT

LONGEST_WAIT = 1.0
"""Seconds after which a call no longer waits for those before it: one of them hangs at the store."""


class GameLocks:
    """A lock for each game that is acted in, so that a table which acts at once turns nobody away.

    Threads and greenlets alike wait for it. It is a courtesy and not what keeps a game right: the store refuses
    whatever does not continue a stream. Other processes know nothing of these locks.
    """

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
        self._guard = threading.Lock()

    @contextmanager
    def hold(self, game: str) -> Iterator[None]:
        """Wait until no other call acts in a game here, at most `LONGEST_WAIT`; others wait meanwhile."""
        with self._guard:
            lock = self._locks.setdefault(game, threading.Lock())
        ours = lock.acquire(timeout=LONGEST_WAIT)
        try:
            yield
        finally:
            if ours:
                lock.release()


class Actions:
    """Takes the actions of people.

    Args:
        loader: Games in memory.
        gate: Recognises callers.
        deadlines: What is due by the clock comes first.
        appender: Decides and appends.
        clock: The store's time.
    """

    def __init__(self, loader: Loader, gate: Gate, deadlines: Deadlines, appender: Appender, clock: Clock) -> None:
        self._loader = loader
        self._gate = gate
        self._deadlines = deadlines
        self._appender = appender
        self._clock = clock
        self._locks = GameLocks()

    def perform(
        self,
        game: str,
        action: a.AnyAction,
        request: RequestContext,
        *,
        seat: int = 0,
        texts: Mapping[str, bytes] = NO_TEXTS,
        check: Callable[[AnyState], None] | None = None,
    ) -> Answer:
        """Do something in a game; what was typed in stays off the stream. A deadline that has passed comes first.

        Args:
            game: Id of the game.
            action: What is to be done.
            request: What surrounds it.
            seat: The seat that the request names, where it names one; 0 for none.
            texts: What was typed in and stands in the action by its digest already.
            check: Refuses what the rules cannot see, since they know typed-in text by its digest alone.

        Raises:
            NoSuchGame, NoSuchSeat, Unauthorized, Forbidden: The caller may not.
            Stale, KeyReused, Busy, Frozen, UnsupportedRules: See `service.errors`.
            RuleViolation: The rules do not allow it.
            StoreUnavailable, StoreFull: The store gave no answer; sent again with the same key, nothing happens twice.
        """
        # What is only tried is never the repeat of something done.
        key = secrets.token_hex(16) if request.dry_run or not request.key else request.key
        request = replace(request, key=key, received=self._clock.now())
        if isinstance(action, a.Action) and type(action) in MAY_HOLD_TEXT:
            action, texts = commit_texts(action)
        try:
            with self._locks.hold(game):
                # What is only tried needs the newest state.
                cached = None if request.dry_run else self._loader.cached(game)
                loaded = cached or self._loader.load(game)
                if loaded.due is not None:
                    loaded = self._deadlines.apply(loaded)
                return self._appender.append(loaded, action, request, seat=seat, texts=texts, check=check)
        except HISTORY:
            self._gate.hide(game, request)
            raise

    def ready(self, game: str, edition: int, nonce: bytes | None, request: RequestContext) -> Answer:
        """Agree to an edition of the options, as a seat, and perhaps open its nonce."""
        if not nonce:
            return self.perform(game, a.Ready(edition=edition, nonce_hash="", nonce_input=""), request)
        opened = chance.nonce_input(self._gate.seat_of(game, request), nonce)
        action = a.Ready(edition=edition, nonce_hash=chance.nonce_commitment(nonce), nonce_input=opened)
        return self.perform(game, action, request, texts={opened: nonce})
