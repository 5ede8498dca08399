"""The catalogue: every event type by its wire name, and every shape ever written.

`data/wire_names.txt` lists each (type, schema) pair that any release ever wrote to a stream; it only grows. A stream
may hold any of them, so each must be current or have upcasters up to the current shape. `check()` runs at start-up and
refuses a gap by name.
"""

import inspect
from collections.abc import Collection, Mapping
from functools import cache
from importlib import resources
from types import ModuleType
from typing import Literal, get_args

from events import clocks, forks, lobby, play
from events.base import Event
from events.public_assistance import events as public_assistance
from events.social_justice import deals, politics
from events.social_justice import events as social_justice
from events.social_justice import tasks as agenda
from events.upcasting import UPCASTERS, Upcasters


def _types(*modules: ModuleType) -> dict[str, type[Event]]:
    found: dict[str, type[Event]] = {}
    for module in modules:
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if issubclass(kind, Event) and kind.__module__ == module.__name__:
                found[wire_name(kind)] = kind
    return found


def wire_name(kind: type[Event]) -> str:
    """Return the stable name that stands in the stream."""
    return str(kind.__struct_config__.tag)


# Cached: it is called for each entry of an old shape.
@cache
def schema_number(kind: type[Event]) -> int:
    """Return the number of the shape that this program writes."""
    annotation = kind.__annotations__["schema"]
    assert annotation.__origin__ is Literal, f"{kind.__name__}.schema must be a Literal"
    return int(get_args(annotation)[0])


TYPES: dict[str, type[Event]] = _types(
    lobby, play, public_assistance, agenda, social_justice, politics, deals, clocks, forks
)
"""Every event type that this program writes, by wire name."""


class CatalogueError(Exception):
    """A shape that was once written cannot be read any more."""


def written_names() -> list[tuple[str, int]]:
    """List every shape that was ever written, as wire name and schema number, in order of name."""
    # A file and not computed from `TYPES`, so that a type that was removed or renamed is missed.
    lines = resources.files("events").joinpath("data", "wire_names.txt").read_text("utf-8").splitlines()
    return [(name, int(schema)) for name, schema in map(str.split, lines)]


def check(
    written: Collection[tuple[str, int]] | None = None,
    upcasters: Upcasters = UPCASTERS,
    types: Mapping[str, type[Event]] = TYPES,
) -> None:
    """Check that every shape ever written leads to a current one, and that every current one is on the list.

    Args:
        written: Every shape ever written; None for those of `written_names`.
        upcasters: The steps from one shape to the next.
        types: The event types of this release, by wire name.

    Raises:
        CatalogueError: Names the type and the first missing step.
    """
    written = written_names() if written is None else written
    for name, current in types.items():
        if (name, schema_number(current)) not in written:
            raise CatalogueError(f"{name}: schema {schema_number(current)} is not in data/wire_names.txt")
    for name, schema in sorted(written):
        kind = types.get(name)
        if kind is None:
            raise CatalogueError(f"{name} was written once and is unknown now")
        for step in range(schema, schema_number(kind)):
            if (name, step) not in upcasters:
                raise CatalogueError(f"{name}: no upcaster from schema {step} to {step + 1}")
