"""A wheel that is installed as pipx and uv do it: into an environment of its own, used from any folder."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.support.serving import ROOT


@pytest.mark.long
def test_a_wheel_serves_from_any_folder(tmp_path: Path) -> None:
    """It has every file that it needs; the packages that it depends on are those of this environment."""
    source = tmp_path / "source"
    for room in ("events", "projections", "service", "workers"):
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(source)]
    subprocess.run(build, check=True, cwd=tmp_path)
    venv.create(tmp_path / "own")
    python = tmp_path / "own" / "bin" / "python"
    (wheel,) = tmp_path.glob("*.whl")
    subprocess.run([*pip, "--python", str(python), "install", "--no-deps", str(wheel)], check=True, cwd=tmp_path)
    (packages,) = (tmp_path / "own").glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    strange = tmp_path / "strange"
    strange.mkdir()
    command = [str(python.with_name("rollbook")), "serve", "--port", "0", "--workers", "1"]
    with subprocess.Popen(command, cwd=strange, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        first = running.stdout.readline()
        running.terminate()
    assert first.startswith("Rollbook is ready at"), first
    assert (strange / "rollbook-data" / "server.key").exists()
