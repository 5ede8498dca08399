"""What lists show of a game, written by the script that appends."""

from typing import Any

import msgspec

from projections.evolve import AnyState


def is_private(line: bytes) -> bool:
    """Read from a game's line whether it is private; one that does not say counts as private."""
    try:
        return msgspec.json.decode(line, type=dict[str, Any]).get("private") is not False
    except msgspec.DecodeError:
        return True


def summary(state: AnyState) -> bytes:
    """Write a game's line of the games index as JSON."""
    line = {
        "created": state.created,
        "rulebook": state.__struct_config__.tag,
        "status": state.status,
        "places": state.places,
        "seats": len(state.seats),
        "private": state.private,
        "known_secret": state.known_secret,
        "parent": state.parent,
        "turn": state.turn,
        "version": state.version,
    }
    return msgspec.json.encode(line, order="sorted")
