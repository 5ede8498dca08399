"""Fields of bodies, queries and answers that marshmallow's own do not read strictly enough."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

import marshmallow as ma

from events.base import OptionValue
from service.games import names

LARGEST = 2**53 - 1
MOST_NAME = 80
_WHOLE = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)


def left_out() -> None:
    """Stand for a field that was left out; a function, so that the document shows no default that would be refused."""


class Whole(ma.fields.Integer):
    """A JSON integer in a body; `2.5`, `"2"` and `true` are none."""

    default_error_messages = {"invalid": "Must be a whole number."}  # noqa: RUF012 - as in marshmallow

    def __init__(self, *, least: int, most: int = LARGEST, **options: Any) -> None:
        super().__init__(strict=True, validate=ma.validate.Range(least, most), **options)


class QueryWhole(ma.fields.Integer):
    """A whole number in a query, in plain digits: no sign, no separator, no leading zero, no other script."""

    default_error_messages = {"invalid": "Must be a whole number in plain digits."}  # noqa: RUF012 - as in marshmallow

    def __init__(self, *, least: int, most: int = LARGEST, **options: Any) -> None:
        super().__init__(validate=ma.validate.Range(least, most), **options)

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> int:
        if not isinstance(value, str) or not _WHOLE.fullmatch(value):
            raise self.make_error("invalid", input=value)
        return int(value)


class Flag(ma.fields.Boolean):
    """A JSON boolean in a body; `1` and `"yes"` are none."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class QueryFlag(ma.fields.Boolean):
    """`true` or `false` in a query."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> bool:
        if value not in ("true", "false"):
            raise self.make_error("invalid", input=value)
        return bool(value == "true")


class Name(ma.fields.String):
    """A name that a person types in: 1 to 80 characters that can be seen. It is kept in Unicode's form C."""

    def __init__(self, **options: Any) -> None:
        super().__init__(validate=[ma.validate.Length(1, MOST_NAME), _sound], **options)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        return unicodedata.normalize("NFC", super()._deserialize(value, *args, **kwargs))


def _sound(name: str) -> None:
    if fault := names.fault(name):
        raise ma.ValidationError(fault)


class Hex(ma.fields.String):
    """Bytes in lower-case hex."""

    def __init__(self, *, least: int, most: int, **options: Any) -> None:
        pattern = f"^(?:[0-9a-f]{{2}}){{{least},{most}}}$"
        metadata = {"pattern": pattern, **options.pop("metadata", {})}
        super().__init__(validate=ma.validate.Regexp(pattern.replace("$", r"\Z")), metadata=metadata, **options)


_PLAIN = {"type": ["integer", "boolean", "string", "null"]}
OPTION = {"anyOf": [_PLAIN, {"type": "array", "items": _PLAIN}]}
"""JSON Schema of an option's value."""


class Options(ma.fields.Dict):
    """Options by name; the rules check which there are and what they may be."""

    def __init__(self, *, metadata: Mapping[str, Any] | None = None, **options: Any) -> None:
        shape = {"additionalProperties": OPTION, **(metadata or {})}
        super().__init__(keys=ma.fields.String(), metadata=shape, **options)

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> dict[str, OptionValue]:
        found: dict[str, Any] = super()._deserialize(value, attr, data, **kwargs)  # type: ignore[no-untyped-call] # marshmallow leaves it untyped
        strange = [name for name, option in found.items() if not _is_option(option)]
        if strange:
            why = "Must be a whole number, a boolean, a string, null, or a list of these."
            raise ma.ValidationError({name: [why] for name in strange})
        return found


def _is_option(value: object) -> bool:
    return all(isinstance(one, int | str | None) for one in (value if isinstance(value, list) else [value]))


class Component(ma.fields.Raw):
    """A value whose schema is a component of the document, made from a typed record.

    Attributes:
        component: Its name there.
    """

    def __init__(self, component: str, **options: Any) -> None:
        super().__init__(**options)
        self.component = component
