"""The codec: events to canonical bytes and back.

Canonical means: JSON, UTF-8, keys sorted, no white space, integers only and below 2^53, each entry written once. Only
stored bytes are ever hashed; nothing is serialised a second time to be compared.
"""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from events.base import Envelope, Event, Opaque
from events.catalogue import TYPES, schema_number
from events.upcasting import UPCASTERS, Upcasters, upcast

_encoder = msgspec.json.Encoder(order="sorted")
_bare_decoder = msgspec.json.Decoder(Envelope[dict[str, Any]])  # type: ignore[type-var] # not yet an event
_decoder = msgspec.json.Decoder(Envelope[reduce(or_, TYPES.values())])  # type: ignore[misc] # a union made at run time


class DamagedEntry(Exception):
    """Stored bytes are not an event: cut, edited, or never ours."""


def encode(envelope: Envelope[Event]) -> bytes:
    """Write an entry's canonical bytes, once."""
    return _encoder.encode(envelope)


def encode_all(envelopes: Iterable[Envelope[Event]]) -> list[bytes]:
    """Write entries in order."""
    return [_encoder.encode(envelope) for envelope in envelopes]


def decode(stored: bytes, upcasters: Upcasters = UPCASTERS) -> Envelope[Event]:
    """Read an entry; an older shape is upcast to the current one, an unknown type becomes `Opaque`.

    Raises:
        DamagedEntry: The bytes are no envelope, or the data does not have the shape that its schema number claims.
    """
    try:
        return _decoder.decode(stored)  # type: ignore[no-any-return] # the decoder's type is made at run time
    except msgspec.ValidationError:
        return _decode_old(stored, upcasters)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedEntry(str(error)) from error


def decode_all(stored: Iterable[bytes]) -> list[Envelope[Event]]:
    """Read entries in order."""
    entries = list(stored)
    try:
        return [_decoder.decode(entry) for entry in entries]
    # One of them has an older shape or is damaged.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return [decode(entry) for entry in entries]


def can_be_shown(stored: bytes) -> bool:
    """Return whether stored bytes are one envelope on one line, so that they can stand in an answer as they are."""
    try:
        _bare_decoder.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return b"\n" not in stored and b"\r" not in stored


def _decode_old(stored: bytes, upcasters: Upcasters) -> Envelope[Event]:
    try:
        bare = _bare_decoder.decode(stored)
        return Envelope(
            version=bare.version,
            at=bare.at,
            turn=bare.turn,
            actor=bare.actor,
            action=bare.action,
            data=_event_of(bare.data, upcasters),
        )
    except (msgspec.DecodeError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise DamagedEntry(str(error)) from error


def _event_of(data: dict[str, Any], upcasters: Upcasters) -> Event:
    name, schema = data["type"], data["schema"]
    kind = TYPES.get(name)
    current = schema_number(kind) if kind else 0
    if kind is None or schema > current:
        return Opaque(name=name, schema=schema, fields=data)
    return msgspec.convert(upcast(data, target=current, upcasters=upcasters), kind)
