"""How likely counts are that fair dice or cards should give: the chi-square test."""

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from msgspec import Struct

LEAST_EXPECTED = 5
"""Below this expected count, a chi-square value says nothing about its chance."""

K = TypeVar("K")


class ChiSquare(Struct, frozen=True, kw_only=True):
    """How far counts lie from what is expected.

    Attributes:
        count: Things counted.
        value: Sum of (observed - expected)² / expected.
        freedom: Degrees of freedom.
        p: Chance of a value at least as large from fair dice or cards; None with too few things for a verdict.
    """

    count: int
    value: float
    freedom: int
    p: float | None


def chi_square(observed: Counter[K], weights: Mapping[K, int]) -> ChiSquare:
    """Compare counts with weights: how likely each thing is against the others."""
    assert set(observed) <= set(weights), "something came up that could not"
    count, whole = observed.total(), sum(weights.values())
    value = sum(
        (Fraction((observed[thing] * whole - count * weight) ** 2, count * weight * whole))
        for thing, weight in weights.items()
        if count
    )
    enough = count * min(weights.values()) >= LEAST_EXPECTED * whole
    freedom = len(weights) - 1
    p = round(survival(float(value), freedom), 4) if enough else None
    return ChiSquare(count=count, value=round(float(value), 2), freedom=freedom, p=p)


def survival(value: float, freedom: int) -> float:
    """Return the chance that a chi-square value is at least this large: the closed forms for whole degrees of freedom.

    Even: e^-h · Σ h^i/i! for i below freedom/2, where h is half the value. Odd: erfc(√h) and the same sum over the
    halves between, with the gamma function for the factorial.
    """
    assert freedom >= 1, "something must be free"
    if value <= 0:
        return 1.0
    half, odd = value / 2, freedom % 2
    terms = (i + odd / 2 for i in range(freedom // 2))
    return odd * math.erfc(math.sqrt(half)) + math.fsum(
        math.exp(power * math.log(half) - half - math.lgamma(power + 1)) for power in terms
    )
