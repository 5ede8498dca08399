"""Whether stored bytes are written as this project writes them, and if not, in which way."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from events import codec
from events.base import Envelope, Event, Opaque


def oddities(stored: bytes, envelope: Envelope[Event]) -> list[str]:
    """List what is not canonical about an entry.

    An entry of the current shape must be what its event is written as. One of an older shape, or of a type that is not
    known, must be its own JSON written canonically.
    """
    if not isinstance(envelope.data, Opaque) and codec.encode(envelope) == stored:
        return []
    found: list[str] = []
    try:
        plain = json.loads(
            stored,
            object_pairs_hook=lambda pairs: _object(pairs, found),
            parse_float=lambda text: _note(found, f"the number {text} is not a whole one"),
            parse_constant=lambda text: _note(found, f"{text} is not JSON"),
        )
        written = msgspec.json.encode(plain, order="sorted")
    except (ValueError, RecursionError) as error:
        return [*found, f"it cannot be read as plain JSON: {error}"]
    if not found and written != stored:
        found.append("white space, an order of keys or an escape that is not canonical")
    if not found and written == stored and _is_current(plain, envelope):
        found.append("it is not what its event is written as: a field is missing or of another form")
    return found


def _object(pairs: list[tuple[str, Any]], found: list[str]) -> dict[str, Any]:
    found += [f"the key {key!r} stands there twice" for key in _twice([key for key, _ in pairs])]
    return dict(pairs)


def _twice(keys: list[str]) -> Iterator[str]:
    return (key for place, key in enumerate(keys) if key in keys[:place])


def _note(found: list[str], what: str) -> int:
    found.append(what)
    return 0


def _is_current(plain: dict[str, Any], envelope: Envelope[Event]) -> bool:
    """Return whether the entry claims the shape that its type has now."""
    if isinstance(envelope.data, Opaque):
        return False
    return bool(plain["data"].get("schema") == getattr(envelope.data, "schema", None)) or "schema" not in plain["data"]
