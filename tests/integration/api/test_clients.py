"""Clients that were generated from the OpenAPI document, as docs/clients/ shows it, against a real server."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from service.api.schemas.games import RULEBOOKS
from service.limits import Limits
from tests.integration.api.conftest import gunicorn
from tests.support.valkey import valkey

CLIENTS = Path(__file__).parents[3] / "docs" / "clients"
NODE = 18
UNREACHABLE = re.compile("ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED")


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that takes as many requests with a token as it usually does: a bot that never rests must wait."""
    usual = {"rate_per_token": Limits().rate_per_token}
    data = tmp_path_factory.mktemp("data")
    with valkey(tmp_path_factory.mktemp("store")) as store, gunicorn(store, data, limits=usual) as url:
        yield url


def run(folder: Path, *command: str | Path) -> str:
    """Run a command in a folder; it must succeed. Gives what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def fetch(base: str, folder: Path) -> None:
    """Put the server's document into a folder with the bots."""
    shutil.copytree(CLIENTS, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules"))
    (folder / "openapi.json").write_bytes(requests.get(f"{base}/openapi.json", timeout=30).content)


@pytest.fixture(scope="module")
def in_python(base: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Generate the client for Python; gives the folder and what the generator said."""
    folder = tmp_path_factory.mktemp("python")
    fetch(base, folder)
    # Formatting 800 files would take longer than all else.
    (folder / "config.yml").write_text("post_hooks: []\n")
    generate = Path(sys.executable).with_name("openapi-python-client")
    options = ("--path", "openapi.json", "--meta", "none", "--output-path", "rollbook_client", "--config", "config.yml")
    return folder, run(folder, generate, "generate", *options)


@pytest.fixture(scope="module")
def in_typescript(base: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install what is locked, and generate the types for TypeScript."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("npm is not installed")
    if int(run(CLIENTS, node, "--version").strip("v").partition(".")[0]) < NODE:
        pytest.skip(f"node {NODE} or newer is not installed")
    folder = tmp_path_factory.mktemp("typescript")
    fetch(base, folder)
    installed = subprocess.run(
        [npm, "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True, check=False
    )
    if installed.returncode and UNREACHABLE.search(installed.stderr):
        pytest.skip("openapi-typescript is not installed, and no registry of npm packages can be reached")
    assert installed.returncode == 0, installed.stderr
    run(folder, npm, "run", "generate")
    return folder


def test_the_document_makes_a_python_client(in_python: tuple[Path, str]) -> None:
    """Everything is in it but the bundle: the generator reads no NDJSON."""
    folder, said = in_python
    assert re.findall(r"WARNING parsing (.*) within", said) == ["GET /v1/games/{game}/bundle"]
    assert (folder / "rollbook_client" / "api" / "play" / "act.py").is_file()


@pytest.mark.long
def test_the_document_makes_types_for_typescript(in_typescript: Path) -> None:
    assert 'body: components["schemas"]["PlayAction"];' in (in_typescript / "schema.d.ts").read_text()


@pytest.mark.long
def test_the_python_client_fits_its_types(in_python: tuple[Path, str]) -> None:
    folder, _ = in_python
    # What is generated ignores what it need not: only the bot is held to every rule.
    run(folder, sys.executable, "-m", "mypy", "rollbook_client")
    run(folder, sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent", "bot.py")


@pytest.mark.long
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_python_bot_plays_a_whole_game(usual: str, in_python: tuple[Path, str], rulebook: str) -> None:
    assert_result(run(in_python[0], sys.executable, "bot.py", usual, rulebook))


@pytest.mark.long
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_typescript_bot_plays_a_whole_game(usual: str, in_typescript: Path, rulebook: str) -> None:
    """It is compiled before, which checks every type."""
    run(in_typescript, "npm", "run", "build")
    assert_result(run(in_typescript, "node", "build/bot.js", usual, rulebook))


def assert_result(printed: str) -> None:
    """Hold what a bot printed against what it must: rank, name and score of both players, the best first."""
    lines = [line.split() for line in printed.splitlines()]
    assert {name for _, name, _ in lines} == {"Ann", "Bob"}
    assert lines[0][0] == "1"
