"""What is exported: the books of games, each at one version, read entry by entry."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import merge
from operator import itemgetter

from events import codec
from events.base import Account, Envelope, Event
from projections.ledger import books as ledger
from projections.ledger.chart import LedgerEntry
from service.games.loading import Loader


@dataclass(frozen=True, slots=True)
class Source:
    """The books of a game at a version.

    Attributes:
        game: Its id.
        rulebook: Which game it is.
        version: Version of the last event.
        opened: When the game was opened (UTC, ms).
        closed: When the last event was recorded (UTC, ms).
        names: What the seats are called, by seat; `[erased]` or `[missing]` for one that is not here, empty for none.
        balances: Of every account that was ever posted to, at that version.
        envelopes: Reads the stream from the first event on, up to that version.
        root: Name that its accounts lie under, in a file of many games; empty for none.
    """

    game: str
    rulebook: str
    version: int
    opened: int
    closed: int
    names: Mapping[int, str]
    balances: Mapping[Account, int]
    envelopes: Callable[[], Iterable[Envelope[Event]]]
    root: str = ""

    def entries(self) -> Iterator[LedgerEntry]:
        """List the entries in order."""
        return ledger.entries(self.envelopes())


def of_game(loader: Loader, game: str, *, at: int) -> Source:
    """Return a game's books at a version, ready to be exported; damage in its history is raised here.

    Raises:
        NoSuchVersion: The game has not come to that version.
        Frozen: The history is damaged.
        UnknownEvent: An event of a later release stands before that version.
    """
    found = loader.at(game, at)
    state = found.state
    assert state is not None, "a version from 1 has a state"
    return Source(
        game=game,
        rulebook=str(state.__struct_config__.tag),
        version=at,
        opened=state.created,
        closed=state.at,
        names=loader.names_of(state),
        balances=found.books.balances,
        envelopes=lambda: _envelopes(loader, game, at),
    )


def together(sources: Sequence[Source]) -> list[Source]:
    """Return games for one file, with the accounts of each under a name of their own."""
    return [replace(source, root=f"Game-{source.game}") for source in sources]


def by_day(sources: Sequence[Source], dated: Callable[[Source], Iterator[tuple[int, str]]]) -> Iterator[str]:
    """Merge the pieces of several games by their days; those of one game stay in their order."""
    return (piece for _, piece in merge(*map(dated, sources), key=itemgetter(0)))


def title(sources: Sequence[Source]) -> str:
    """Return what a file is about, in a few words."""
    if sources[0].root:
        return f"Rollbook: {len(sources)} {'games' if len(sources) > 1 else 'game'}"
    return f"Rollbook: {sources[0].rulebook}, game {sources[0].game} at version {sources[0].version}"


def _envelopes(loader: Loader, game: str, at: int) -> Iterator[Envelope[Event]]:
    for batch in loader.stream(game, upto=at):
        for entry in batch:
            yield codec.decode(entry.data)
