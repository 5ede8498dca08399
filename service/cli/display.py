"""Tables and text for the terminal, or for whatever else reads them: nothing is ever cut off."""

import sys
from typing import Any

from rich.console import Console
from rich.table import Column, Table

WIDE = 10_000  # columns of a file or a pipe: no line is broken or cut for want of room


def console(*, stderr: bool = False) -> Console:
    """Return a console on standard output (or error), as wide as what is written to needs; `:smile:` stays a word."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, emoji=False, width=None if stream.isatty() else WIDE)


def table(*headers: str, **options: Any) -> Table:
    """Return a table that breaks words in a narrow terminal rather than cut them; options as of Rich's `Table`."""
    return Table(*(Column(header, overflow="fold") for header in headers), **options)
