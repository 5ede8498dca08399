"""Means and percentiles."""

import pytest

from service.simulation.spread import percentile, spread


def test_a_spread() -> None:
    found = spread({10: 1, 20: 2, -5: 1})
    assert found is not None
    assert (found.count, found.mean, found.least, found.median, found.most) == (4, 11.25, -5, 10, 20)
    assert spread({}) is None


@pytest.mark.parametrize(("percent", "value"), [(0, 1), (1, 1), (5, 5), (50, 50), (95, 95), (100, 100)])
def test_percentiles_by_nearest_rank(percent: int, value: int) -> None:
    assert percentile(dict.fromkeys(range(1, 101), 1), percent) == value
