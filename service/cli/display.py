"""Tables, text and JSON for the terminal, or for any program that reads them: nothing is ever cut off."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

WIDE = 10_000  # columns of a file or a pipe: no line is broken or cut for want of room
_CONTROLS = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if code != ord("\n")}
"""What could move the cursor, colour, or rename a terminal is shown as a character that says so."""


def program() -> str:
    """Return what to type for this program: its name where the shell finds it, else its path."""
    called = sys.argv[0]
    found = shutil.which("rollbook")
    if found and os.path.realpath(found) == os.path.realpath(called):
        return "rollbook"
    return os.path.relpath(called) if os.path.basename(called) == "rollbook" else "rollbook"


def console(*, stderr: bool = False) -> Console:
    """Return a console on standard output (or error), as wide as what is written to needs; `:smile:` stays a word."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, emoji=False, width=None if stream.isatty() else WIDE)


def table(*headers: str, **options: Any) -> Table:
    """Return a table that breaks words in a narrow terminal rather than cut them; options as of Rich's `Table`."""
    return Table(*(Column(header, overflow="fold") for header in headers), **options)


def progress() -> Progress:
    """Return progress bars that go to standard error, where that is a terminal, and leave nothing there."""
    shown_on = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=shown_on, transient=True, disable=not shown_on.is_terminal)


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar; its update takes how much is done, and how much there is in all."""
    with progress() as bar:
        task = bar.add_task(plain(what), total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def echo_json(document: object) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(msgspec.to_builtins(document, str_keys=True), ensure_ascii=False, indent=2))


def plain(text: str) -> str:
    """Make what a person typed, or what a foreign file holds, safe within Rich's markup and for the terminal."""
    return escape(text.translate(_CONTROLS))


def literal(text: str) -> Text:
    """Return what a person typed as it is, where nothing is read as markup: alone in a line, or in a table's cell."""
    return Text(text.translate(_CONTROLS))
