"""Cursors: where a list goes on, bound to the filters that it was made with.

Not secret and not signed: a cursor that a caller makes up begins a list at another place, and shows nothing that a
first page would not lead to.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from service.api.http.problems import Problem, invalid

P = TypeVar("P")
CHECK_BYTES = 4


def of(query: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Pick from a query the filters that a cursor is bound to."""
    return {name: query[name] for name in names if name in query}


def write(position: object, filters: Mapping[str, Any]) -> str:
    """Write a cursor."""
    body = msgspec.json.encode([position, filters], order="sorted")
    return urlsafe_b64encode(sha256(body).digest()[:CHECK_BYTES] + body).rstrip(b"=").decode()


def read(cursor: str, kind: type[P], filters: Mapping[str, Any]) -> P:
    """Read a cursor that was made with the same filters.

    Raises:
        Problem: 422; it names the filter that differs, or the cursor when it cannot be read.
    """
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        if sha256(raw[CHECK_BYTES:]).digest()[:CHECK_BYTES] != raw[:CHECK_BYTES]:
            raise _unreadable()
        found, made_with = msgspec.json.decode(raw[CHECK_BYTES:], type=tuple[Any, dict[str, Any]])
        position = msgspec.convert(found, kind)
    except (ValueError, msgspec.MsgspecError):
        raise _unreadable() from None
    other = sorted(name for name in {*filters, *made_with} if filters.get(name) != made_with.get(name))
    if other:
        raise invalid([{"query": name, "detail": "Is not what the cursor was made with."} for name in other])
    return position


def _unreadable() -> Problem:
    return invalid([{"query": "cursor", "detail": "Is not a cursor of this list."}])
