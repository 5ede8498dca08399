"""Whether a store was written with this server key: the store holds the fingerprint of the one that it began with.

Ids and tokens are derived from the key. With another one, a request that is sent again makes a second game, and seats
whose token has to be sent once more get one that is not accepted.
"""

from hashlib import sha256
from pathlib import Path

from events.store import Ownership
from service.settings import OperatorError


def fingerprint(key: bytes) -> str:
    """Return a name for a key that does not reveal it: 16 hexadecimal digits."""
    return sha256(b"rollbook server key\0" + key).hexdigest()[:16]


def claim_key(ownership: Ownership, key: bytes, *, path: Path) -> None:
    """Tie a new store to a key, or check that it is tied to this one.

    Args:
        ownership: Of the store.
        key: The server key.
        path: Where it came from.

    Raises:
        OperatorError: The store belongs to another key.
    """
    if fault := key_fault(ownership.claim_key(fingerprint(key)), key, path=path):
        raise OperatorError(fault)


def key_fault(claimed: str | None, key: bytes, *, path: Path) -> str:
    """Return why a key does not fit the store; empty if it does, or if the store is tied to none."""
    if claimed in (None, fingerprint(key)):
        return ""
    return f"The store was written with another server key than {path} (ROLLBOOK_SECRET_FILE): put that one back"
