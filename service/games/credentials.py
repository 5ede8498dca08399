"""Ids and tokens derived from the server's key: a repeated request gets the same answer, and nothing readable is kept.

A token is HMAC-SHA-256(server key; domain, game, credential, action id) in base64url; the store holds its SHA-256. The
action id is that of the request that issued it: a repeat derives the same token, a renewal another.
"""

import hmac
import secrets
from base64 import b32encode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct

from events.base import Event
from events.clocks import SeatReopened, SeatRetaken
from events.lobby import CredentialRenewed, SeatLeft, SeatTaken

GAME_ID_BYTES = 10


class Caller(Struct, frozen=True):
    """Who sends a request; without a token, anyone.

    Attributes:
        names: Credentials of the game that the token is good for, such as `host` or `seat:2`.
        operator: The token is the operator's.
        given: A token was sent at all.
        knows_game: The caller may know of a private game.
        seat: The seat that the token is for, or that the bot plays; 0 for none.
        actor: Who the caller is in an envelope, such as `seat:2`, `host`, `clock` or `bot:3`.
        scope: Scope of the caller's idempotency keys.
    """

    names: frozenset[str] = frozenset()
    operator: bool = False
    given: bool = False
    knows_game: bool = False
    seat: int = 0
    actor: str = "system"
    scope: str = "anyone"

    @property
    def joins(self) -> int:
        """The seat in play that the code is for, also once it was used; 0 for none."""
        return number_in(self.names, "join:") or number_in(self.names, "used:join:")

    @property
    def host(self) -> bool:
        """The token is the host's."""
        return "host" in self.names


def number_in(names: Iterable[str], kind: str) -> int:
    """Return the number of the name that begins with a kind; 0 for none."""
    return next((int(name.removeprefix(kind)) for name in names if name.startswith(kind)), 0)


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
    """Return whose token it is, comparing in constant time."""
    if token is None:
        return Caller()
    mine = sha256(token.encode()).digest()
    names = [name for name, stored in hashes.items() if hmac.compare_digest(stored, mine)]
    operator = bool(operator_token) and hmac.compare_digest(operator_token.encode(), token.encode())
    seat = next((int(name[5:]) for name in names if name.startswith("seat:")), 0)
    # What ended a token or a code can be repeated with it, and nothing else can be done.
    lasting = sorted(name.removeprefix("used:").replace("left:", "seat:") for name in names)
    return Caller(
        names=frozenset(names),
        operator=operator,
        given=True,
        knows_game=operator or any(not name.startswith(("left:", "used:")) for name in names),
        seat=seat,
        actor=f"seat:{seat}" if seat else "host" if "host" in names else "system",
        scope=",".join(lasting) or ("operator" if operator else "anyone"),
    )


def system_caller(system: str) -> Caller:
    """Return the service itself as a caller: `clock`, or `bot:2` for the bot of seat 2."""
    return Caller(knows_game=True, seat=number_in([system], "bot:"), actor=system, scope=system.partition(":")[0])


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


def action_id(scope: str, key: str | None) -> str:
    """Make an action id: SHA-256 of scope and idempotency key; without a key one is made."""
    return sha256(f"{scope}\x00{key or secrets.token_hex(16)}".encode()).hexdigest()


def request_digest(method: str, path: str, body: bytes) -> str:
    """Digest what is compared when an idempotency key comes again."""
    return sha256(b"\x00".join((method.encode(), path.encode(), body))).hexdigest()
