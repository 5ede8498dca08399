"""The loss guard: no game goes on without what was acknowledged.

The log of heads lies outside the store. A game of which the store holds less, or other, than the log says takes no
actions until a person has accepted the loss (`rollbook doctor --accept`).
"""

import logging
from collections.abc import Callable, Mapping
from typing import NoReturn

from events.store import HeadLog, LostTail, StoreError, Streams
from service.errors import Frozen

_log = logging.getLogger("rollbook.games")


class LossGuard:
    """Notes what is acknowledged, and stops games that have lost some of it.

    Args:
        streams: Of the store.
        forget: Drops a fold in memory.
        heads: Log of heads outside the store; None keeps none.
        frozen: Games that take no actions, each with a sentence why: found at start to have lost their tail.
    """

    def __init__(
        self,
        streams: Streams,
        forget: Callable[[str], object],
        *,
        heads: HeadLog | None = None,
        frozen: Mapping[str, str] | None = None,
    ) -> None:
        self._streams = streams
        self._forget = forget
        self._heads = heads
        self._frozen = dict(frozen or {})
        self._compared: set[str] = set()

    @property
    def keeps_log(self) -> bool:
        """Whether there is a log of heads."""
        return self._heads is not None

    def is_frozen(self, game: str) -> bool:
        """Return whether a game takes no actions, as far as is known."""
        return game in self._frozen

    def check(self, game: str) -> int:
        """Return the version that was acknowledged by any process on this machine; 0 where that is not known.

        Once for each load of the game, what the store holds is compared with what was acknowledged: link by link, for
        a history that was changed may be as long as it was.

        Raises:
            Frozen: The game has lost some of its history, and nobody has accepted that.
        """
        if game in self._frozen:
            if not self.accepted(game):
                raise Frozen(self._frozen[game])
            del self._frozen[game]
            self._forget(game)
        if self._heads is None:
            return 0
        if game not in self._compared:
            if tail := self.lost(game):
                self.freeze(tail)
            self._compared.add(game)
        return self._heads.newest(game)

    def loaded(self, game: str) -> None:
        """Compare a game again before it goes on: it was read from the store, or is in memory no more."""
        self._compared.discard(game)

    def accepted(self, game: str) -> bool:
        """Return whether the store holds everything that still counts as acknowledged."""
        return self._heads is not None and not self.lost(game)

    def lost(self, game: str) -> LostTail | None:
        """Return what the store has lost of a game that was acknowledged; None for nothing."""
        return next(iter(self._heads.compare(self._streams, game)), None) if self._heads is not None else None

    def freeze(self, tail: LostTail) -> NoReturn:
        """Stop a game that has lost its tail.

        Raises:
            Frozen: Always.
        """
        self._frozen[tail.game] = why = lost_tail(tail)
        _log.error("%s", why)
        self.write_down(tail.game, why)
        raise Frozen(why)

    def write_down(self, game: str, why: str) -> None:
        """Stop a game for every process."""
        try:
            self._streams.freeze(game, why)
        except StoreError as error:
            _log.error("that game %s is frozen could not be written down: %s", game, error)

    def write_down_all(self) -> None:
        """Stop the games that were found at start to have lost their tail, for every process."""
        for game, why in self._frozen.items():
            self.write_down(game, why)

    def check_to_sign(self, game: str) -> None:
        """Check that a game's history may be signed, as far as any process knows.

        Raises:
            Frozen: Its history is not what was acknowledged.
        """
        self.check(game)
        if why := self._streams.why_frozen(game):
            raise Frozen(why)

    def before_opening(self, game: str) -> None:
        """Check that no game is opened in the place of one that was acknowledged.

        Raises:
            Frozen: The store has lost that one, or some of it.
        """
        if self.check(game) and (tail := self.lost(game)):
            self.freeze(tail)

    def note(self, game: str, version: int, link: bytes) -> None:
        """Note an acknowledged head outside the store."""
        if self._heads is None:
            return
        try:
            self._heads.note(game, version, link)
        except OSError as error:
            _log.error("the log of heads could not be written: %s", error.strerror)


def lost_tail(tail: LostTail) -> str:
    """Return in a sentence which game lost what, and what can be done."""
    return (
        f"The store has lost events of game {tail.game} that were acknowledged: {what_is_left(tail)}. What is"
        " good can be read, and it takes no actions; where only its end is lost, `rollbook doctor --accept"
        f" {tail.game}` lets it go on."
    )


def what_is_left(tail: LostTail) -> str:
    """Return in words how much of what was acknowledged is there."""
    if tail.found < tail.logged:
        return f"of {tail.logged}, {tail.found or 'none'} {'are' if tail.found > 1 else 'is'} there"
    return f"of {tail.logged}, some are missing or others"
