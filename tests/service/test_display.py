"""What the command line prints is never cut."""

import io
import re

import pytest
from rich.console import Console

from service.cli import display
from service.cli.display import literal, plain

ROW = ("1", "seat:1:cash", "1,234,567", "first_allowance_of_the_month", "PA-15")


def test_a_pipe_gets_whole_lines(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    table = display.table("event", "from", "amount", "reason", "rule", box=None)
    table.add_row(*ROW)
    display.console().print(table)
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].split() == list(ROW)
    assert max(map(len, printed)) < 100


def test_nothing_that_was_typed_moves_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "a\x1b]0;pwned\x07b\x9b2Jc\rd\x7f"
    display.console().print(f"[bold]{plain(hostile)}[/]", literal(hostile))
    printed = capsys.readouterr().out
    assert printed.rstrip("\n").replace("\N{REPLACEMENT CHARACTER}", "").isprintable()
    assert printed.count("]0;pwned") == 2


@pytest.mark.parametrize("typed", ["[/]", r"\[/]", r"\\[/]", r"a \[bold]b", "[red]c", ":smile:", "tail\\"])
def test_what_people_typed_is_no_markup(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    display.console().print(f"[bold]{plain(typed)}[/]", literal(typed))
    assert capsys.readouterr().out == f"{typed} {typed}\n"


def test_a_narrow_terminal_breaks_words_and_cuts_none() -> None:
    table = display.table("event", "from", "amount", "reason", "rule")
    table.add_row(*ROW)
    narrow = Console(width=40, file=io.StringIO())
    narrow.print(table)
    printed = narrow.file.getvalue()  # type: ignore[attr-defined] # a StringIO, as was given
    assert "…" not in printed
    cells = zip(*(re.split("[│┃]", line)[1:-1] for line in printed.splitlines() if line.startswith("│")), strict=True)
    assert tuple("".join(part.strip() for part in parts) for parts in cells) == ROW
