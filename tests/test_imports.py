"""Imports between files: no two of them need each other, directly or by way of others.

Every import counts: at the top of a file, inside a function, and for type checkers only. `from a import b` is an import
of the file `a.b` where there is one, else of the file `a`.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.test_tidy import ROOMS, ROOT, python

Sources = Mapping[str, str]
"""Text of each file by the dotted name of its module."""


def module_name(path: Path) -> str:
    """The dotted name of a file; of an `__init__.py` that of its package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(source: str, modules: Sources) -> Iterator[str]:
    """The modules among `modules` that a file imports."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.module, "imports are absolute"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in modules else node.module for name in inner]
        yield from (name for name in names if name in modules)


def circles(sources: Sources) -> list[list[str]]:
    """Every group of modules each of which is reached from each other one by imports, in order of name."""
    graph = {name: set(imported(source, sources)) for name, source in sources.items()}
    reached = {name: reachable(graph, name) for name in graph}
    groups = {tuple(sorted(other for other in reached[name] if name in reached[other])) for name in graph}
    return sorted([*group] for group in groups if group)


def reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """What is reached from a module by one import or more."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def test_no_two_files_import_each_other() -> None:
    """The rooms can be read file by file: whatever a file needs can be understood without it."""
    assert circles({module_name(path): path.read_text("utf-8") for path in python(*ROOMS)}) == []


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ({"a": "import b", "b": "import c.d", "c": "", "c.d": "import os"}, []),
        ({"a": "import b", "b": "import a"}, [["a", "b"]]),
        ({"a": "import a"}, [["a"]]),
        ({"a": "from b import x", "b": "from c.d import y", "c.d": "from a import z"}, [["a", "b", "c.d"]]),
        ({"a": "import b", "b": "def f():\n    import a"}, [["a", "b"]]),
        ({"a": "import b", "b": "if TYPE_CHECKING:\n    from a import T"}, [["a", "b"]]),
        ({"p": "from p.a import x", "p.a": "from p.b import y", "p.b": ""}, []),
        ({"p": "from p.a import x", "p.a": "from p import b", "p.b": ""}, []),
        ({"p": "from p.a import x", "p.a": "from p import y"}, [["p", "p.a"]]),
        ({"a": "import b", "b": "import a", "c": "import a\nimport d", "d": "import c"}, [["a", "b"], ["c", "d"]]),
    ],
)
def test_a_planted_circle_is_found(planted: dict[str, str], found: list[list[str]]) -> None:
    """Straight, by way of others, inside a function, for types only, and through the door of one's own package."""
    assert circles(planted) == found


def test_a_supervisor_loads_no_game() -> None:
    """It stays small and starts at once, since a room's `__init__` imports nothing that was not asked for."""
    program = "import sys, service.cli.serve; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [
        name for name in done.stdout.split() if name.startswith(("service.rules", "service.api", "projections."))
    ] == []
