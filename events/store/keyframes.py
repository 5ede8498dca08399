"""Keyframes: a projection's value at some versions of a game, so that any version is near one.

Caches only. A frame carries the fingerprint of the code that made it and an HMAC of its bytes, under a key that does
not lie in the store; one that does not fit is thrown away, and the projection is folded from the stream instead.
Releases that run on one store side by side leave each other's frames alone; those of long-gone ones are cleared away
when a frame is saved.
"""

import hmac
import logging
import re
from dataclasses import dataclass

from events.store.errors import StreamDamaged
from events.store.keys import keyframe_key
from events.store.wire import Wire

_log = logging.getLogger("rollbook.store")
_WORD = re.compile(r"[0-9A-Za-z_.-]{1,80}", re.ASCII)
_DIGEST = 32
_LINK = 32

KEPT = 3
"""Fingerprints that keep frames of a game: two releases during an update, and the one to go back to."""


@dataclass(frozen=True, slots=True)
class Keyframe:
    """A projection's value after the entry of a version.

    Attributes:
        version: That version.
        link: The chain link there: compare it before trusting the frame.
        blob: The value, as the projection wrote it.
    """

    version: int
    link: bytes
    blob: bytes


class Keyframes:
    """Stores keyframes.

    Args:
        wire: The way to the server.
        key: Proves that a frame was made by this service; without one, none is stored and none is found.
    """

    def __init__(self, wire: Wire, key: bytes = b"") -> None:
        self._wire = wire
        self._key = key

    def save(self, game: str, projection: str, *, fingerprint: str, version: int, link: bytes, blob: bytes) -> None:
        """Store value, version and link by one write; then clear away what more than `KEPT` fingerprints left.

        Raises:
            StoreFull: The store is at its memory limit.
        """
        if not (_WORD.fullmatch(projection) and _WORD.fullmatch(fingerprint) and len(link) == _LINK and version > 0):
            message = "a keyframe has plain names, a link of 32 bytes and a version from 1"
            raise ValueError(message)
        if not self._key:
            _log.warning("no keyframe of game %s is made: this process was not given the server key", game)
            return
        key, field = keyframe_key(game, projection), f"{fingerprint}:{version}"
        value = self._digest(key, field, link, blob) + link + blob
        self._wire.ask("HSET", key, field, value)
        fields = self._wire.ask("HKEYS", key)
        self._remove(key, _outdated(fields, fingerprint))

    def nearest(self, game: str, projection: str, *, fingerprint: str, at: int) -> Keyframe | None:
        """Return the newest sound frame at or before a version; damaged ones on the way are thrown away."""
        if not self._key:
            return None
        key = keyframe_key(game, projection)
        fields = self._fields(key)
        found, broken = None, []
        for version in sorted(
            (v for v in _versions(fields).get(fingerprint.encode(), []) if 0 < v <= at), reverse=True
        ):
            found = self._load(key, f"{fingerprint}:{version}", version)
            if found:
                break
            broken.append(f"{fingerprint}:{version}".encode())
        self._remove(key, broken)
        return found

    def _fields(self, key: str) -> list[bytes]:
        """List what is kept under a key; nothing under one of another type."""
        try:
            fields: list[bytes] = self._wire.ask("HKEYS", key)
        except StreamDamaged:
            return []
        return fields

    def _remove(self, key: str, fields: list[bytes]) -> None:
        if fields:
            self._wire.ask("HDEL", key, *fields)

    def _load(self, key: str, field: str, version: int) -> Keyframe | None:
        value = self._wire.ask("HGET", key, field) or b""
        link, blob = value[_DIGEST : _DIGEST + _LINK], value[_DIGEST + _LINK :]
        if not hmac.compare_digest(value[:_DIGEST], self._digest(key, field, link, blob)):
            return None
        return Keyframe(version, link, blob)

    def _digest(self, key: str, field: str, link: bytes, blob: bytes) -> bytes:
        """Bind the bytes to their place: a frame copied to another game or version is no frame."""
        return hmac.digest(self._key, f"{key} {field} ".encode() + link + blob, "sha256")


def _versions(fields: list[bytes]) -> dict[bytes, list[int]]:
    """List the versions of the frames under each fingerprint; what is no frame's name is under 0."""
    found: dict[bytes, list[int]] = {}
    for field in fields:
        name, _, version = field.rpartition(b":")
        found.setdefault(name, []).append(int(version) if version.isdigit() else 0)
    return found


def _outdated(fields: list[bytes], fingerprint: str) -> list[bytes]:
    """List the fields of the fingerprints that go: those whose newest frame is the oldest, never the one given."""
    found = _versions(fields)
    found.pop(fingerprint.encode(), None)
    going = sorted(found, key=lambda name: (max(found[name]), name), reverse=True)[KEPT - 1 :]
    return [field for field in fields if field.rpartition(b":")[0] in going]
