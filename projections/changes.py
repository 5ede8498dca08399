"""What changed between two states, value by value, each with its place: a JSON Patch (RFC 6902) that can be undone."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Literal

from msgspec import Struct

from events.base import Json

Op = Literal["add", "remove", "replace"]
_GONE = object()


class Change(Struct, frozen=True, kw_only=True):
    """One value that was added, removed or replaced.

    As JSON it is an operation of RFC 6902; a reader that does not know `before` ignores it.

    Attributes:
        op: What happened to it.
        path: JSON pointer; empty for the whole.
        before: What it was; null for what was added.
        value: What it is; null for what was removed.
    """

    op: Op
    path: str
    # Any: JSON as deep as a state is; `Json` and its schema are not as deep.
    before: Any
    value: Any


def changes(before: Json, after: Json, path: str = "") -> Iterator[Change]:
    """List what leads from one value to another, in an order in which it can be applied.

    Args:
        before: JSON, with text for keys.
        after: JSON, with text for keys.
        path: Pointer to both.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in [*before, *(key for key in after if key not in before)]:
            place = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
            yield from _change(before.get(key, _GONE), after.get(key, _GONE), place)
    elif isinstance(before, list) and isinstance(after, list):
        pairs = [*enumerate(zip_longest(before, after, fillvalue=_GONE))]
        kept = min(len(before), len(after))
        for place, pair in [*pairs[:kept], *(pairs[kept:] if len(after) > kept else reversed(pairs[kept:]))]:
            yield from _change(pair[0], pair[1], f"{path}/{place}")
    elif before != after or type(before) is not type(after):
        yield Change(op="replace", path=path, before=before, value=after)


def _change(before: object, after: object, path: str) -> Iterator[Change]:
    if before is _GONE:
        yield Change(op="add", path=path, before=None, value=after)
    elif after is _GONE:
        yield Change(op="remove", path=path, before=before, value=None)
    else:
        yield from changes(before, after, path)  # type: ignore[arg-type] # JSON: neither is gone
