"""Erasing what lies beside a stream, from memory by one script and from the disk by a rewrite of the append-only file.

The stream itself is never touched: it holds digests alone. A record beside it says since when a text is gone.
"""

import time
from collections.abc import Collection
from typing import Any, Literal, NamedTuple

from events.store import errors
from events.store.beside import BesideStreams
from events.store.keys import erased_key, game_keys
from events.store.wire import Script

PAUSE = 0.05  # seconds between two questions whether a rewrite is done

_ERASE = Script("erase.lua")

Rewrite = Literal["started", "running", "refused"]
"""`started`: it leaves out all that is erased. `running`: another one is, which began before. `refused`: forbidden."""


class Erased(NamedTuple):
    """When a text was erased, and by whom."""

    at: int  # UTC, ms
    by: str


class ErasingStreams(BesideStreams):
    """Erases what appends wrote beside their entries."""

    def erase_texts(
        self, game: str, digests: Collection[str], *, actions: Collection[str] = (), at: int, by: str
    ) -> int:
        """Delete texts and note it, all or nothing; what is gone already stays as it was first noted.

        They still stand in the append-only file until it is rewritten: see `start_rewrite`.

        Args:
            game: Its id.
            digests: Which texts.
            actions: Ids of the actions that they were typed into: the digests of those requests go too.
            at: When (UTC, ms).
            by: Who erases.

        Returns:
            How many were there.

        Raises:
            StreamDamaged: A key has a wrong type.
            StoreError: The store's user may not; nothing was done.
        """
        if not digests:
            return 0
        own = game_keys(game)
        keys = [own.texts, erased_key(game), own.actions]
        args: list[str | bytes | int] = [f"{at}:{by}", len(digests), *digests, *actions]
        answer = self._wire.run(lambda client: _ERASE(client, keys, args))
        match answer:
            case [b"erased", gone]:
                return int(gone)
            case [b"wrongtype", key, found, wanted]:
                message = f"key {key.decode()} is a {found.decode()}, not a {wanted.decode()}"
                raise errors.StreamDamaged(message)
            case [b"denied", command, key]:
                raise errors.StoreError(f"the store's user may not {command.decode()} {key.decode()}")
        raise AssertionError(answer)

    def kept_texts(self, game: str) -> set[str]:
        """List the digests of all texts that lie beside a stream."""
        return {digest.decode() for digest in self._ask("HKEYS", game_keys(game).texts)}

    def erased(self, game: str) -> dict[str, Erased]:
        """Say of each text that was erased when that was, and by whom."""
        found = self._ask("HGETALL", erased_key(game))
        return {digest.decode(): _erased(note.decode()) for digest, note in found.items()}

    def start_rewrite(self, game: str) -> Rewrite:
        """Have the server of a game write its append-only file anew, without what was erased."""
        try:
            self._ask("BGREWRITEAOF", **self._node_of(game_keys(game).texts))
        except errors.StoreError as error:
            if isinstance(error, errors.StoreUnavailable):
                raise
            return "running" if "in progress" in str(error) else "refused"
        return "started"

    def rewrite(self, game: str, *, seconds: float) -> bool:
        """Have the file written anew, and wait until it is; a rewrite that is running already began too early.

        Args:
            game: Whose server.
            seconds: How long to wait at most.

        Returns:
            Whether it is done. If not, it is for the operator: `BGREWRITEAOF`.
        """
        until = time.monotonic() + seconds
        while (started := self.start_rewrite(game)) == "running" and time.monotonic() < until:
            time.sleep(PAUSE)
        if started != "started":
            return False
        while time.monotonic() < until:
            told = self._persistence(game)
            if not int(told["aof_rewrite_in_progress"]) and not int(told["aof_rewrite_scheduled"]):
                return str(told["aof_last_bgrewrite_status"]) == "ok"
            time.sleep(PAUSE)
        return False

    def _persistence(self, game: str) -> dict[str, Any]:
        """Ask the server of a game how its files are."""
        told: dict[str, Any] = self._ask("INFO", "persistence", **self._node_of(game_keys(game).texts))
        return told


def _erased(note: str) -> Erased:
    at, _, by = note.partition(":")
    return Erased(int(at) if at.isdigit() else 0, by)
