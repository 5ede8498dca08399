"""What is exported: the books of one game at one version, read entry by entry."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

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
        names: What the seats are called, by seat; `[erased]` for a name that was erased, empty for none.
        balances: Of every account that was ever posted to, at that version.
        envelopes: Reads the stream from the first event on, up to that version.
    """

    game: str
    rulebook: str
    version: int
    opened: int
    closed: int
    names: Mapping[int, str]
    balances: Mapping[Account, int]
    envelopes: Callable[[], Iterable[Envelope[Event]]]

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


def _envelopes(loader: Loader, game: str, at: int) -> Iterator[Envelope[Event]]:
    for batch in loader.stream(game, upto=at):
        for entry in batch:
            yield codec.decode(entry.data)
