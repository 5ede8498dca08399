"""How wealth is spread: net worths of a moment, and the Gini coefficient of them in whole hundredths of a percent."""

from collections.abc import Iterable

from projections.state.social_justice import SocialJusticeState
from service.rules.social_justice import worth

WHOLE = 10_000
"""A Gini coefficient of 1, as it is counted here: as a whole number, so that sums do not hang on their order."""


def worths_of(state: SocialJusticeState) -> dict[int, int]:
    """Return what each seat is worth now (SJG-3); a seat that is out has nothing."""
    return {
        seat: 0 if citizen.out else worth.net_worth(state, seat) for seat, citizen in sorted(state.citizens.items())
    }


def gini(worths: Iterable[int]) -> int:
    """Return the Gini coefficient: 0 when all have the same, near `WHOLE` when one has everything.

    It is the mean difference between two seats over twice the mean worth, each seat taken with itself too, so that n
    seats come to at most (n - 1) / n. Debts beyond all possessions count as nothing.
    """
    ordered = sorted(max(0, amount) for amount in worths)
    total, n = sum(ordered), len(ordered)
    if not total:
        return 0
    weighed = sum((2 * rank - n - 1) * amount for rank, amount in enumerate(ordered, 1))
    return (2 * weighed * WHOLE + n * total) // (2 * n * total)
