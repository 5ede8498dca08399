"""An action's body: read by the typed records of the rules, which are also its schema."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec

from service.api.problems import escaped, invalid
from service.rules.actions import Action, PlayAction

RECORDS: dict[str, type[Action]] = {str(record.__struct_config__.tag): record for record in get_args(PlayAction)}
"""Every action of a seat by its name."""


def read_action(body: Mapping[str, Any]) -> PlayAction:
    """Read an action.

    Raises:
        Problem: 422 with a pointer to each field at fault.
    """
    try:
        return msgspec.convert(body, PlayAction)  # type: ignore[no-any-return] # a union is no class to mypy
    except msgspec.ValidationError:
        raise invalid(list(_faults(body))) from None


def _faults(body: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    """Find every field at fault; msgspec itself stops at the first."""
    name = body.get("action")
    record = RECORDS.get(name) if isinstance(name, str) else None
    if record is None:
        yield {"pointer": "/action", "detail": f"Must be one of {', '.join(RECORDS)}."}
        return
    fields = {field.name: field for field in msgspec.structs.fields(record)}
    for key in body:
        if key != "action" and key not in fields:
            yield {"pointer": f"/{escaped(key)}", "detail": "Unknown field."}
    for key, field in fields.items():
        if key not in body:
            if field.required:
                yield {"pointer": f"/{key}", "detail": "Missing data for required field."}
        elif detail := _fault(body[key], field.type):
            yield {"pointer": f"/{key}", "detail": detail}


def _fault(value: Any, kind: Any) -> str:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        return f"{error}."
    return ""
