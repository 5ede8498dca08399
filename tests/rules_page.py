"""Make docs/rules.md from the catalogue, the code and the tests: `python -m tests.rules_page`.

Where a rule is written is found by its number in the source of functions and constants of `service/rules`; the tests
that show it are found by their marks. What a rule says, what was decided and which events it gives is in
rules_catalogue.toml.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
ROOT = TESTS.parent
PAGE = ROOT / "docs" / "rules.md"
MARKS = {"rule", "pytest.mark.rule"}
NUMBER = re.compile(r"\b(PA|SJG)-(\d+[a-z]?)(?: to \1-(\d+))?")

HEAD = """# The rules, one by one

Made by `python -m tests.rules_page` from the rule catalogue (`tests/rules_catalogue.toml`), the code and the tests; do
not edit it. The rulebook is authoritative; every sentence here is our own. *Decided* is the answer where the
rulebook leaves a question. Names in code style are options, events, functions of `service/rules` and tests.
"""


@dataclass(frozen=True)
class Rule:
    """A number of the catalogue.

    Attributes:
        number: Such as `PA-15`.
        summary: What the rule says, in a sentence.
        decision: What was decided where the rulebook leaves a question.
        events: Wire names of the events that it gives.
    """

    number: str
    summary: str
    decision: str
    events: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """A test that shows rules.

    Attributes:
        path: Its file below tests.
        name: Of the function.
        about: First line of its docstring, else its name as a sentence.
        numbers: The rules that it is marked with.
    """

    path: str
    name: str
    about: str
    numbers: tuple[str, ...]


@cache
def catalogue() -> dict[str, Rule]:
    """Read every rule, in the order of the catalogue."""
    read = tomllib.loads((TESTS / "rules_catalogue.toml").read_text("utf-8"))
    return {number: _rule(number, entry) for number, entry in read.items()}


def _rule(number: str, entry: dict[str, Any]) -> Rule:
    assert set(entry) == {"summary", "decision", "events"}, number
    return Rule(number, entry["summary"], entry["decision"], tuple(entry["events"]))


def numbers_in(text: str) -> set[str]:
    """List the rules that a text names; `PA-6 to PA-9` names four."""
    found = set()
    for book, first, last in NUMBER.findall(text):
        if last:
            found |= {f"{book}-{number}" for number in range(int(first), int(last) + 1)}
        else:
            found.add(f"{book}-{first}")
    return found


@cache
def written() -> dict[str, list[str]]:
    """Find where each rule is written: `module:function`, or the module where no function names it."""
    functions: dict[str, list[str]] = {}
    modules: dict[str, list[str]] = {}
    folder = ROOT / "service" / "rules"
    for path in sorted(folder.rglob("*.py")):
        source, name = path.read_text("utf-8"), ".".join(path.relative_to(folder).with_suffix("").parts)
        for number in numbers_in(source):
            modules.setdefault(number, []).append(name)
        for place, text in _places(source):
            for number in numbers_in(text):
                functions.setdefault(number, []).append(f"{name}:{place}")
    return {**modules, **functions}


def _places(source: str) -> Iterator[tuple[str, str]]:
    """List what stands at the top of a module with its source; the words after a constant belong to it."""
    body, lines = ast.parse(source).body, source.splitlines()
    for node, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, text
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            words = lines[following.lineno - 1 : following.end_lineno] if isinstance(following, ast.Expr) else []
            yield ast.unparse(target), "\n".join([text, *words])


def shown_in(path: str, source: str) -> Iterator[Shown]:
    """List the marked tests of a module."""
    if not any(mark in source for mark in MARKS):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            numbers = tuple(number for mark in node.decorator_list for number in _marked(mark))
            if numbers:
                about = (ast.get_docstring(node) or _spoken(node.name)).partition("\n")[0]
                yield Shown(path, node.name, about, numbers)


def _spoken(name: str) -> str:
    """Read a test's name as the sentence that it is."""
    return f"{name.removeprefix('test_').replace('_', ' ').capitalize()}."


def _marked(mark: ast.expr) -> Iterator[str]:
    if isinstance(mark, ast.Call) and ast.unparse(mark.func) in MARKS:
        yield from (str(word.value) for word in mark.args if isinstance(word, ast.Constant))


@cache
def shown() -> list[Shown]:
    """List every marked test, by file and place."""
    paths = sorted(TESTS.rglob("test_*.py"))
    return [test for path in paths for test in shown_in(str(path.relative_to(TESTS)), path.read_text("utf-8"))]


def page() -> str:
    """Write the page."""
    return "\n".join([HEAD, *(_section(rule) for rule in catalogue().values())])


def _section(rule: Rule) -> str:
    places = ", ".join(f"`{place}`" for place in written().get(rule.number, []))
    events = ", ".join(f"`{event}`" for event in rule.events)
    tests = [test for test in shown() if rule.number in test.numbers]
    lines = [
        f"## {rule.number}\n",
        f"{rule.summary} *Decided:* {rule.decision}\n",
        f"- Written in: {places or 'nowhere'}",
        f"- Events: {events or 'none'}",
        "- Shown by:",
        *(f"  - `{test.path}::{test.name}` {test.about}".rstrip() for test in tests),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
