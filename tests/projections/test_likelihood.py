"""The chance of a chi-square value, against figures known from tables."""

from collections import Counter

import pytest

from projections.likelihood import chi_square, survival

CRITICAL = [
    (6.635, 1, 0.01),
    (9.210, 2, 0.01),
    (11.345, 3, 0.01),
    (15.086, 5, 0.01),
    (23.209, 10, 0.01),
    (45.642, 26, 0.01),
    (48.278, 28, 0.01),
    (11.070, 5, 0.05),
    (18.307, 10, 0.05),
    (20.515, 5, 0.001),
    (9.342, 10, 0.5),
]
"""Value, degrees of freedom, chance: printed tables of the chi-square distribution."""


@pytest.mark.parametrize(("value", "freedom", "chance"), CRITICAL)
def test_the_chance_of_a_chi_square_value(value: float, freedom: int, chance: float) -> None:
    assert survival(value, freedom) == pytest.approx(chance, rel=2e-3)


def test_the_chance_at_the_ends() -> None:
    assert survival(0, 5) == 1
    assert survival(10_000, 28) == 0


def test_chi_square_by_hand() -> None:
    """Sixty dice: (1 + 4 + 0 + 1 + 4 + 0) / 10."""
    found = chi_square(Counter({1: 11, 2: 8, 3: 10, 4: 9, 5: 12, 6: 10}), dict.fromkeys(range(1, 7), 1))
    assert (found.count, found.value, found.freedom) == (60, 1.0, 5)
    assert found.p == pytest.approx(0.9626, abs=1e-4)


def test_chi_square_knows_unequal_weights_and_what_never_came_up() -> None:
    """Expected 30, 20 and 10 of sixty: 0/30 + 100/20 + 100/10."""
    assert chi_square(Counter({"a": 30, "b": 30}), {"a": 3, "b": 2, "c": 1}).value == 15.0


def test_too_few_things_get_no_verdict() -> None:
    """An expected count below five."""
    weights = {"a": 1, "b": 9}
    assert chi_square(Counter({"a": 5, "b": 44}), weights).p is None
    assert chi_square(Counter({"a": 5, "b": 45}), weights).p == 1.0
    assert chi_square(Counter[str](), weights).p is None


def test_what_cannot_come_up_is_a_bug() -> None:
    with pytest.raises(AssertionError):
        chi_square(Counter({7: 1}), dict.fromkeys(range(1, 7), 1))
