"""What lies beside a stream: typed-in texts, which can be erased, hashes of credentials, and the secret."""

from collections.abc import Iterable
from typing import Any

from events.store.errors import StoreError
from events.store.keys import game_keys
from events.store.streams import Streams


class BesideStreams(Streams):
    """Reads and erases what appends wrote beside their entries."""

    def texts(self, game: str, digests: Iterable[str]) -> dict[str, bytes]:
        """Give the stored records of these digests; an erased one is missing."""
        wanted = list(digests)
        if not wanted:
            return {}
        found = self._ask("HMGET", game_keys(game).texts, *wanted)
        return {digest: record for digest, record in zip(wanted, found, strict=True) if record is not None}

    def erase_texts(self, game: str, digests: Iterable[str]) -> bool:
        """Delete texts, and start to rewrite the append-only file, where they still stand.

        Returns:
            Whether the rewrite was started. If not, it is for the operator: `BGREWRITEAOF`.
        """
        wanted = list(digests)
        key = game_keys(game).texts
        if wanted:
            self._ask("HDEL", key, *wanted)
        try:
            self._ask("BGREWRITEAOF", **self._node_of(key))
        except StoreError:  # forbidden, or one is running that began before the deletion
            return False
        return True

    def tokens(self, game: str) -> dict[str, bytes]:
        """Give the SHA-256 of each credential of a game by its name."""
        found = self._ask("HGETALL", game_keys(game).tokens)
        return {name.decode(): digest for name, digest in found.items()}

    def secret(self, game: str) -> bytes | None:
        """Give the game's secret; None when there is none."""
        found: bytes | None = self._ask("GET", game_keys(game).secret)
        return found

    def _node_of(self, key: str) -> dict[str, Any]:
        """Name the server of a key, for a command that names no key."""
        if not self._wire.is_cluster:
            return {}
        client: Any = self._wire.client
        return {"target_nodes": client.get_node_from_key(key)}
