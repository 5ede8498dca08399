"""A long game: audited, written and verified in memory that does not grow with it."""

import tempfile
import tracemalloc
from collections.abc import Callable

import pytest

from events.store import Entry, Erased, Head, Store, Tail
from service.audit.bundle import verify_bundle, write
from service.audit.verify import verify
from tests.support.long_games import long_game, put
from tests.support.played import empty

SHORT, LONG = 800, 3_200
MAY_GROW = 700_000
"""Bytes by which four times the events may raise the peak: marks of coordinates, places in a file; not the events,
which are several megabytes when they are read."""


@pytest.fixture(scope="module")
def store() -> Store:
    made = Store(empty())
    for name, events in (("short", SHORT), ("long", LONG)):
        put(made, long_game(name, events=events))
    return made


class Kept:
    """A history that costs no memory when it is read."""

    def __init__(self, store: Store, game: str) -> None:
        self._entries = [entry for batch in store.streams.stream(game) for entry in batch]

    def head(self, game: str) -> Head:
        return Head(len(self._entries), self._entries[-1].link, sealed=False)

    def read(self, game: str, *, after: int = 0, upto: int | None = None, count: int = 1000) -> list[Entry]:
        return self._entries[after : min(after + count, upto or len(self._entries))]

    def tail(self, game: str, *, action: str | None, request: str | None, after: int) -> Tail:
        return Tail(known=None, head=self.head(game), entries=[], complete=True)

    def texts(self, game: str, digests: object) -> dict[str, bytes]:
        return {}

    def erased(self, game: str) -> dict[str, Erased]:
        return {}


def peak(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def audit(kept: Kept, game: str) -> None:
    report = verify(kept, game)
    assert (report.findings, str(report.execution)) == ([], "same")


def export(kept: Kept, game: str) -> None:
    assert sum(len(piece) for piece in write(kept, game, kept.head(game))) > 250_000


def offline(kept: Kept, game: str) -> None:
    with tempfile.TemporaryFile() as file:
        for piece in write(kept, game, kept.head(game)):
            file.write(piece)
        assert verify_bundle(file).findings == []


@pytest.mark.parametrize("work", [audit, export, offline])
def test_memory_does_not_grow_with_the_game(store: Store, work: Callable[[Kept, str], None]) -> None:
    short, long = Kept(store, "short"), Kept(store, "long")
    work(short, "short")  # what is loaded once is there
    first, second = peak(lambda: work(short, "short")), peak(lambda: work(long, "long"))
    assert second - first < MAY_GROW, (first, second)
