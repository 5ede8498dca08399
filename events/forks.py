"""Events of a game that goes on from a moment of another one."""

from typing import Literal

from events.base import Count, Digest, Event


class GameForked(Event, frozen=True, tag="game_forked"):
    """The game is a fork: the events before this happened in its parent, and anyone may take an open seat.

    Every seat of a person is open again and has no name; what is being asked has no deadline until it is answered.

    Attributes:
        parent: Id of the game that the events before this were copied from, all but the first.
        step: The parent's step after which this game goes on.
        version: Version that this step ends with.
        head: The parent's chain link at that version; hex.
        chance: Id of the game whose secret this game has; empty for a secret of its own.
        schema: Number of this shape.
    """

    parent: str
    step: Count
    version: Count
    head: Digest
    chance: str
    schema: Literal[1] = 1
