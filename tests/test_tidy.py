"""Style as a test: what ruff and mypy cannot say of the house rules.

Each rule is a function from a file's text to its findings, so that the last test here can show that every one of them
finds what it is for.
"""

import ast
import io
import json
import os
import re
import subprocess
import tokenize
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("events", "projections", "service", "workers")
MODULE_LINES = 400
FUNCTION_LINES = 60

TOP_LEVEL = {
    *ROOMS,
    *("tests", "docs", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "Makefile"),
    *("Dockerfile", "docker-compose.yml", "requirements.lock", "requirements-dev.lock"),
    *(".ci", ".github", ".dockerignore", ".gitignore", ".gitattributes", ".editorconfig", ".pre-commit-config.yaml"),
}
TEXT = {".py", ".md", ".toml", ".yml", ".yaml", ".json", ".lua", ".html", ".css", ".js", ".lock", ""}
BANNED_CALLS = {
    "datetime.datetime.now",
    "datetime.datetime.utcnow",
    "time.time",
    "time.time_ns",
    "random",
}

# Each pattern is written so that it does not match itself: this file is checked like every other.
EXEMPTION = re.compile(
    r"(?:ruff: ?)?no[q]a(?::\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*)?"
    r"|type: ?ignor[e](?:\[[\w,\s-]*\])?"
    r"|pragma: ?no (?:cover|branch)"
)
UNFINISHED = re.compile(r"\b(?:TO[D]O|FIX[M]E|X{3}|NotImplemented[E]rror)\b")
REGISTRY = re.compile(r"pypi\.[o]rg|pythonhosted\.[o]rg|registry\.npm[j]s|deb\.debian\.[o]rg|--(?:extra-)?index-u[r]l")
MACHINE_PATH = re.compile(
    r"(?<![\w.{}*])/(?:roo[t]|hom[e]|User[s]|wor[k])/[\w.]|/opt/(?:pyp[i]|wheel[s])|/tmp/[\w-]+/(?:bi[n]|li[b])/"
)

Rule = Callable[[str], Iterator[str]]


def files() -> list[Path]:
    """Every file of the project: what git would commit or, outside a checkout, what is there and not made by a tool."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (ROOT / ".git").exists():
        names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=False).stdout.split("\0")
        if found := [ROOT / name for name in names if name and (ROOT / name).is_file()]:
            return found
    return list(walk())


def walk() -> Iterator[Path]:
    """The same without git, by the plain names in .gitignore."""
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines() if line]
    for folder, folders, names in os.walk(ROOT):
        here = Path(folder)
        folders[:] = [name for name in folders if name != ".git" and not any(Path(name).match(p) for p in ignored)]
        yield from (here / name for name in names if not any(Path(name).match(p) for p in ignored))


def python(*folders: str) -> list[Path]:
    """The Python files below these folders of the project."""
    return [path for path in files() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders]


def findings(paths: list[Path], rule: Rule) -> list[str]:
    """What `rule` finds in these files, with the file's name in front."""
    return [f"{path.relative_to(ROOT)}: {found}" for path in paths for found in rule(path.read_text("utf-8"))]


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Line number and text of each comment."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def long_modules(source: str) -> Iterator[str]:
    if (lines := len(source.splitlines())) > MODULE_LINES:
        yield f"{lines} lines"


def long_functions(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{node.name}: {lines} lines"


def bare_exemptions(source: str) -> Iterator[str]:
    """Exemptions from a lint with less than two words of reason beside them."""
    if not EXEMPTION.search(source):
        return
    for line, comment in comments(source):
        if EXEMPTION.search(comment) and len(re.findall(r"[^\W\d_]{2,}", EXEMPTION.sub("", comment))) < 2:
            yield f"line {line}: {comment}"


def matches(pattern: re.Pattern[str]) -> Rule:
    """The rule that nothing matches `pattern`."""

    def rule(text: str) -> Iterator[str]:
        for number, line in enumerate(text.splitlines(), start=1):
            if found := pattern.search(line):
                yield f"line {number}: {found.group()}"

    return rule


def floats(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield f"line {node.lineno}: {node.value}"


def floats_in_data(text: str) -> Iterator[str]:
    found: list[str] = []
    json.loads(text, parse_float=found.append, parse_constant=found.append)
    yield from found


def money_written(source: str) -> Iterator[str]:
    """Places where a balance is written, or a payment recorded."""
    if "cash" not in source and "MoneyMoved" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Subscript) and ast.unparse(target.value).split(".")[-1] == "cash":
                    yield f"line {node.lineno}: {ast.unparse(target)}"
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "MoneyMoved":
            yield f"line {node.lineno}: a payment"


def hidden_tests(source: str) -> Iterator[str]:
    """Tests expected to fail, and tests left out for another reason than a tool that is not installed."""
    if not re.search("xfail|importorskip|skip", source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in {"xfail", "importorskip"}:
            yield f"line {node.lineno}: {node.attr}"
        if isinstance(node, ast.Attribute) and node.attr == "skip" and ast.unparse(node.value) == "pytest.mark":
            yield f"line {node.lineno}: an unconditional skip"
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"pytest.skip", "pytest.mark.skipif"}:
            words = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
            if not any("is not installed" in text for text in words):
                yield f"line {node.lineno}: a skip whose reason is no missing tool"


def test_modules_and_functions_are_small() -> None:
    """A module has at most 400 lines, a function outside the tests at most 60."""
    assert findings(python(*ROOMS, "tests"), long_modules) == []
    assert findings(python(*ROOMS), long_functions) == []


def test_every_exemption_has_its_reason() -> None:
    """Who switches a check off for a line says why on that line."""
    assert findings(python(*ROOMS, "tests"), bare_exemptions) == []


def test_nothing_is_left_for_later() -> None:
    """No notes to oneself, no half-written functions."""
    assert findings([path for path in files() if path.suffix in TEXT], matches(UNFINISHED)) == []


def test_no_test_is_hidden() -> None:
    """A test runs, or a tool is missing: no expected failures, no other skips."""
    assert findings(python("tests"), hidden_tests) == []


def test_events_know_no_floats() -> None:
    """Money and everything else on the stream is a whole number, in code and data; only the store may wait 0.1 s."""
    data = [path for path in files() if path.suffix == ".json" and path.relative_to(ROOT).parts[0] == "events"]
    assert findings([path for path in python("events") if "store" not in path.parts], floats) == []
    assert findings(data, floats_in_data) == []


def test_money_is_moved_in_one_place() -> None:
    """One function records payments, one handler books them; a game begins with nothing. No other may."""
    found = Counter(finding.split(":")[0] for finding in findings(python(*ROOMS), money_written))
    assert found == {
        "events/examples/events.py": 1,
        "service/rules/play.py": 1,
        "projections/evolve/lobby.py": 1,
        "projections/evolve/play.py": 2,
    }


def test_files_name_no_registry_and_no_machine() -> None:
    """A clone works anywhere: no file says where packages come from or where anyone's folders lie."""
    texts = [path for path in files() if path.suffix in TEXT]
    assert findings(texts, matches(REGISTRY)) == []
    assert findings(texts, matches(MACHINE_PATH)) == []


def test_top_level_holds_only_what_is_agreed() -> None:
    """Four rooms, their tests and documents, and what tools need."""
    assert {path.relative_to(ROOT).parts[0] for path in files()} - TOP_LEVEL == set()


def test_clock_and_chance_are_banned_by_ruff() -> None:
    """The ban is configured, switched on, and lifted for the clock, the dice, the bots and the tests alone."""
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    lifted = {files for files, rules in lint["per-file-ignores"].items() if {"TID", "TID251"} & set(rules)}
    assert "TID" in lint["select"]
    assert lint["flake8-tidy-imports"]["banned-api"].keys() >= BANNED_CALLS
    assert lifted <= {"tests/**", "service/games/clock.py", "service/games/chance.py", "service/bots/*.py"}


def test_files_are_found_with_and_without_git() -> None:
    """Outside a checkout, as in an unpacked archive, the rules look at the same files."""
    assert Path(__file__).resolve() in files()
    assert set(files()) <= set(walk())


@pytest.mark.parametrize(
    ("rule", "bad", "good"),
    [
        (long_modules, "x = 1\n" * 401, "x = 1\n" * 400),
        (long_functions, "def f():\n" + "    x = 1\n" * 60, "def f():\n" + "    x = 1\n" * 59),
        (bare_exemptions, "x = 1  # no" + "qa: S101", "x = 1  # no" + "qa: S101 - the caller checked"),
        (bare_exemptions, "x = 1  # type: " + "ignore[misc]", "x = 1  # type: " + "ignore[misc]  # no stubs exist"),
        (bare_exemptions, "x = 1  # pragma: " + "no cover", "x = '# pragma: " + "no cover'"),
        (matches(UNFINISHED), "# TO" + "DO", "# to do"),
        (matches(UNFINISHED), "raise NotImplemented" + "Error", "return NotImplemented"),
        (matches(REGISTRY), "https://pypi" + ".org/simple", "https://example.org/simple"),
        (matches(MACHINE_PATH), "see /home" + "/ann/x", "GET /v1/games/home/x"),
        (floats, "x = 1.0", "x = 10 // 3"),
        (floats_in_data, '{"a": [1.5]}', '{"a": ["1.5", 2]}'),
        (money_written, "state.cash[who] += 1", "state.cards[who] += 1"),
        (money_written, "play.record(MoneyMoved(amount=1))", "isinstance(event, MoneyMoved)"),
        (hidden_tests, "@pytest.mark.xfail\ndef test(): ...", "xfail = 1"),
        (hidden_tests, "@pytest.mark.skip\ndef test(): ...", "@pytest.mark.long\ndef test(): ..."),
        (hidden_tests, "pytest.skip('slow')", "pytest.skip('hledger is not installed')"),
    ],
)
def test_every_rule_finds_what_it_is_for(rule: Rule, bad: str, good: str) -> None:
    """Each rule finds the smallest breach and lets its nearest lawful neighbour pass."""
    assert list(rule(bad))
    assert not list(rule(good))
