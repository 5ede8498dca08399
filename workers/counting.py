"""Counting the games: the feeds of appends into the stored figures, from where the last count ended.

Any number of processes may count at once. Each works out what a batch of appends adds, and adds it together with its
place in the feed, unless another process was faster; one that is killed has added all of a batch or nothing.

The feed is trimmed. Where something may have fallen out of it, games are compared with the versions that they are
counted to, so that nothing is left out without a word. A clock process counts in a thread of its own, so that no
deadline waits for it.
"""

import contextlib
import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice

from events import codec
from events.base import Envelope, Event
from events.store import Delta, Offset, Store, StoreError, StreamDamaged, Streams
from events.store.figures import NOWHERE
from events.store.keys import BUCKETS
from projections import statistics
from projections.statistics import Passing, Whole
from service.bootstrap import Services
from service.queries.statistics import waits

MOST_APPENDS = 500
"""Appends that are counted in one go."""

MOST_GAMES = 100
"""Games that are caught up with in one go."""

LOOK_SECONDS = 1.0
LEFT_SECONDS = 60.0
"""One bucket after another is searched for games that were left, each about once an hour."""

ASIDE_SECONDS = 60.0
"""A bucket that cannot be counted is tried again after this."""

_log = logging.getLogger("rollbook.statistics")
OnGame = Callable[[], None]
"""Called after each game."""


def left_mark(game: str) -> str:
    """Return the word under which is stored how far the chance of a game is counted that was left."""
    return f"{game}/left"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game that cannot be read, and why."""

    game: str
    why: str


class BatchCount:
    """Adds games up.

    Args:
        streams: Of the store.

    Attributes:
        left_out: Games that could not be read.
    """

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._counted: dict[str, int] = {}
        self._figures: Counter[str] = Counter()
        self._days: Counter[str] = Counter()
        self.left_out: list[LeftOut] = []

    def add(self, game: str, *, after: int = 0, upto: int | None = None, left: int = 0) -> None:
        """Count a game's entries above a version, up to and with another one or the newest.

        A game that cannot be read adds nothing.

        Args:
            game: Its id.
            after: Version up to which it is counted.
            upto: The last version to count; None for the newest.
            left: Version up to which its chance is counted, since it was left there.
        """
        try:
            version, passing, figures = self._read(game, after, upto, left)
        except (StreamDamaged, codec.DamagedEntry, ValueError) as error:
            self.left_out.append(LeftOut(game, " ".join(str(error).split())))
            return
        if version > after:
            self._counted[game] = version
            self._days.update(passing.days)
            self._figures.update(passing.figures + figures)

    def add_left(self, game: str, *, left: int, upto: int) -> None:
        """Count the chance of a game that was left, above the version at which it was counted as left before."""
        whole = Whole(left)
        try:
            for envelope in self._entries(game, 0, upto):
                whole.see(envelope)
        except (StreamDamaged, codec.DamagedEntry, ValueError) as error:
            self.left_out.append(LeftOut(game, " ".join(str(error).split())))
            return
        self._counted[left_mark(game)] = upto
        self._figures.update(whole.chance())

    def delta(self) -> Delta:
        """Return what all of them add."""
        return Delta(self._counted, self._figures, self._days)

    def _read(self, game: str, after: int, upto: int | None, left: int) -> tuple[int, Passing, Counter[str]]:
        """Read new entries, and of a game that is over by then all of them."""
        version, passing, whole = after, Passing(), Whole(left)
        for envelope in self._entries(game, after, upto):
            version = envelope.version
            passing.see(envelope)
            whole.see(envelope)
        if passing.over and after:
            whole = Whole(left)
            for envelope in self._entries(game, 0, version):
                whole.see(envelope)
        return version, passing, whole.figures() if passing.over else Counter()

    def _entries(self, game: str, after: int, upto: int | None) -> Iterator[Envelope[Event]]:
        for batch in self._streams.stream(game, after=after, upto=upto):
            yield from codec.decode_all(entry.data for entry in batch)


class Counting:
    """Keeps the figures up to date.

    Args:
        store: The streams, the feeds, and what was counted.
    """

    def __init__(self, store: Store) -> None:
        self._streams = store.streams
        self._index = store.index
        self._figures = store.figures

    def behind(self) -> list[int]:
        """List the buckets in which something is to be counted, without those that a later release counts."""
        offsets = enumerate(self._figures.offsets())
        return [bucket for bucket, offset in offsets if offset.edition <= statistics.EDITION and waits(offset)]

    def count(self, bucket: int) -> None:
        """Count what comes next in a bucket, in one go; when another process was faster, nothing.

        Raises:
            StoreError: The store does not answer, or a key has a wrong type.
        """
        offset = self._figures.offset(bucket)
        if offset.edition > statistics.EDITION:
            return
        if offset.edition < statistics.EDITION:
            self.rebuild(bucket)
            return
        appends = self._figures.appends(bucket, after=offset.position, count=MOST_APPENDS)
        if appends is None:
            self._catch_up(bucket, offset)
        elif appends:
            self._add(bucket, offset, {game: version for _, game, version in appends}, position=appends[-1][0])

    def rebuild(self, bucket: int, on_game: OnGame = lambda: None) -> list[LeftOut]:
        """Count a whole bucket again from the streams alone; return the games that cannot be read."""
        position = self._figures.offset(bucket).newest
        batch = BatchCount(self._streams)
        for game in self._index.games_in(bucket):
            batch.add(game)
            on_game()
        self._figures.replace(bucket, batch.delta(), edition=statistics.EDITION, position=position)
        return batch.left_out

    def count_left(self, bucket: int, *, now: int) -> None:
        """Count the chance of the games of a bucket that were left, as far as they got.

        Args:
            bucket: Which bucket.
            now: The time (UTC, ms).
        """
        offset, batch = self._figures.offset(bucket), BatchCount(self._streams)
        if offset.edition != statistics.EDITION:
            return
        heads = {game: head.version for game, head in self._index.heads_in(bucket) if not head.sealed}
        for game, left in zip(heads, self._figures.counted(bucket, [*map(left_mark, heads)]), strict=True):
            if heads[game] > left and self._is_left(game, heads[game], now):
                batch.add_left(game, left=left, upto=heads[game])
        self._figures.add(bucket, batch.delta(), offset=offset, position=offset.position)

    def _is_left(self, game: str, version: int, now: int) -> bool:
        with contextlib.suppress(StreamDamaged, codec.DamagedEntry):
            (last,) = self._streams.read(game, after=version - 1, count=1)
            return codec.decode(last.data).at + statistics.LEFT_MS <= now
        return False

    def _catch_up(self, bucket: int, offset: Offset) -> None:
        """Count all games that are further than they are counted, and go on from where the feed was before."""
        if offset.position != NOWHERE:  # a bucket without a game when it was counted lost nothing
            _log.warning("bucket %d: the feed does not reach back to what was counted; its games are compared", bucket)
        heads = ((game, head.version) for game, head in self._index.heads_in(bucket))
        while part := dict(islice(heads, MOST_GAMES)):
            if not self._add(bucket, offset, part, position=offset.position):
                return  # another process counts here
            offset = offset._replace(number=offset.number + 1)
        self._figures.add(bucket, Delta({}, {}, {}), offset=offset, position=offset.newest)

    def _add(self, bucket: int, offset: Offset, heads: Mapping[str, int], *, position: str) -> bool:
        """Count games up to these versions, and note the position; return false when another process was faster."""
        batch = BatchCount(self._streams)
        counted = self._figures.counted(bucket, [*heads, *map(left_mark, heads)])
        for game, after, left in zip(heads, counted[: len(heads)], counted[len(heads) :], strict=True):
            if heads[game] > after:
                batch.add(game, after=after, upto=heads[game], left=left)
        for left_out in batch.left_out:
            _log.error("game %s is left out of the statistics: %s", left_out.game, left_out.why)
        return self._figures.add(bucket, batch.delta(), offset=offset, position=position)


class Statistician:
    """Looks for what is to be counted, and has it counted.

    Args:
        counting: Counts.
        first: Bucket to begin with; of several processes each begins at another, lest all count the same.
        now: The time (UTC, ms); None leaves out games that were left.
        monotonic: Seconds on a clock that nobody sets.
    """

    def __init__(
        self,
        counting: Counting,
        *,
        first: int = 0,
        now: Callable[[], int] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._counting = counting
        self._now = now
        self._left, self._next_left = first, 0.0
        self._first = first
        self._monotonic = monotonic
        self._aside: dict[int, float] = {}

    def look(self, stop: threading.Event) -> None:
        """Count in each bucket what comes next, until the end is asked for.

        Raises:
            StoreError: The store does not answer, or takes nothing.
        """
        behind = sorted(self._counting.behind(), key=lambda bucket: (bucket - self._first) % BUCKETS)
        for bucket in behind:
            if stop.is_set():
                return
            self._try(bucket, self._counting.count)
        if self._now is not None and self._monotonic() >= self._next_left:
            self._next_left = self._monotonic() + LEFT_SECONDS
            self._left = (self._left + 1) % BUCKETS
            self._try(self._left, partial(self._counting.count_left, now=self._now()))

    def _try(self, bucket: int, count: Callable[[int], None]) -> None:
        if self._aside.get(bucket, 0) > self._monotonic():
            return
        try:
            count(bucket)
        except Exception as error:  # one bucket that cannot be counted must not keep all others waiting
            if isinstance(error, StoreError) and not isinstance(error, StreamDamaged):
                raise
            self._aside[bucket] = self._monotonic() + ASIDE_SECONDS
            _log.error("bucket %d is not counted for a minute: %s: %s", bucket, type(error).__name__, error)


def keep_counting(stop: threading.Event, services: Services) -> threading.Thread:
    """Count each second in a thread, until the end is asked for; a store that is away is waited for."""
    counting, now = Counting(services.store), services.games.clock.now
    statistician = Statistician(counting, first=os.getpid() % BUCKETS, now=now)

    def run() -> None:
        well = True
        while not stop.is_set():
            try:
                statistician.look(stop)
                well = True
            except Exception as error:  # nobody would miss a thread that has ended
                if well:
                    _log.warning("statistics stand still: %s: %s", type(error).__name__, error)
                well = False
            stop.wait(LOOK_SECONDS)

    thread = threading.Thread(target=run, daemon=True, name="statistics")
    thread.start()
    return thread
