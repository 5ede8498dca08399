"""An action's body: read by the typed records of the rules, which are also its schema."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import marshmallow as ma
import msgspec

from service.api.http.problems import escaped, invalid
from service.rules.actions import Action, PlayAction
from service.rules.rulebooks import ACTIONS
from service.rules.typed_text import TYPED


class ActionBody(ma.Schema):
    """Any object: `read_action` checks it, so that there is one validator and not two.

    Attributes:
        component: Name of its schema in the document, which is made from the rules' own records.
    """

    component = "PlayAction"

    class Meta:
        """Any field passes."""

        unknown = ma.INCLUDE


def read_action(body: Mapping[str, Any]) -> PlayAction:
    """Read an action.

    Raises:
        Problem: 422 with a pointer to each field at fault.
    """
    name = body.get("action")
    record = ACTIONS.get(name) if isinstance(name, str) else None
    if record is None:
        raise invalid([{"pointer": "/action", "detail": f"Must be one of {', '.join(ACTIONS)}."}])
    try:
        # Not into the union of all: msgspec keeps what it learnt of a record, but learns a union again at each call.
        return msgspec.convert(body, record)
    except msgspec.ValidationError:
        raise invalid(list(_faults(body, record))) from None


def _faults(body: Mapping[str, Any], record: type[Action]) -> Iterator[Mapping[str, str]]:
    """Find every field at fault; msgspec itself stops at the first."""
    fields = {field.name: field for field in msgspec.structs.fields(record)}
    for key in body:
        if key != "action" and key not in fields:
            yield {"pointer": f"/{escaped(key)}", "detail": "Unknown field."}
    for key, field in fields.items():
        if key not in body:
            if field.required:
                yield {"pointer": f"/{key}", "detail": "Missing data for required field."}
        elif fault := _fault(body[key], field.type, f"/{key}"):
            yield fault


def _fault(value: Any, kind: Any, pointer: str) -> Mapping[str, str] | None:
    """Find what is wrong with a value, and where within it."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        detail, _, path = str(error).partition(" - at ")
        pointer += "".join(f"/{name or index}" for name, index in _STEP.findall(path))
        if strange := _FIELD.fullmatch(detail):
            unknown, missing = strange.groups()
            detail = "Unknown field" if unknown else "Missing data for required field"
            return {"pointer": f"{pointer}/{escaped(unknown or missing)}", "detail": f"{detail}."}
        if "matching regex" in detail and pointer.rpartition("/")[2] in TYPED:
            detail = "Must not hold control characters"
        return {"pointer": pointer, "detail": f"{detail}."}
    return None


_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
"""A step of the path in a message of msgspec, which begins with `$`; within an object of any keys there is none."""
_FIELD = re.compile(r"Object contains unknown field `(.*)`|Object missing required field `(.*)`", re.DOTALL)
