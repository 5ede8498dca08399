"""Steps looked for: forwards or backwards, by turn, by seat, by kind of event.

A search looks at a bounded stretch of the game for one page, so a page may be short, or empty, while there is more: its
cursor says where the next one begins.
"""

from dataclasses import dataclass

from service.games.loading import Loader
from service.replay.steps import TROUBLES, Step, Walk, start_at

MOST_SCANNED = 1000  # events that one page looks at, and a step more
WINDOW = 200  # events that are looked at forwards, one stretch after the other, to go backwards


@dataclass(frozen=True, slots=True)
class Wanted:
    """What steps must have; without anything all are wanted.

    Attributes:
        turn: An event of this turn.
        seat: This seat acted, or was acted for.
        kind: An event of this type.
    """

    turn: int | None = None
    seat: int | None = None
    kind: str | None = None

    def takes(self, step: Step) -> bool:
        """Tell whether a step is wanted."""
        return (
            (self.turn is None or any(envelope.turn == self.turn for envelope in step.envelopes))
            and (self.seat is None or self.seat in (step.seat, step.asked) or step.actor == f"seat:{self.seat}")
            and (self.kind is None or self.kind in step.kinds)
        )


@dataclass(frozen=True, slots=True)
class Found:
    """A page of steps.

    Attributes:
        steps: In the order asked for.
        cursor: Where the next page begins: the version behind or before which.
        more: There may be more.
    """

    steps: list[Step]
    cursor: int
    more: bool


def forwards(loader: Loader, game: str, wanted: Wanted, *, after: int, limit: int, upto: int) -> Found:
    """Find steps behind a version.

    Args:
        loader: Reads games.
        game: Id of the game.
        wanted: Which.
        after: Version behind which to begin.
        limit: Most steps.
        upto: Version that the steps end by.

    Raises:
        Frozen, UnfitEvent, DamagedEntry: The very next step is damaged; before it, a page ends at the last good one.
    """
    found: list[Step] = []
    cursor = after
    try:
        if after < upto:
            for step in Walk(loader, game, start_at(loader, game, after)).steps(upto=upto):
                if step.first <= after:
                    continue
                cursor = step.last
                if wanted.takes(step):
                    found.append(step)
                if len(found) == limit or cursor - after >= MOST_SCANNED:
                    break
    except TROUBLES:
        if cursor == after:
            raise
    return Found(found, cursor, cursor < upto)


def backwards(loader: Loader, game: str, wanted: Wanted, *, before: int, limit: int, after: int = 0) -> Found:
    """Find steps before a version, the newest first; a stretch that is damaged is passed over.

    Args:
        loader: Reads games.
        game: Id of the game.
        wanted: Which.
        before: Version that they all end before.
        limit: Most steps.
        after: Version that they all come after; inside a step, that step is left out.

    Raises:
        Frozen, UnfitEvent, DamagedEntry: There is no good step before it.
    """
    found: list[Step] = []
    cursor, window = before, WINDOW
    while cursor > after + 1 and len(found) < limit and before - cursor < MOST_SCANNED:
        start = max(after, cursor - 1 - window)
        part = _good(loader, game, start, cursor - 1)
        if not part and start > after:  # a long step, or damage
            window *= 2
            continue
        for step in reversed(part):
            cursor = step.first
            if wanted.takes(step):
                found.append(step)
            if len(found) == limit:
                break
        if not part:
            return Found(found, cursor, more=False)
    return Found(found, cursor, cursor > after + 1)


def _good(loader: Loader, game: str, start: int, upto: int) -> list[Step]:
    """List the steps of a stretch, up to what is damaged."""
    steps: list[Step] = []
    try:
        steps.extend(
            step for step in Walk(loader, game, start_at(loader, game, start)).steps(upto=upto) if step.first > start
        )
    except TROUBLES:
        if not steps and not start:
            raise
    return steps
