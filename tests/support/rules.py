"""`rule`: marks which numbers of the rule catalogue a test shows; `tests/test_rules_covered.py` counts them."""

import pytest


def rule(*numbers: str) -> pytest.MarkDecorator:
    """Mark a test with the numbers of the rules that it shows, such as `PA-15`."""
    assert numbers, "a mark without a number shows nothing"
    return pytest.mark.rule(*numbers)
