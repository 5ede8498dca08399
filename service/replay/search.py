"""Search for steps, forwards or backwards: by turn, by seat, by kind of event.

For one page a search reads a bounded part of the game. So a page may be short, or empty, while there is more; its
cursor is where the next one begins.
"""

from dataclasses import dataclass

from service.games.loading import Loader
from service.replay.steps import TROUBLES, Step, StepReader, start_at

MOST_SCANNED = 1000  # events that are read for one page, and a step more
WINDOW = 200  # events that are read at once to go backwards


@dataclass(frozen=True, slots=True)
class StepFilter:
    """What steps must have; an empty field (None) passes all.

    Attributes:
        turn: An event of this turn.
        seat: This seat acted, or was acted for.
        kind: An event of this type.
    """

    turn: int | None = None
    seat: int | None = None
    kind: str | None = None

    def passes(self, step: Step) -> bool:
        """Return whether a step is wanted."""
        return (
            (self.turn is None or any(envelope.turn == self.turn for envelope in step.envelopes))
            and (self.seat is None or self.seat in (step.seat, step.asked) or step.actor == f"seat:{self.seat}")
            and (self.kind is None or self.kind in step.kinds)
        )


@dataclass(frozen=True, slots=True)
class StepPage:
    """A page of steps.

    Attributes:
        steps: In the order of the search.
        cursor: Version after which, or before which, the next page begins.
        more: There may be more.
    """

    steps: list[Step]
    cursor: int
    more: bool


def forwards(loader: Loader, game: str, wanted: StepFilter, *, after: int, limit: int, upto: int) -> StepPage:
    """Find steps after a version.

    Args:
        loader: Reads games.
        game: Id of the game.
        wanted: What they must have.
        after: Version after which to begin.
        limit: Most steps.
        upto: Version that the steps end by.

    Raises:
        Frozen, UnfitEvent, DamagedEntry: The very next step is damaged; before it, a page ends at the last good one.
    """
    found: list[Step] = []
    cursor = after
    try:
        if after < upto:
            for step in StepReader(loader, game, start_at(loader, game, after)).steps(upto=upto):
                if step.first <= after:
                    continue
                cursor = step.last
                if wanted.passes(step):
                    found.append(step)
                if len(found) == limit or cursor - after >= MOST_SCANNED:
                    break
    except TROUBLES:
        if cursor == after:
            raise
    return StepPage(found, cursor, cursor < upto)


def backwards(loader: Loader, game: str, wanted: StepFilter, *, before: int, limit: int, after: int = 0) -> StepPage:
    """Find steps before a version, the newest first; a damaged part is passed over.

    Args:
        loader: Reads games.
        game: Id of the game.
        wanted: What they must have.
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
            if wanted.passes(step):
                found.append(step)
            if len(found) == limit:
                break
        if not part:
            return StepPage(found, cursor, more=False)
    return StepPage(found, cursor, cursor > after + 1)


def _good(loader: Loader, game: str, start: int, upto: int) -> list[Step]:
    """List the steps of a part of the game, up to the first damage."""
    steps: list[Step] = []
    try:
        steps.extend(
            step
            for step in StepReader(loader, game, start_at(loader, game, start)).steps(upto=upto)
            if step.first > start
        )
    except TROUBLES:
        if not steps and not start:
            raise
    return steps
