"""Set-up: `.ci/venv` makes an environment whole or not at all, and no more of it than is needed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def bare_copy(where: Path) -> Path:
    """Put the set-up script, and what an environment is made from, under a path with a space."""
    where = where / "a clone"
    shutil.copytree(ROOT / ".ci", where / ".ci")
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, where)
    (where / "requirements-dev.lock").write_text("no-such-requirement==1 --hash=md5:0\n")
    return where


def in_bare_copy(where: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command there; no environment is left."""
    where = bare_copy(where)
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    assert not (where / ".venv").exists()
    return done


def fake_python(where: Path, body: str) -> str:
    """A program that answers like some Python."""
    path = where / "fake python"
    path.write_text(f'#!/bin/sh\n{body}\nexec "{sys.executable}" "$@"\n')
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("exit 1", "Python 3.11 or newer is needed"),
        (
            'case "$2" in *ensurepip*) exit 1;; esac',
            f"install the package python{sys.version_info.major}.{sys.version_info.minor}-venv",
        ),
    ],
)
def test_a_python_that_will_not_do_is_named_in_one_line(tmp_path: Path, body: str, words: str) -> None:
    """Too old, or Debian's without its package for this: one line, a failing exit code, nothing left behind."""
    done = in_bare_copy(tmp_path, "sh", ".ci/venv", "project", fake_python(tmp_path, body))
    assert done.returncode != 0
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_failed_setup_leaves_nothing(tmp_path: Path) -> None:
    """The environment is made, the packages cannot be installed: what was made is removed."""
    body = r"""
    [ "$2" = venv ] || exec "$REAL" "$@"
    mkdir -p "$3/bin"
    printf '#!/bin/sh\nexit 7' > "$3/bin/python"
    chmod +x "$3/bin/python"
    exit
    """.replace("$REAL", sys.executable)
    done = in_bare_copy(tmp_path, "sh", ".ci/venv", "project", fake_python(tmp_path, body))
    assert done.returncode == 7
    assert "setting up .venv" in done.stderr


def test_running_needs_no_development_tools(tmp_path: Path) -> None:
    """What `make run` sets up is the run-time lock alone; tools are added to it without making it again."""
    body = r"""
    [ "$2" = venv ] || exec "$REAL" "$@"
    mkdir -p "$3/bin"
    printf '#!/bin/sh\necho "$@" >> asked' > "$3/bin/python"
    chmod +x "$3/bin/python"
    exit
    """.replace("$REAL", sys.executable)
    where = bare_copy(tmp_path)
    python = fake_python(tmp_path, body)
    said = [
        subprocess.run(["sh", ".ci/venv", what, python], cwd=where, capture_output=True, text=True, check=True).stderr
        for what in ("run", "run", "project", "run")
    ]
    asked = re.findall(r"-r (\S+)", (where / "asked").read_text())
    assert asked == ["requirements.lock", ".venv/backend.lock", "requirements-dev.lock"]
    assert "packages from requirements.lock" in said[0]
    assert (said[1], said[3]) == ("", "")
    assert "adding the development tools" in said[2]


def test_two_setups_at_once_make_one_environment(tmp_path: Path) -> None:
    """The second waits for the first, and finds that nothing is left to do."""
    body = r"""
    [ "$2" = venv ] || exec "$REAL" "$@"
    echo made >> made
    sleep 1
    mkdir -p "$3/bin"
    printf '#!/bin/sh\nexit 0' > "$3/bin/python"
    chmod +x "$3/bin/python"
    exit
    """.replace("$REAL", sys.executable)
    where = bare_copy(tmp_path)
    command = ["sh", ".ci/venv", "project", fake_python(tmp_path, body)]
    both = [subprocess.Popen(command, cwd=where, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    told = sorted(process.communicate()[1] for process in both)
    assert [process.returncode for process in both] == [0, 0], told
    assert (where / "made").read_text() == "made\n"
    assert (where / ".venv" / "ready").read_text().strip() == str(where)
    assert "setting up .venv" in told[0]
    assert told[1] == "rollbook: waiting for the set-up that another make began\n"
