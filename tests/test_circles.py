"""No file imports itself through others: imports inside functions count too, those for types alone as well."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("service/rules", "service/bots", "service/simulation")


def modules_of(folder: Path) -> dict[str, Path]:
    """The modules below a folder of the project, each with its file."""
    return {name_of(path): path for path in sorted(folder.rglob("*.py"))}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree: ast.AST, known: dict[str, Path]) -> Iterator[str]:
    """The known modules that some code imports; `from a import b` is one of `a.b` where that is a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in known else node.module for name in whole if {name, node.module} & {*known})


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_imports_itself_through_others(folder: str) -> None:
    """A circle is reported with the files on it."""
    known = modules_of(ROOT / folder)
    graph = {name: {*imported(ast.parse(path.read_text()), known)} - {name} for name, path in known.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_an_import_inside_a_function_counts() -> None:
    """The check sees what it is for."""
    known = {"a": ROOT, "a.b": ROOT, "a.c": ROOT}
    code = "def f():\n    from a import b\n    import a.c\n    from a.c import d\n"
    assert [*imported(ast.parse(code), known)] == ["a.b", "a.c", "a.c"]
