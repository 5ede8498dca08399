"""Rules in force, proposals and votes."""

from msgspec import Struct


class Politics(Struct, kw_only=True):
    """The political part of a game's state."""

    def anew(self) -> "Politics":
        """Give one of its own to somebody who will change it."""
        return Politics()
