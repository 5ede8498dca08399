"""Ids and tokens derived from the server's key: a repeated request gets the same answer, and nothing readable is kept.

A token is HMAC-SHA-256(server key; domain, game, credential, action id) in base64url; the store holds its SHA-256. The
action id is that of the request that issued it: a repeat derives the same token, a renewal another.
"""

import hmac
import secrets
from base64 import b32encode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256

from msgspec import Struct

GAME_ID_BYTES = 10


class Caller(Struct, frozen=True):
    """Who sends a request.

    Attributes:
        names: Credentials of the game that the token is good for, such as `host` or `seat:2`.
        operator: The token is the operator's.
        given: A token was sent at all.
    """

    names: frozenset[str] = frozenset()
    operator: bool = False
    given: bool = False

    @property
    def seat(self) -> int:
        """The seat that the token is for; 0 for none."""
        return self._number("seat:")

    @property
    def joins(self) -> int:
        """The seat in play that the code is for, also once it was used; 0 for none."""
        return self._number("join:") or self._number("used:join:")

    def _number(self, kind: str) -> int:
        return next((int(name.removeprefix(kind)) for name in self.names if name.startswith(kind)), 0)

    @property
    def host(self) -> bool:
        """The token is the host's."""
        return "host" in self.names

    @property
    def knows_game(self) -> bool:
        """The caller may know of a private game."""
        return any(not name.startswith(("left:", "used:")) for name in self.names) or self.operator

    @property
    def scope(self) -> str:
        """Scope of the caller's idempotency keys; what ended a token or a code can be repeated with it."""
        lasting = (name.removeprefix("used:").replace("left:", "seat:") for name in self.names)
        names = ",".join(sorted(lasting))
        return names or ("operator" if self.operator else "anyone")


class ServerKey:
    """The secret that ids and tokens are derived from.

    Args:
        key: At least 32 bytes; the same on every machine that serves the same store.
    """

    def __init__(self, key: bytes) -> None:
        assert len(key) >= 32, "a server key has at least 32 bytes"
        self._key = key

    def _derive(self, *parts: str) -> bytes:
        return hmac.digest(self._key, b"\x00".join(part.encode() for part in parts), "sha256")

    def game_id(self, scope: str, key: str) -> str:
        """Derive a new game's id: 16 lower-case letters and digits."""
        return b32encode(self._derive("rollbook/game/v1", scope, key)[:GAME_ID_BYTES]).decode().lower()

    def token(self, game: str, credential: str, action: str) -> str:
        """Derive the token that an action issued for a credential."""
        digest = self._derive("rollbook/token/v1", game, credential, action)
        return urlsafe_b64encode(digest).rstrip(b"=").decode()


def token_hash(token: str) -> bytes:
    """Hash a token for the store."""
    return sha256(token.encode()).digest()


def identify(token: str | None, hashes: Mapping[str, bytes], operator_token: str) -> Caller:
    """Tell who a token belongs to, comparing in constant time."""
    if token is None:
        return Caller()
    mine = token_hash(token)
    names = frozenset(name for name, stored in hashes.items() if hmac.compare_digest(stored, mine))
    operator = bool(operator_token) and hmac.compare_digest(operator_token.encode(), token.encode())
    return Caller(names, operator=operator, given=True)


def action_id(scope: str, key: str | None) -> str:
    """Make an action id: SHA-256 of scope and idempotency key; without a key one is made."""
    return sha256(f"{scope}\x00{key or secrets.token_hex(16)}".encode()).hexdigest()


def request_digest(method: str, path: str, body: bytes) -> str:
    """Digest what is compared when an idempotency key comes again."""
    return sha256(b"\x00".join((method.encode(), path.encode(), body))).hexdigest()
