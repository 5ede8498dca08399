"""The catalogue: every event type by its wire name, and every shape ever written.

`WRITTEN` only grows: a stream may hold any of its (type, schema) pairs, so each must be current or have upcasters up
to the current shape. `check()` is run at start-up and refuses a gap by name.
"""

import inspect
from types import ModuleType
from typing import Literal, get_args

from events import lobby, play, public_assistance
from events.base import Event, Opaque
from events.upcasting import UPCASTERS, Upcasters


def _types(*modules: ModuleType) -> dict[str, type[Event]]:
    found: dict[str, type[Event]] = {}
    for module in modules:
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if issubclass(kind, Event) and kind.__module__ == module.__name__:
                found[wire_name(kind)] = kind
    return found


def wire_name(kind: type[Event]) -> str:
    """Give the stable name that stands in the stream."""
    return str(kind.__struct_config__.tag)


def schema_number(kind: type[Event]) -> int:
    """Give the number of the shape that this program writes."""
    annotation = kind.__annotations__["schema"]
    assert annotation.__origin__ is Literal, f"{kind.__name__}.schema must be a Literal"
    return int(get_args(annotation)[0])


TYPES: dict[str, type[Event]] = _types(lobby, play, public_assistance)
"""Every event type that this program writes, by wire name."""

WRITTEN: frozenset[tuple[str, int]] = frozenset({(name, 1) for name in TYPES})
"""Every (type, schema) that any release ever wrote. The golden test holds the list by name."""


class CatalogueError(Exception):
    """A shape that was once written cannot be read any more."""


def check(written: frozenset[tuple[str, int]] = WRITTEN, upcasters: Upcasters = UPCASTERS) -> None:
    """See that every shape ever written leads to a current one.

    Raises:
        CatalogueError: Names the type and the first missing step.
    """
    for name, schema in sorted(written):
        kind = TYPES.get(name)
        if kind is None:
            raise CatalogueError(f"{name} was written once and is unknown now")
        for step in range(schema, schema_number(kind)):
            if (name, step) not in upcasters:
                raise CatalogueError(f"{name}: no upcaster from schema {step} to {step + 1}")


def is_known(event: Event) -> bool:
    """Tell whether play may go on after this event."""
    return not isinstance(event, Opaque)
