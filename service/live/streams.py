"""Live streams of games: what is appended is read once in a process, and handed to all watchers of that game.

A stream begins after a version. Events older than those that its game's feed holds are read from the store, for
this stream alone; from there on it reads the feed. One that is then too slow for the feed is cut, and its client
connects again after the version that it has got to.
"""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import islice, takewhile
from weakref import WeakValueDictionary

import msgspec

from events import codec
from events.lobby import SecretRevealed
from events.store import Entry, StoreError, Streams
from projections.evolve import AnyState
from service.games.due import due_of
from service.games.games import Games
from service.games.loading import HISTORY
from service.games.records import LoadedGame
from service.live.watch import ShuttingDown, Watch, Watcher

KEPT = 1000  # newest events of a watched game that are held for its watchers
PIECE = 200  # most events in one piece of an answer
KEEP_ALIVE = 15.0  # seconds of silence after which a comment is sent
BREATH = 1.0  # seconds between two looks at a deadline that has passed
REST = 0.000_2  # seconds between two pieces to one watcher, for each watcher of the game: 0.1 s for 500
# No blank line after it: that would end a block, of which some clients make an empty event.
COMMENT = b":\n"


def frame(data: bytes, *, version: int | None = None, event: str = "") -> bytes:
    """Write one event of an SSE stream.

    Args:
        data: JSON on one line.
        version: Its id; None gives it none, and a client goes on from the id before.
        event: Its kind; empty for an event of the game.
    """
    lines = [b"event: %b\n" % event.encode()] if event else []
    if version is not None:
        lines.append(b"id: %d\n" % version)
    return b"".join((*lines, b"data: ", data, b"\n\n"))


def _framed(version: int, stored: Entry) -> bytes:
    if not codec.can_be_shown(stored.data):
        raise codec.DamagedEntry(f"event {version} cannot be shown")
    data = msgspec.json.encode({"event": msgspec.Raw(stored.data), "link": stored.link.hex()})
    return frame(data, version=version)


class Feed:
    """The newest events of one game, framed once for all its watchers in this process.

    Args:
        games: The games.
        game: Id of the game.
        state: The game as it is now; the feed begins after it.
    """

    def __init__(self, games: Games, game: str, state: AnyState) -> None:
        self.version = state.version
        self.sealed = bool(state.secret)
        self._games = games
        self._game = game
        self._frames: deque[bytes] = deque(maxlen=KEPT)
        self._due = due_of(state)
        self._looked = 0.0
        self._lock = threading.Lock()

    def after(self, version: int, newest: int) -> tuple[bytes, int] | None:
        """Return the next events after a version and the version that they end with; None when they are no longer held.

        Args:
            version: Where the reader is.
            newest: Version that the game is known to have.

        Raises:
            StoreError: The store does not answer.
        """
        with self._lock:
            if self.version < newest:
                self._read(newest)
            first = self.version - len(self._frames)  # the version before the first that is held
            if version < first:
                return None
            frames = list(islice(self._frames, version - first, version - first + PIECE))
            return b"".join(frames), version + len(frames)

    def keep_time(self) -> float:
        """Apply the default of a deadline that has passed; return the seconds until the next check.

        Raises:
            StoreError: The store does not answer.
        """
        with self._lock:
            left = self._left()
            if left <= 0 and time.monotonic() - self._looked >= BREATH:
                self._looked = time.monotonic()
                self._note(self._games.deadlines.apply(self._games.loader.load(self._game)))
                left = self._left()
            return max(BREATH, left)

    def _left(self) -> float:
        if self._due is None:
            return KEEP_ALIVE
        return (self._due - self._games.clock.now()) / 1000

    def _read(self, newest: int) -> None:
        while self.version < newest:
            entries = self._games.loader.read(self._game, after=self.version, count=KEPT)
            if not entries:
                break
            for stored in entries:
                self.version += 1
                self._frames.append(_framed(self.version, stored))
            self.sealed = _seals(entries[-1])
        cached = self._games.loader.cached(self._game)  # at the head already where this process did the appending
        self._note(cached if cached and cached.state.version >= self.version else None)

    def _note(self, loaded: LoadedGame | None) -> None:
        """Note the next deadline; a game that cannot be folded to its end has none."""
        try:
            self._due = due_of((loaded or self._games.loader.load(self._game)).state)
        except HISTORY:
            self._due = None


def _seals(last: Entry) -> bool:
    """Return whether an entry is the last of its game."""
    try:
        return isinstance(codec.decode(last.data).data, SecretRevealed)
    except codec.DamagedEntry:
        return False


class Stream:
    """One watcher's stream of a game; to be closed.

    Args:
        feed: The game's.
        watch: Wakes it.
        held: Its place among the watchers, given up at the end.
    """

    def __init__(self, feed: Feed, watch: Watch, held: AbstractContextManager[Watch]) -> None:
        self.feed = feed
        self._watch = watch
        self._held = held
        self._open = True

    def close(self) -> None:
        """Release the place; a second call does nothing."""
        if self._open:
            self._open = False
            self._held.__exit__(None, None, None)

    def events(self, streams: Streams, game: str, after: int) -> Iterator[bytes]:
        """Yield every event after a version, framed, and comments while there is none, until the game is over.

        It also ends when the process ends, when the store does not answer, when the reader was too slow, or before an
        entry that is damaged: a client that connects again with the last id goes on after that.
        """
        try:
            position = after
            if self.feed.after(after, self._watch.newest) is None:
                for batch in streams.stream(game, after=after, upto=self.feed.version):
                    for start in range(0, len(batch), PIECE):
                        part = batch[start : start + PIECE]
                        good = list(takewhile(lambda stored: codec.can_be_shown(stored.data), part))
                        yield b"".join(_framed(position + number, stored) for number, stored in enumerate(good, 1))
                        position += len(good)
                        if len(good) < len(part):
                            return
            yield from self._live(position)
        except (StoreError, ShuttingDown, *HISTORY):
            return

    def _live(self, position: int) -> Iterator[bytes]:
        said = time.monotonic()
        while found := self.feed.after(position, self._watch.newest):
            frames, position = found
            if frames:
                yield frames
                said = time.monotonic()
                # Many watchers together get what comes meanwhile in one piece, so that the game itself gets its time.
                if self._watch.others > 20:
                    time.sleep(self._watch.others * REST)
            elif time.monotonic() - said >= KEEP_ALIVE:
                yield COMMENT
                said = time.monotonic()
            elif self.feed.sealed and position >= self.feed.version:
                return
            else:
                quiet = said + KEEP_ALIVE - time.monotonic()
                self._watch.wait(position, max(0.0, min(quiet, self.feed.keep_time())))


class Live:
    """Opens streams.

    Args:
        games: The games.
        watcher: Notices games that have moved on.
    """

    def __init__(self, games: Games, watcher: Watcher) -> None:
        self._games = games
        self._watcher = watcher
        self._feeds: WeakValueDictionary[str, Feed] = WeakValueDictionary()  # kept by the streams
        self._lock = threading.Lock()

    def open(self, game: str) -> tuple[Stream, LoadedGame]:
        """Open a stream; return it and the game as it is. It misses nothing that is appended from here on.

        Raises:
            ShuttingDown: The process ends.
            NoSuchGame, Frozen, UnknownEvent: The game cannot be read.
        """
        held = self._watcher.watching(game)
        watch = held.__enter__()
        try:
            loaded = self._games.deadlines.apply(self._games.loader.load(game))
            return Stream(self._feed(game, loaded), watch, held), loaded
        except BaseException:
            held.__exit__(None, None, None)
            raise

    def _feed(self, game: str, loaded: LoadedGame) -> Feed:
        with self._lock:
            feed = self._feeds.get(game)
            if feed is None:
                self._feeds[game] = feed = Feed(self._games, game, loaded.state)
            return feed
