"""How whole numbers are spread: means and percentiles from counts."""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct


class Spread(Struct, frozen=True, kw_only=True):
    """How a whole number was spread over games or seats; percentiles by nearest rank."""

    count: int
    mean: float
    least: int
    p5: int
    median: int
    p95: int
    most: int


def spread(counts: Mapping[int, int]) -> Spread | None:
    """Describe values, given as value → how often; None without any."""
    total = sum(counts.values())
    if not total:
        return None
    mean = Fraction(sum(value * times for value, times in counts.items()), total)
    return Spread(
        count=total,
        mean=round(float(mean), 2),
        least=min(counts),
        p5=percentile(counts, 5),
        median=percentile(counts, 50),
        p95=percentile(counts, 95),
        most=max(counts),
    )


def percentile(counts: Mapping[int, int], percent: int) -> int:
    """Return the least value that at least so many percent of all values do not exceed."""
    rank, reached = max(-(-percent * sum(counts.values()) // 100), 1), 0
    for value in sorted(counts):
        reached += counts[value]
        if reached >= rank:
            return value
    raise AssertionError("there are values")
