"""What lies next to a stream: typed-in texts, hashes of credentials, and the secret.

Appends write it. Here it is read, and texts are erased: from memory by one script, and from the disk by a rewrite of
the append-only file. The stream itself holds digests alone and is never touched; a record says since when a text is
gone.
"""

import time
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from events.store import errors
from events.store.keys import erased_key, game_keys
from events.store.wire import Script, Wire

PAUSE = 0.05  # seconds between two questions whether a rewrite is done

_ERASE = Script("erase.lua")

Rewrite = Literal["started", "running", "refused"]
"""`started`: it leaves out all that is erased. `running`: another one is, which began before. `refused`: forbidden."""


class Erased(NamedTuple):
    """When a text was erased, and by whom."""

    at: int  # UTC, ms
    by: str


class Sidecar:
    """Reads what appends wrote next to their entries, and erases texts."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def texts(self, game: str, digests: Iterable[str]) -> dict[str, bytes]:
        """Return the stored records of these digests; an erased one is missing."""
        wanted = list(digests)
        if not wanted:
            return {}
        found = self._wire.ask("HMGET", game_keys(game).texts, *wanted)
        return {digest: record for digest, record in zip(wanted, found, strict=True) if record is not None}

    def tokens(self, game: str) -> dict[str, bytes]:
        """Return the SHA-256 of each credential of a game by its name."""
        found = self._wire.ask("HGETALL", game_keys(game).tokens)
        return {name.decode(): digest for name, digest in found.items()}

    def secret(self, game: str) -> bytes | None:
        """Return the game's secret; None when there is none."""
        found: bytes | None = self._wire.ask("GET", game_keys(game).secret)
        return found

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
        match answer := self._wire.run(_ERASE, keys, [f"{at}:{by}", len(digests), *digests, *actions]):
            case [b"erased", gone]:
                return int(gone)
        raise errors.refusal(answer)

    def kept_texts(self, game: str) -> set[str]:
        """Return the digests of all texts that a game still has."""
        return {digest.decode() for digest in self._wire.ask("HKEYS", game_keys(game).texts)}

    def erased(self, game: str) -> dict[str, Erased]:
        """Return of each text that was erased when that was, and by whom."""
        found = self._wire.ask("HGETALL", erased_key(game))
        return {digest.decode(): _erased(note.decode()) for digest, note in found.items()}

    def start_rewrite(self, game: str) -> Rewrite:
        """Have the server of a game write its append-only file again, without what was erased."""
        try:
            self._wire.ask("BGREWRITEAOF", **self._wire.node_of(game_keys(game).texts))
        except errors.StoreError as error:
            if isinstance(error, errors.StoreUnavailable):
                raise
            return "running" if "in progress" in str(error) else "refused"
        return "started"

    def rewrite(self, game: str, *, seconds: float) -> bool:
        """Have the file written again, and wait until it is; a rewrite that is running already began too early.

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
            status = self._wire.ask("INFO", "persistence", **self._wire.node_of(game_keys(game).texts))
            if not int(status["aof_rewrite_in_progress"]) and not int(status["aof_rewrite_scheduled"]):
                return str(status["aof_last_bgrewrite_status"]) == "ok"
            time.sleep(PAUSE)
        return False


def _erased(note: str) -> Erased:
    at, _, by = note.partition(":")
    return Erased(int(at) if at.isdigit() else 0, by)
