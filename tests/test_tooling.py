"""What a developer calls: make's targets, the hooks before a commit, and the workflow that runs elsewhere.

There is no GitHub where the tests run, so the workflow is read, and each of its commands is looked up.
"""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
TOOLS = Path(sys.executable).parent
TESTING = ["test", "test-fast", "test-long", "coverage"]
TENDING = ["lint", "format", "fix"]
TARGETS = [*TESTING, *TENDING, "setup", "run", "demo", "bench", "lock", "clean", "help"]
REPOSITORIES: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
HOOKS: dict[str, dict[str, Any]] = {hook["id"]: hook for repository in REPOSITORIES for hook in repository["hooks"]}
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())


# --- make


def make(*arguments: str, where: Path = ROOT) -> str:
    """What make prints, as a caller without make around it sees it."""
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"
    }
    command = ["make", *arguments]
    return subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=True).stdout


def test_make_offers_every_target() -> None:
    """`make` alone lists them, each with a line on what it does."""
    assert {line.split()[1] for line in make().splitlines() if len(line.split()) > 3} >= set(TARGETS)


@pytest.mark.parametrize("target", [*TESTING, *TENDING])
def test_a_target_runs_what_the_environment_has(target: str) -> None:
    """Each command is one of the environment's own, and each path among its arguments is there."""
    lines = make("--dry-run", "--old-file=.venv/ready", "--old-file=.venv/tools", "--always-make", target).splitlines()
    commands = [shlex.split(line) for line in lines if ".ci/venv" not in line]
    assert commands
    for program, *arguments in commands:
        assert program.startswith(".venv/bin/")
        assert (TOOLS / Path(program).name).exists(), program
        modules = [name for option, name in pairwise(arguments) if option == "-m" and name != "not long"]
        assert all(importlib.util.find_spec(name) for name in modules), modules
        assert [word for word in arguments if word.startswith("tests/") and not (ROOT / word).exists()] == []


def test_the_fast_tests_need_no_process() -> None:
    """Folders whose tests start a server, a store or a browser are left to `make test`."""
    (line,) = make("--dry-run", "--old-file=.venv/ready", "--old-file=.venv/tools", "test-fast").splitlines()
    slow = {"tests/api", "tests/browser", "tests/integration", "tests/simulation", "tests/workers"}
    assert slow & set(shlex.split(line)) == set()
    assert "tests/scenarios" in shlex.split(line)


@pytest.mark.parametrize(
    ("target", "mended"),
    [
        ("format", "import sys\nimport os\n\nX = (os.sep, sys.path)\n"),
        ("fix", "import os\nimport sys\n\nX = (os.sep, sys.path)\n"),
    ],
)
def test_format_and_fix_mend_a_planted_file(tmp_path: Path, target: str, mended: str) -> None:
    """`format` changes how a file looks; `fix` also mends what the linter can, here the order of imports."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    about, planted = '"""A planted module."""\n\n', tmp_path / "planted.py"
    planted.write_text(f"{about}import sys\nimport os\nX = ( os.sep,sys.path )\n")
    make("--old-file=.venv/ready", "--old-file=.venv/tools", f"BIN={TOOLS}", target, where=tmp_path)
    assert planted.read_text() == about + mended


# --- hooks and workflow


@pytest.mark.parametrize(
    ("hook", "bad", "good"),
    [
        ("ruff", "import os\nimport random\n", '"""A module."""\n'),
        ("ruff-format", "x = 'a'\n", 'x = "a"\n'),
        ("codespell", "# rec" + "ieve\n", "# receive\n"),
        ("whitespace", "x = 1 \n", "x = 1\n"),
        ("whitespace", "x = 1\n\n", "x = 1\n"),
        ("whitespace", "<<<<<<" + "< ours\n", "<<<<<<\n"),
    ],
)
def test_a_hook_finds_what_it_is_for(tmp_path: Path, hook: str, bad: str, good: str) -> None:
    """Each hook's command, run as pre-commit runs it, stops a commit of a planted file and lets its repair pass."""
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    planted = tmp_path / "planted.py"
    passed = []
    for text in (bad, good):
        planted.write_text(text)
        subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
        command = shlex.split(HOOKS[hook]["entry"].replace(".venv/bin/", f"{TOOLS}/"))
        done = subprocess.run([*command, planted.name], cwd=tmp_path, capture_output=True, text=True, check=False)
        passed.append(done.returncode == 0 and planted.read_text() == text)  # a hook that changes a file stops, too
    assert passed == [False, True]


def test_every_hook_is_local_and_tried() -> None:
    """A hook needs nothing but git and the environment that `make setup` makes; the test above knows all of them."""
    assert {repository["repo"] for repository in REPOSITORIES} == {"local"}
    assert {hook["language"] for hook in HOOKS.values()} == {"system"}
    assert {hook["entry"].split()[0].rpartition("/")[0] for hook in HOOKS.values()} == {".venv/bin", ""}
    (marks,) = (mark for mark in test_a_hook_finds_what_it_is_for.pytestmark if mark.name == "parametrize")  # type: ignore[attr-defined] # pytest puts it there
    assert {case[0] for case in marks.args[1]} == set(HOOKS)


def test_the_workflow_runs_what_a_developer_runs() -> None:
    """Linux by `.ci/run` on each Python that is supported, macOS by make; each command is there and may be run."""
    linux = WORKFLOW["jobs"]["linux"]
    pythons = linux["strategy"]["matrix"]["python"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert pythons == ["3.11", "3.12", "3.13", "3.14"]
    assert project["requires-python"] == f">={pythons[0]}"
    assert "${{ matrix.python }}" in linux["container"]
    ran = {name: [step["run"] for step in job["steps"] if "run" in step] for name, job in WORKFLOW["jobs"].items()}
    assert ran == {"linux": [".ci/run"], "macos": ["make lint test"]}
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert "make lint test" in (ROOT / ".ci/run").read_text().splitlines()


def test_the_workflow_may_only_read() -> None:
    """A pull request of a stranger runs with no right to write."""
    assert WORKFLOW["permissions"] == {"contents": "read"}
