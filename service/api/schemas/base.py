"""What every schema is made of. Nothing that a schema does not name is taken."""

from typing import Any

import marshmallow as ma
from marshmallow.validate import Length

from service.api.schemas import fields as f
from service.api.schemas.fields import Flag


class Strict(ma.Schema):
    """Refuses what it does not name."""

    class Meta:
        """Fields that are not known are refused."""

        unknown = ma.RAISE


class NoQuery(Strict):
    """A route without parameters."""


class NoBody(Strict):
    """No body, or an empty object."""


class AtQuery(Strict):
    """Which version to show: by its number, or the newest as of a time."""

    at = f.QueryWhole(least=1, metadata={"description": "Version; the newest without it."})
    time = f.QueryWhole(least=0, metadata={"description": "The newest version as of this time (UTC, ms)."})

    @ma.validates_schema
    def check_one(self, query: dict[str, Any], **_options: Any) -> None:
        """Refuse both together."""
        if "at" in query and "time" in query:
            raise ma.ValidationError("Ask for a version or for a time.", "time")


def text(about: str = "") -> ma.fields.String:
    """A string that is always there."""
    return ma.fields.String(required=True, metadata={"description": about} if about else {})


def whole(about: str = "") -> ma.fields.Integer:
    """A whole number that is always there."""
    return ma.fields.Integer(required=True, metadata={"description": about} if about else {})


def flag(about: str = "") -> Flag:
    """A boolean that is always there."""
    return Flag(required=True, metadata={"description": about} if about else {})


def many(inner: type[ma.Schema] | ma.fields.Field[Any]) -> ma.fields.List[Any]:
    """A list that is always there."""
    return ma.fields.List(ma.fields.Nested(inner) if isinstance(inner, type) else inner, required=True)


def mapping(about: str, values: type[ma.fields.Field[Any]] = ma.fields.String) -> ma.fields.Dict:
    """An object of any keys that is always there."""
    return ma.fields.Dict(keys=ma.fields.String(), values=values(), required=True, metadata={"description": about})


def texts() -> ma.fields.Dict:
    """Typed-in texts by digest."""
    return mapping(
        "Typed-in texts by digest; [erased] for one that was erased, [missing] for another that is not here."
    )


def names() -> ma.fields.Dict:
    """Names of the seats."""
    return mapping(
        "Names of seats that have one, by seat; [erased] for one that was erased, [missing] for one that is not here."
    )


def page_before() -> ma.fields.String:
    """Cursor in a query."""
    return ma.fields.String(validate=Length(1, 400), metadata={"description": "`next` of the page before."})


def next_page() -> ma.fields.String:
    """Cursor in an answer; null where a list ends."""
    return ma.fields.String(required=True, allow_none=True, metadata={"description": "Cursor of the next page."})
