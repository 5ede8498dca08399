"""Typed-in text: its digest is on the stream, the text itself lies beside it and can be erased.

The digest is SHA-256(salt ‖ text), with 16 bytes of salt, so that it tells nothing about a text that is gone.
"""

import secrets
from hashlib import sha256

from service.rules.actions import PlayAction
from service.rules.typed import with_digests

SALT_BYTES = 16
ERASED = "[erased]"


def seal_text(text: str) -> tuple[str, bytes]:
    """Salt a text; gives its digest for the stream and the record that lies beside it."""
    record = secrets.token_bytes(SALT_BYTES) + text.encode()
    return sha256(record).hexdigest(), record


def open_text(record: bytes | None) -> str:
    """Read a text beside the stream; `[erased]` when it is gone."""
    return record[SALT_BYTES:].decode() if record else ERASED


def seal_action(action: PlayAction) -> tuple[PlayAction, dict[str, bytes]]:
    """Put the digest in the place of every typed-in text of an action; gives the records that lie beside it."""
    texts: dict[str, bytes] = {}

    def digest_of(text: str) -> str:
        digest, record = seal_text(text)
        texts[digest] = record
        return digest

    return with_digests(action, digest_of), texts
