"""Typed-in text: its digest is on the stream, the text itself lies beside it and can be erased.

The digest is SHA-256(salt ‖ text), with 16 bytes of salt, so that it tells nothing about a text that is gone.
"""

import secrets
from hashlib import sha256
from typing import Any

import msgspec

from service.rules.actions import PlayAction

SALT_BYTES = 16
ERASED = "[erased]"
TYPED = frozenset({"text", "label"})
"""Names of the fields of an action, and of its parts, that somebody typed in."""


def seal_text(text: str) -> tuple[str, bytes]:
    """Salt a text; gives its digest for the stream and the record that lies beside it."""
    record = secrets.token_bytes(SALT_BYTES) + text.encode()
    return sha256(record).hexdigest(), record


def open_text(record: bytes | None) -> str:
    """Read a text beside the stream; `[erased]` when it is gone."""
    return record[SALT_BYTES:].decode() if record else ERASED


def seal_action(action: PlayAction) -> tuple[PlayAction, dict[str, bytes]]:
    """Put the digest in the place of every typed-in text of an action, however deep; gives the records beside it.

    Typed in is what stands in a field called `text` or `label`.
    """
    texts: dict[str, bytes] = {}
    sealed = _sealed(msgspec.to_builtins(action), texts)
    return (msgspec.convert(sealed, PlayAction), texts) if texts else (action, texts)


def _sealed(value: Any, texts: dict[str, bytes]) -> Any:
    if isinstance(value, list | tuple):  # a tuple stays one when it becomes plain
        return [_sealed(item, texts) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _digest_of(part, texts) if name in TYPED and isinstance(part, str) else _sealed(part, texts)
        for name, part in value.items()
    }


def _digest_of(text: str, texts: dict[str, bytes]) -> str:
    if not text.strip():
        return text
    digest, record = seal_text(text)
    texts[digest] = record
    return digest
