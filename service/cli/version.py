"""The program's version, which stands in `pyproject.toml` alone."""

import tomllib
from importlib import metadata
from pathlib import Path


def version() -> str:
    """Return the version of the installed package, or of the source tree that runs without being installed."""
    try:
        return metadata.version("rollbook")
    except metadata.PackageNotFoundError:
        project = Path(__file__).parents[2] / "pyproject.toml"
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
