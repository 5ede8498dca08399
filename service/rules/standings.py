"""The ranking at the end of a game."""

from collections.abc import Sequence

from msgspec.structs import replace

from events.lobby import Standing


def ranked(lines: Sequence[Standing]) -> tuple[Standing, ...]:
    """Order lines by score, best first, and give each its rank; equal scores share one (PA-51, SJG-3).

    Lines of rank 0 are of seats that left or are out: they keep it and come last, in the order given.
    """
    placed = sorted((line for line in lines if line.rank), key=lambda line: (-line.score, line.seat))
    scores = [line.score for line in placed]
    return (
        *(replace(line, rank=scores.index(line.score) + 1) for line in placed),
        *(line for line in lines if not line.rank),
    )
