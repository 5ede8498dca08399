"""`rollbook` commands in the process of the test: one of their own costs a third of a second before it does a thing."""

from pathlib import Path

from click.testing import CliRunner, Result

from service.cli import main


def rollbook(folder: Path, *arguments: str) -> Result:
    """Run a command on a data folder."""
    return CliRunner().invoke(main, [*arguments, "--data", str(folder)])
