"""Every number of the rule catalogue is shown by a test; found by reading them, so that any part can be run alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
CATALOGUE = (TESTS / "rules_catalogue.txt").read_text("utf-8").split()
MARKS = {"rule", "pytest.mark.rule"}


def marked(source: str) -> Iterator[str]:
    """List the numbers that the tests of a module are marked with."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) in MARKS:
                    yield from (str(word.value) for word in mark.args if isinstance(word, ast.Constant))


def shown() -> set[str]:
    """List the numbers that any test is marked with."""
    return {number for path in TESTS.rglob("test_*.py") for number in marked(path.read_text("utf-8"))}


def test_every_rule_is_shown() -> None:
    """A rule without a test is a claim."""
    assert set(CATALOGUE) - shown() == set()


def test_no_test_shows_a_rule_that_is_none() -> None:
    """A mistyped number would hide a gap."""
    assert shown() - set(CATALOGUE) == set()
    assert len(CATALOGUE) == len(set(CATALOGUE))


def test_marks_are_found_on_tests_alone() -> None:
    """A mark on a helper or in a text shows nothing."""
    source = '@rule("PA-1", "PA-2")\ndef test_x(): ...\n@rule("PA-3")\ndef helper(): ...\n"@rule(PA-4)"\n'
    assert list(marked(source)) == ["PA-1", "PA-2"]
    assert list(marked('@pytest.mark.rule("SJG-4a")\ndef test_x(): ...')) == ["SJG-4a"]
