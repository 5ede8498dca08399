"""Data files: boards and decks as they are published, found by name and version and pinned by their content.

A published file is never edited: a game pins name, version and SHA-256 of each file that it is played on. A new board
is a new file with a higher version.
"""

from hashlib import sha256
from importlib import resources
from typing import TypeVar

import msgspec

from events.lobby import DataPin

Content = TypeVar("Content")


class BoardError(Exception):
    """A data file breaks a promise that the rules rely on."""


def bytes_of(name: str, version: int) -> bytes:
    """Read a data file."""
    return resources.files("events").joinpath("data", f"{name}_v{version}.json").read_bytes()


def pin(name: str, version: int) -> DataPin:
    """Pin a data file by its content."""
    return DataPin(name=name, version=version, sha256=sha256(bytes_of(name, version)).hexdigest())


def read(name: str, version: int, kind: type[Content]) -> Content:
    """Decode a data file.

    Raises:
        BoardError: It is not written as its kind is.
    """
    try:
        return msgspec.json.decode(bytes_of(name, version), type=kind)
    except msgspec.DecodeError as error:
        raise BoardError(f"{name} v{version}: {error}") from error


def require(holds: bool, what: str) -> None:
    """Insist on a promise of a data file.

    Raises:
        BoardError: It is broken.
    """
    if not holds:
        raise BoardError(what)
