"""Games in memory: this process's folds, brought up to date from the stream.

A fold is a cache of the stream. It is replaced by a newer one and never changed in place, since another greenlet may
be reading it; a fold that is ahead of the store means that the store lost something, and freezes the game.
"""

import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from events import chain, codec
from events.clocks import SeatReopened, SeatRetaken
from events.lobby import CredentialRenewed, SeatLeft, SeatTaken
from events.store import Appended, Entry, Head, HeadLog, LostTail, Store, StreamDamaged
from events.store.streams import PAGE
from projections import evolve as fold
from projections import storage
from projections.evolve import AnyState, UnfitEvent, UnknownEvent
from projections.ledger.books import UnreadableBooks
from projections.replay import BrokenChain, Replayed
from projections.state.social_justice import SocialJusticeState
from service.errors import AheadOfStore, Frozen, NoSuchGame, NoSuchVersion
from service.games.due import due_of
from service.games.integrity import LossGuard
from service.games.records import LoadedGame
from service.games.texts import digests_in, open_texts

HISTORY = (Frozen, StreamDamaged, UnknownEvent, UnfitEvent, UnreadableBooks, codec.DamagedEntry)
"""What is wrong with a game that can be read up to some event, and not folded to its end."""

MOST_CACHED = 1000
CREDENTIAL_EVENTS = frozenset({SeatTaken, SeatLeft, SeatReopened, SeatRetaken, CredentialRenewed})

_log = logging.getLogger("rollbook.games")


class Loader:
    """Reads games: folded at their head or at any version, entry by entry, and what was typed in.

    Args:
        store: Where they lie.
        heads: Log of heads outside the store; None keeps none.
        frozen: Games that were found at start to have lost their tail, each with a sentence why.

    Attributes:
        guard: Stops games that have lost some of their history.
    """

    def __init__(self, store: Store, *, heads: HeadLog | None = None, frozen: Mapping[str, str] | None = None) -> None:
        self._streams = store.streams
        self._sidecar = store.sidecar
        self._keyframes = store.keyframes
        self._folds: OrderedDict[str, LoadedGame] = OrderedDict()
        self.guard = LossGuard(store.streams, self.forget, heads=heads, frozen=frozen)

    def cached(self, game: str) -> LoadedGame | None:
        """Return this process's fold, however old."""
        if game in self._folds:
            self._folds.move_to_end(game)
        return self._folds.get(game)

    def keep(self, game: str, loaded: LoadedGame) -> LoadedGame:
        """Remember a fold, unless a newer one is known; return the newest."""
        known = self._folds.get(game)
        if known is None or known.state.version < loaded.state.version:
            self._folds[game] = known = loaded
            self._folds.move_to_end(game)
            if len(self._folds) > MOST_CACHED:
                oldest, _ = self._folds.popitem(last=False)
                self.guard.loaded(oldest)
        return known

    def forget(self, game: str) -> None:
        """Drop a fold that does not fit the stream."""
        self._folds.pop(game, None)
        self.guard.loaded(game)

    def load(self, game: str) -> LoadedGame:
        """Return the game at its head, as the store has it now.

        Raises:
            NoSuchGame: There is no such stream.
            Frozen: The stream is damaged, or shorter than what was acknowledged.
        """
        loaded, _ = self.refresh(game, self.cached(game), action=None, digest=None)
        return loaded

    def refresh(
        self, game: str, loaded: LoadedGame | None, *, action: str | None, digest: str | None
    ) -> tuple[LoadedGame, Appended | None]:
        """Read an action id and the tail in one round trip; return the newest fold and what the action was given.

        A fold that is ahead of the store is dropped once the loss was accepted.

        Raises:
            ActionMismatch: The action id was used for another request.
            NoSuchGame: There is no such stream.
            Frozen: The stream is damaged, or shorter than what was acknowledged.
        """
        after = loaded.state.version if loaded else 0
        try:
            found = self._streams.tail(game, action=action, request=digest, after=after)
        except StreamDamaged as error:
            raise self._damaged(game, error) from error
        version = found.head.version if found.head else 0
        if version < after:
            if not self.guard.accepted(game):
                raise AheadOfStore(f"The store has {version or 'none'} of {after} acknowledged events of game {game}.")
            self.forget(game)
            return self.refresh(game, None, action=action, digest=digest)
        if found.head is None:
            self.guard.check(game)
            raise NoSuchGame(f"There is no game {game}.")
        if loaded is None or not found.complete:
            return self._load_whole(game, version), found.known
        newest = self.caught_up(game, loaded, found.entries)
        if found.tokens is not None and found.tokens != newest.tokens:
            newest = self._folds[game] = replace(newest, tokens=found.tokens)
        return newest, found.known

    def up_to_noted(self, loaded: LoadedGame) -> LoadedGame:
        """Return a fold that has everything which any process on this machine has acknowledged.

        Raises:
            Frozen: The store has lost some of it.
        """
        game = loaded.state.game
        noted = self.guard.check(game)
        if noted <= loaded.state.version:
            return loaded
        loaded = self.load(game)
        if noted > loaded.state.version:
            self.guard.freeze(LostTail(game, noted, loaded.state.version))
        return loaded

    def caught_up(self, game: str, loaded: LoadedGame, missed: Sequence[Entry]) -> LoadedGame:
        """Fold missed entries onto a copy of a fold.

        Raises:
            Frozen: They do not continue the chain of the fold: the store went back, and on from there.
        """
        if not missed:
            return loaded
        stored = [entry.data for entry in missed]
        if chain.links(loaded.link, stored) != [entry.link for entry in missed]:
            raise damaged(game, BrokenChain(loaded.state.version + 1))
        envelopes = codec.decode_all(stored)
        state = fold.fold(envelopes, loaded.state.copy())
        renewed = any(type(envelope.data) in CREDENTIAL_EVENTS for envelope in envelopes)
        tokens = self._sidecar.tokens(game) if renewed else loaded.tokens
        return self.keep(game, LoadedGame(state, missed[-1].link, tokens, due_of(state)))

    def _load_whole(self, game: str, version: int) -> LoadedGame:
        state, _, link = self.at(game, version)
        assert state is not None, "a version from 1 has a state"
        self.guard.loaded(game)
        return self.keep(game, LoadedGame(state, link, self._sidecar.tokens(game), due_of(state)))

    def at(self, game: str, version: int) -> Replayed:
        """Return state, books and link at a version, from the nearest keyframe on, with the chain verified.

        Raises:
            NoSuchVersion: The stream is shorter.
            Frozen: The chain is broken, or the stream ends before its head record.
        """
        frame = self._keyframes.nearest(game, storage.NAME, fingerprint=storage.fingerprint(), at=version)
        try:
            return storage.rebuild(
                lambda after, upto: self._streams.stream(game, after=after, upto=upto, ahead=True),
                game,
                upto=version,
                keyframe=frame.blob if frame else None,
            )
        except StreamDamaged as error:
            head = self._streams.head(game)
            if head is not None and head.version >= version:
                raise self._damaged(game, error) from error
            raise NoSuchVersion(f"Game {game} has no version {version}.") from error
        except BrokenChain as error:
            raise self._damaged(game, error) from error

    def _damaged(self, game: str, error: Exception) -> Frozen:
        """Write down for all processes that a game is damaged; return the refusal."""
        refusal = damaged(game, error)
        self.guard.write_down(game, refusal.detail)
        return refusal

    def head(self, game: str) -> Head | None:
        """Return where a stream is; None while there is none."""
        return self._streams.head(game)

    def read(self, game: str, *, after: int = 0, upto: int | None = None, count: int = PAGE) -> list[Entry]:
        """Read at most `count` entries after a version; see `events.store.Streams.read`."""
        return self._streams.read(game, after=after, upto=upto, count=count)

    def version_at(self, game: str, moment: int, *, newest: int) -> int:
        """Return the newest version as of a moment (UTC, ms), of a game that has come to `newest`.

        Raises:
            NoSuchVersion: The game was opened later.
        """
        low, high = 0, newest
        while low < high:
            middle = (low + high + 1) // 2
            (entry,) = self.page(game, after=middle - 1, count=1, newest=newest)
            if codec.decode(entry.data).at <= moment:
                low = middle
            else:
                high = middle - 1
        if not low:
            raise NoSuchVersion(f"Game {game} was opened later.")
        return low

    def stream(self, game: str, *, after: int = 0, upto: int | None = None) -> Iterator[list[Entry]]:
        """Read entries in batches; see `events.store.Streams.stream`."""
        return self._streams.stream(game, after=after, upto=upto)

    def texts(self, game: str, digests: Iterable[str]) -> dict[str, str]:
        """Return typed-in texts by digest; see `open_texts` for those that are not here."""
        return open_texts(self._sidecar, game, digests)

    def names_of(self, state: AnyState) -> dict[int, str]:
        """Return the name of each seat; empty when it has none, `[erased]` or `[missing]` when it is not here."""
        digests = {seat: sitter.name for seat, sitter in sorted(state.seats.items())}
        texts = self.texts(state.game, filter(None, digests.values()))
        return {seat: texts.get(digest, "") for seat, digest in digests.items()}

    def texts_of(self, state: AnyState) -> dict[str, str]:
        """Return every typed-in text that a state refers to, except for names, by its digest."""
        if not isinstance(state, SocialJusticeState):
            return {}
        return self.texts(state.game, digests_in((state.politics, state.deals)))

    def page(self, game: str, *, after: int, count: int, newest: int) -> list[Entry]:
        """Read the entries after a version, of a game that has come to `newest`.

        Raises:
            Frozen: There are none, and there should be.
        """
        found = self._streams.read(game, after=after, count=count)
        if not found and after < newest:
            raise damaged(game, StreamDamaged(f"game {game}: the stream ends at {after}, before {newest}"))
        return found

    def frame_before_step(self, game: str, number: int, *, head: int) -> int:
        """Return the version of the newest keyframe that a step comes after; 0 for none. It reads few frames."""
        found, low, high = 0, 0, head // storage.EVERY
        while low < high:
            middle = (low + high + 1) // 2
            frame = self._keyframes.nearest(
                game, storage.NAME, fingerprint=storage.fingerprint(), at=middle * storage.EVERY
            )
            start = storage.unpack(frame.blob) if frame else None
            if start is not None and start.state is not None and start.state.steps >= number:
                high = middle - 1
            else:
                low, found = middle, start.version if start else found
        return found

    def save_keyframes(self, game: str) -> int:
        """Store the keyframes that are still missing, one for every 1,000 events; return how many were made."""
        head = self._streams.head(game)
        made = 0
        for version in range(storage.EVERY, (head.version if head else 0) + 1, storage.EVERY):
            frame = self._keyframes.nearest(game, storage.NAME, fingerprint=storage.fingerprint(), at=version)
            if not frame or frame.version != version:
                self._save_keyframe(game, version)
                made += 1
        return made

    def _save_keyframe(self, game: str, version: int) -> None:
        state, books, link = self.at(game, version)
        assert state is not None, "a version from 1 has a state"
        self._keyframes.save(
            game,
            storage.NAME,
            fingerprint=storage.fingerprint(),
            version=version,
            link=link,
            blob=storage.pack(state, books, link),
        )


def damaged(game: str, error: Exception) -> Frozen:
    """Log what is wrong in the store's words, which name its keys, and return a refusal without them."""
    _log.error("game %s is damaged: %s", game, error)
    where = f" at event {error.version}" if isinstance(error, BrokenChain) else ""
    return Frozen(f"The history of game {game} in the store is damaged{where}; a person must look at it.")
