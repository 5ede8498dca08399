"""Real processes in a folder each; every one that a test starts is ended by its process id."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.serving import ROOT, Serve, processes_of


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A data folder, not made yet; whatever still runs on it at the end is killed."""
    folder = tmp_path / "data"
    yield folder
    for process in processes_of(folder):
        process.kill()


@pytest.fixture
def serve(folder: Path, tmp_path: Path) -> Iterator[Callable[..., Serve]]:
    """Start `serve` with the tests' children, or any other command."""
    started: list[Serve] = []

    def start(
        *arguments: str,
        module: str = "tests.integration.embedded.driver",
        data: Path | None = None,
        imports_from: Path = ROOT,
    ) -> Serve:
        words = arguments or ("trial", "--port", "0", "--workers", "1")
        output = tmp_path / f"output-{len(started)}"
        started.append(Serve(data or folder, *words, output=output, module=module, imports_from=imports_from))
        return started[-1]

    yield start
    for command in started:
        if command.process.poll() is None:
            command.process.kill()
            command.process.wait()
