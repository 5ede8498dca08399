"""What may stand in a path. What does not look like an id is an unknown path, before any store is asked."""

from typing import Any, ClassVar

from flask import Flask
from werkzeug.routing import BaseConverter


class GameId(BaseConverter):
    """A game's id."""

    regex = "[0-9a-z]{1,40}"
    schema: ClassVar[dict[str, Any]] = {"type": "string", "pattern": "^[0-9a-z]{1,40}$"}


class SeatNumber(BaseConverter):
    """Number of a seat, from 1, in plain digits."""

    regex = "[1-8]"
    schema: ClassVar[dict[str, Any]] = {"type": "integer", "minimum": 1, "maximum": 8}

    def to_python(self, value: str) -> int:
        """Read it."""
        return int(value)


class Number(BaseConverter):
    """A number from 1, in plain digits."""

    regex = "[1-9][0-9]{0,14}"
    schema: ClassVar[dict[str, Any]] = {"type": "integer", "minimum": 1}

    def to_python(self, value: str) -> int:
        """Read it."""
        return int(value)


class JobId(BaseConverter):
    """Id of a background job about a game."""

    regex = "[a-z_]{1,40}-[0-9a-z]{1,40}"
    schema: ClassVar[dict[str, Any]] = {"type": "string", "pattern": "^[a-z_]{1,40}-[0-9a-z]{1,40}$"}


class TextDigest(BaseConverter):
    """Digest of a typed-in text, as events name it."""

    regex = "[0-9a-f]{64}"
    schema: ClassVar[dict[str, Any]] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


class DataName(BaseConverter):
    """A board or a deck, by the name that games pin."""

    regex = "[a-z_]{1,40}"
    schema: ClassVar[dict[str, Any]] = {"type": "string", "pattern": "^[a-z_]{1,40}$"}


CONVERTERS: dict[str, type[GameId | SeatNumber | Number | JobId | TextDigest | DataName]] = {
    "game": GameId,
    "seat": SeatNumber,
    "number": Number,
    "job": JobId,
    "digest": TextDigest,
    "data": DataName,
}


def register(app: Flask) -> None:
    """Make them known to the paths of an application."""
    app.url_map.converters.update(CONVERTERS)
