"""Typed-in text: its digest is on the stream, the text itself lies next to it and can be erased.

The digest is SHA-256(salt ‖ text), with 16 bytes of salt, so it shows nothing of a text that is gone. In
actions, and in what they leave behind, typed-in text stands in fields of certain names.
"""

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from msgspec import Struct

from events.base import Event
from events.clocks import SeatRetaken
from events.lobby import NonceOpened, SeatTaken
from events.store import Sidecar
from service.rules.actions import PlayAction
from service.rules.typed_text import TYPED, with_digests

SALT_BYTES = 16
ERASED, MISSING = "[erased]", "[missing]"
"""Stand for a text of which an erasure is on record, and for one that is not here for another reason."""
FIELDS = TYPED | {"texts", "speech"}
"""Names of the fields of events and states that hold the digest of something typed in."""

_QUOTED_DIGEST = re.compile(rb'"([0-9a-f]{64})"')
_DIGEST = re.compile("[0-9a-f]{64}")
"""A card has a text too, which is no digest."""


def commit_text(text: str) -> tuple[str, bytes]:
    """Salt a text; return its digest for the stream and the record for the sidecar."""
    record = secrets.token_bytes(SALT_BYTES) + text.encode()
    return sha256(record).hexdigest(), record


def commit_texts(action: PlayAction) -> tuple[PlayAction, dict[str, bytes]]:
    """Put the digest in the place of every typed-in text of an action; return the records for the sidecar."""
    texts: dict[str, bytes] = {}

    def digest_of(text: str) -> str:
        digest, record = commit_text(text)
        texts[digest] = record
        return digest

    return with_digests(action, digest_of), texts


def digests_in(value: object) -> Iterator[str]:
    """Find the digest of every text that a record, or anything within it, refers to."""
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            inner = getattr(value, name)
            yield from _all(inner) if name in FIELDS else digests_in(inner)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from digests_in(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from digests_in(inner)


def typed_into(event: Event) -> Iterator[str]:
    """Find the digest of everything in the sidecar that an event names: texts, a name, an opened nonce."""
    if isinstance(event, SeatTaken | SeatRetaken):
        yield from _all(event.name)
    elif isinstance(event, NonceOpened):
        yield from _all(event.input)
    else:
        yield from digests_in(event)


def _all(found: str | Iterable[str]) -> Iterable[str]:
    return filter(_DIGEST.fullmatch, (found,) if isinstance(found, str) else found)


def open_texts(sidecar: Sidecar, game: str, digests: Iterable[str]) -> dict[str, str]:
    """Read texts of a game, by digest: `[erased]` for one that was erased, `[missing]` for any other that is not here.

    Missing in a fork are the texts of the game that it was forked from.
    """
    wanted = sorted(set(digests))
    found = sidecar.texts(game, wanted)
    erased = sidecar.erased(game) if len(found) < len(wanted) else {}
    texts = {digest: record[SALT_BYTES:].decode() for digest, record in found.items()}
    return {digest: texts.get(digest, ERASED if digest in erased else MISSING) for digest in wanted}


def digests_in_bytes(stored: bytes) -> list[str]:
    """List what may be the digest of a text or a nonce, in the order of the bytes."""
    return [found.decode() for found in _QUOTED_DIGEST.findall(stored)]
