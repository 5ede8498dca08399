"""Ids and tokens derived from the server's key: a repeated request gets the same answer, and nothing readable is kept.

A token is HMAC-SHA-256(server key; domain, game, credential, action id) in base64url; the store holds its SHA-256. The
action id is that of the request that issued it: a repeat derives the same token, a renewal another.
"""

import hmac
from base64 import b32encode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from events.base import Event
from events.clocks import SeatReopened, SeatRetaken
from events.lobby import CredentialRenewed, SeatLeft, SeatTaken

GAME_ID_BYTES = 10


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

    def cache_key(self) -> bytes:
        """Derive the key under which cached values are stored, and nothing else."""
        return self._derive("rollbook/caches/v1")

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


def tokens_after(
    events: Sequence[Event], tokens: Mapping[str, bytes], token_of: Callable[[str], str]
) -> dict[str, bytes]:
    """Return the hashes of the tokens that events issue or end.

    Args:
        events: Of one action.
        tokens: The hashes before.
        token_of: Derives the new token of a credential.
    """
    issued = {name: token_hash(token_of(name)) for event in events if (name := credential_of(event))}
    return issued | retired(tokens, events)


def retired(tokens: Mapping[str, bytes], events: Sequence[Event]) -> dict[str, bytes]:
    """Return what is left of the tokens of seats that were given up before the start, or are another person's now.

    The person who gave a seat up may still repeat that request, and so may one who took a seat with a code of its own.
    """
    ended, kept = [], {}
    for event in events:
        if isinstance(event, SeatLeft) and not event.playing:
            ended.append(f"seat:{event.seat}")
            kept[f"left:{event.seat}"] = f"seat:{event.seat}"
        elif isinstance(event, SeatReopened):
            ended.append(f"seat:{event.seat}")
        elif isinstance(event, SeatRetaken):
            ended.append(f"join:{event.seat}")
            kept[f"used:join:{event.seat}"] = f"join:{event.seat}"
    return dict.fromkeys(ended, b"") | {name: tokens[old] for name, old in kept.items() if old in tokens}


def credential_of(event: Event) -> str:
    """Return the credential that an event issues; empty for most."""
    if isinstance(event, SeatTaken | SeatRetaken):
        bot = isinstance(event, SeatTaken) and event.kind == "bot"
        return "" if bot else f"seat:{event.seat}"
    if isinstance(event, SeatReopened):
        return f"join:{event.seat}"
    return event.credential if isinstance(event, CredentialRenewed) else ""
