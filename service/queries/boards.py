"""Boards and decks: the data files that games are played on, as they pin them."""

from functools import cache
from typing import Literal

from events import data_files
from events.lobby import DataPin
from service.errors import NoSuchBoard
from service.rules.rulebooks import RULES


@cache
def newest() -> dict[str, DataPin]:
    """Return what new games pin, by name."""
    return {pin.name: pin for rules in RULES.values() for pin in rules.pins()}


def published(kind: Literal["board", "deck"], name: str, version: int | None) -> tuple[DataPin, bytes]:
    """Return a board or a deck, byte for byte, and its pin.

    Args:
        kind: Which of both it is.
        name: As games pin it.
        version: As games pin it; None for that of new games.

    Raises:
        NoSuchBoard: This release has none of this name and version.
    """
    pin = newest().get(name)
    is_of_kind = name.endswith("_board") is (kind == "board")
    if pin is None or not is_of_kind or (version or 1) > pin.version:
        raise NoSuchBoard(f"There is no {kind} {name}" + (f" of version {version}." if version else "."))
    if version is not None:
        pin = data_files.pin(name, version)
    return pin, data_files.bytes_of(name, pin.version)
