"""Versions of the rules: which ones this program can play, and a fingerprint of the code that is one.

A change of behaviour raises `NEWEST`, joins `SUPPORTED`, and is a branch on `play.state.rules` in the module of its
subject. New games take the newest; a running game goes on under its own number and is executed again under it. The
golden games (`tests/golden`) fail when a behaviour changes without a new number.
"""

from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable

NEWEST = 1
SUPPORTED = frozenset({1})


def _files(folder: Traversable, suffix: str) -> list[Traversable]:
    found = []
    for item in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if item.is_dir():
            found += _files(item, suffix)
        elif item.name.endswith(suffix):
            found.append(item)
    return found


@cache
def fingerprint() -> str:
    """Hash the rules' code and the data files, in hex; recorded in `game_created` for the audit."""
    digest = sha256()
    for folder, suffix in ((resources.files("service.rules"), ".py"), (resources.files("events"), ".json")):
        for item in _files(folder, suffix):
            digest.update(item.name.encode() + b"\x00" + item.read_bytes())
    return digest.hexdigest()
