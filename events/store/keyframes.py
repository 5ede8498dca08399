"""Keyframes: a projection's value at some versions of a game, so that any version is near one.

Caches only. A frame carries the fingerprint of the code that made it and a digest of its bytes; one that does not fit
is thrown away, and the projection is folded from the stream instead.
"""

import re
from dataclasses import dataclass
from hashlib import sha256

from events.store.keys import keyframe_key
from events.store.wire import PATIENCE, Client, Wire

_WORD = re.compile(r"[0-9A-Za-z_.-]{1,80}", re.ASCII)
_DIGEST = 32
_LINK = 32


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
    """Keeps keyframes beside the streams."""

    def __init__(self, client: Client, *, patience: float = PATIENCE) -> None:
        self._wire = Wire(client, patience=patience)

    def save(self, game: str, projection: str, *, fingerprint: str, version: int, link: bytes, blob: bytes) -> None:
        """Store value, version and link by one write.

        Raises:
            StoreFull: The store is at its memory limit.
        """
        if not (_WORD.fullmatch(projection) and _WORD.fullmatch(fingerprint) and len(link) == _LINK and version > 0):
            message = "a keyframe has plain names, a link of 32 bytes and a version from 1"
            raise ValueError(message)
        key, field = keyframe_key(game, projection), f"{fingerprint}:{version}"
        value = _digest(key, field, link, blob) + link + blob
        self._wire.run(lambda client: client.execute_command("HSET", key, field, value))

    def nearest(self, game: str, projection: str, *, fingerprint: str, at: int) -> Keyframe | None:
        """Give the newest sound frame at or before a version, and throw away what does not fit."""
        key = keyframe_key(game, projection)
        fields = self._wire.run(lambda client: client.execute_command("HKEYS", key))
        versions, strange = _sorted_out(fields, fingerprint)
        found = None
        for version in sorted((version for version in versions if version <= at), reverse=True):
            found = self._load(key, f"{fingerprint}:{version}", version)
            if found:
                break
            strange.append(f"{fingerprint}:{version}".encode())
        if strange:
            self._wire.run(lambda client: client.execute_command("HDEL", key, *strange))
        return found

    def _load(self, key: str, field: str, version: int) -> Keyframe | None:
        value = self._wire.run(lambda client: client.execute_command("HGET", key, field)) or b""
        link, blob = value[_DIGEST : _DIGEST + _LINK], value[_DIGEST + _LINK :]
        if value[:_DIGEST] != _digest(key, field, link, blob):
            return None
        return Keyframe(version, link, blob)


def _digest(key: str, field: str, link: bytes, blob: bytes) -> bytes:
    """Bind the bytes to their place: a frame copied to another game or version is no frame."""
    return sha256(f"{key} {field} ".encode() + link + blob).digest()


def _sorted_out(fields: list[bytes], fingerprint: str) -> tuple[list[int], list[bytes]]:
    """Part the versions under this fingerprint from the fields that are to go."""
    versions, strange = [], []
    for field in fields:
        name, _, version = field.rpartition(b":")
        if name == fingerprint.encode() and version.isdigit():
            versions.append(int(version))
        else:
            strange.append(field)
    return versions, strange
