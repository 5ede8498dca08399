"""`rollbook replay` at a terminal: one step on the screen, with the board, and keys to go on, back, or anywhere.

A screen is as high as the terminal: what does not fit is left out below, with a word of it, and never above. While the
last step is shown, new ones are followed as they come.
"""

import os
import re
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.segment import Segment, SegmentLines
from rich.table import Table
from rich.text import Text

from projections.timeline.words import money
from service.cli import display
from service.cli.board import BoardPicture, style_of, whereabouts
from service.cli.display import literal, plain
from service.games.loading import Loader
from service.replay.steps import StepView, one

HELP = "→ ← step  ↓ ↑ ten  Home End first, last  12 Enter step 12  q quit"
PAGE = 10
LOOK_SECONDS = 1.0
"""How often the game is looked at for new steps."""
SIDE_BY_SIDE = 76
"""Columns in which two seats stand beside each other."""

Move = Callable[[int, int], int]
"""Returns the step to go to, from the one shown and the last one."""
Keys = Callable[[float], str | None]
"""Returns the key that was pressed within so many seconds, if any; empty at the end of the input."""

_MOVES: tuple[tuple[tuple[str, ...], Move], ...] = (
    (("n", " ", "\x1b[C", "\x1bOC"), lambda at, _last: at + 1),
    (("p", "\x1b[D", "\x1bOD"), lambda at, _last: at - 1),
    (("d", "\x1b[B", "\x1bOB", "\x1b[6~"), lambda at, _last: at + PAGE),
    (("u", "\x1b[A", "\x1bOA", "\x1b[5~"), lambda at, _last: at - PAGE),
    (("\x1b[H", "\x1bOH", "\x1b[1~"), lambda _at, _last: 1),
    (("e", "\x1b[F", "\x1bOF", "\x1b[4~"), lambda _at, last: last),
)
KEYS = {key: move for keys, move in _MOVES for key in keys}
QUIT = ("q", "Q", "\x1b", "\x03", "\x04", "")
ENTER, RUBOUT = ("\r", "\n"), ("\x7f", "\x08")
_KEY = re.compile(r"\x1b(?:\[[0-9;]*[~A-Za-z]|O[A-Z])?|.", re.DOTALL)


@dataclass
class Walk:
    """Where a viewer is in a game.

    Attributes:
        at: The step that is shown.
        last: The last step there is.
        typed: Digits of a step to go to.
    """

    at: int
    last: int
    typed: str = ""

    def press(self, key: str) -> None:
        """Go where a key leads."""
        if key.isdigit() and (self.typed or key != "0"):
            self.typed = (self.typed + key)[:7]
        elif key in RUBOUT and self.typed:
            self.typed = self.typed[:-1]
        else:
            move = KEYS.get({"0": "\x1b[H", "\x7f": "p"}.get(key, key))
            if key in ENTER:
                target = int(self.typed) if self.typed else self.at + 1
            else:
                target = move(self.at, self.last) if move else self.at
            self.typed = ""
            self.at = max(1, min(self.last, target))

    def grow(self, last: int) -> bool:
        """Follow a game that has come to another step; return whether it has."""
        grown = last > self.last
        if grown and self.at == self.last:
            self.at = last
        self.last = max(self.last, last)
        return grown


def run(loader: Loader, game: str, *, first: int, newest: Callable[[], int], keys: Keys) -> None:
    """Show steps one at a time until a key ends it.

    Args:
        loader: Reads games.
        game: Id of the game.
        first: Step to begin with.
        newest: Returns the last step there is, or is to be shown.
        keys: Reads keys.
    """
    console, walk = display.console(), Walk(first, newest())
    while True:
        console.clear()
        console.print(fitted(console, screen(loader, one(loader, game, walk.at), walk)), end="")
        key = keys(LOOK_SECONDS)
        while key is None and not walk.grow(newest()):
            key = keys(LOOK_SECONDS)
        if key in QUIT:
            return
        if key is not None:
            walk.press(key)


@contextmanager
def pressed() -> Iterator[Keys]:
    """Take keys one by one, without Enter, as long as the context lasts."""
    descriptor, waiting = sys.stdin.fileno(), _Waiting()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield lambda seconds: waiting.next(descriptor, seconds)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


@dataclass
class _Waiting:
    """Keys that came together, and are taken one at a time."""

    keys: list[str] = field(default_factory=list)

    def next(self, descriptor: int, seconds: float) -> str | None:
        try:
            if not self.keys and select.select([descriptor], [], [], seconds)[0]:
                self.keys = _KEY.findall(os.read(descriptor, 256).decode(errors="replace")) or [""]
        except KeyboardInterrupt:
            return ""
        return self.keys.pop(0) if self.keys else None


@dataclass
class Screen:
    """What is drawn of a step.

    Attributes:
        head: The first line.
        parts: What comes below it.
        foot: The last line.
    """

    head: Text
    parts: list[RenderableType]
    foot: Text


def screen(loader: Loader, view: StepView, walk: Walk) -> Screen:
    """Draw a step: who did what, the board right after it, its sentences, and what it did to the books."""
    step = view.step
    head = f"[bold]{step.number}[/] of {walk.last}  [dim]turn {step.turn}, {plain(step.actor)}: {plain(step.name)}[/]"
    parts: list[RenderableType] = []
    if view.state is not None:
        parts += [BoardPicture(view.state), _Seats(loader, view)]
    parts += [literal(f"  {line}") for line in step.lines]
    parts += [_entries(view)] if step.entries else []
    foot = Text(end="", style="dim").append(f"step {walk.typed}_  Enter" if walk.typed else HELP)
    return Screen(Text.from_markup(head, emoji=False), parts, foot)


def fitted(console: Console, drawn: Screen) -> RenderableType:
    """Return a screen as high as the terminal."""
    for line in (drawn.head, drawn.foot):
        line.truncate(console.width, overflow="ellipsis")
    lines = [line for part in drawn.parts for line in console.render_lines(part, pad=False)]
    room = max(0, console.height - 2)
    if len(lines) > room:
        more = Segment(f"  … {len(lines) - room + 1} more lines: --plain shows all of them")
        lines = [*lines[: room - 1], Segment.adjust_line_length([more], console.width, pad=False)]
    return Group(drawn.head, SegmentLines(lines, new_lines=True), drawn.foot)


class _Seats:
    """The seats, two beside each other where there is room: number, name, cash, and the place."""

    def __init__(self, loader: Loader, view: StepView) -> None:
        assert view.state is not None
        self._rows = whereabouts(view.state, loader.names_of(view.state))

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        beside = 2 if options.max_width >= SIDE_BY_SIDE else 1
        table = Table.grid(padding=(0, 2, 0, 0), expand=True)
        for _ in range(beside):
            table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        cells = [
            Text.assemble((str(seat), style_of(seat)), " ", literal(name), f"  {money(cash)}  ", where)
            for seat, name, where, cash in self._rows
        ]
        for begin in range(0, len(cells), beside):
            table.add_row(*cells[begin : begin + beside])
        yield table


def _entries(view: StepView) -> RenderableType:
    table = display.table("For", "Rule", "Account", "Amount", box=None, pad_edge=False)
    for entry in view.step.entries:
        for posting in entry.postings:
            table.add_row(plain(entry.reason), entry.rule, plain(posting.account), money(posting.amount))
    return table


def takes_keys(console: Console) -> bool:
    """Return whether there is a terminal at which a person can press keys."""
    return console.is_terminal and sys.stdin.isatty()
