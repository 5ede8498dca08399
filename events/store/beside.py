"""What lies beside a stream: typed-in texts, hashes of credentials, and the secret. Here it is only read."""

from collections.abc import Iterable
from typing import Any

from events.store.keys import game_keys
from events.store.streams import Streams


class BesideStreams(Streams):
    """Reads what appends wrote beside their entries."""

    def texts(self, game: str, digests: Iterable[str]) -> dict[str, bytes]:
        """Give the stored records of these digests; an erased one is missing."""
        wanted = list(digests)
        if not wanted:
            return {}
        found = self._ask("HMGET", game_keys(game).texts, *wanted)
        return {digest: record for digest, record in zip(wanted, found, strict=True) if record is not None}

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
