"""Upcasters: how an old shape of an event becomes the next one.

Each is pure: it takes the data of schema n as a plain dict and returns that of n + 1. Stored bytes are never rewritten.

A new word in a closed list (a `Literal`) of an event is a new schema number too, with an upcaster that changes nothing:
an older program then meets a shape that it does not know, instead of one that it knows with a value that looks like
damage.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Data: TypeAlias = dict[str, Any]
Upcasters: TypeAlias = Mapping[tuple[str, int], Callable[[Data], Data]]

UPCASTERS: Upcasters = {}
"""(type, schema) -> step to the next schema. Empty while every type still has its first shape."""


def upcast(data: Data, *, target: int, upcasters: Upcasters = UPCASTERS) -> Data:
    """Return an event's data in the shape numbered `target`, step by step.

    Raises:
        KeyError: A step is missing; `catalogue.check` finds this at start-up.
    """
    while data["schema"] < target:
        step = upcasters[(data["type"], data["schema"])]
        data = {**step(data), "type": data["type"], "schema": data["schema"] + 1}
    return data
