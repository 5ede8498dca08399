"""What the rules ask of chance.

Chance is an input. Each outcome is asked for at a coordinate that is unique in its game, so that a retry, a restart or
an auditor meets the same faces. After the first draw of an action nothing may be refused any more.
"""

from typing import Protocol


class Dice(Protocol):
    """Something that answers for chance."""

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        """Throw `count` dice; each face is from 1 to `sides`."""

    def pick(self, coordinate: str, *, among: int) -> int:
        """Choose one of `among` equally likely things; from 0."""


class FirstDraw(Exception):
    """A dry run came to its first draw: it stops here, since it must not look ahead."""


class NoDice:
    """The dice of a dry run: the first draw ends it."""

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        """Stop the dry run."""
        raise FirstDraw(f"{coordinate}: {count} dice of {sides}")

    def pick(self, coordinate: str, *, among: int) -> int:
        """Stop the dry run."""
        raise FirstDraw(f"{coordinate}: one of {among}")
