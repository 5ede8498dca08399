"""`rollbook replay` at a terminal: one step on the screen, with the board, and keys to go on, back, or anywhere."""

import sys
from collections.abc import Callable

import click
from rich.console import Console, Group, RenderableType
from rich.text import Text

from projections.timeline.words import money
from service.cli import display
from service.cli.board import BoardPicture, style_of, whereabouts
from service.cli.display import literal, plain
from service.games.loading import Loader
from service.replay.steps import StepView, one

HELP = "→ or n next   ← or p back   ↓ or d ten on   ↑ or u ten back   Home or 0 first   End or e last   q quit"
PAGE = 10

Move = Callable[[int, int], int]
"""Returns the step to go to, from the one shown and the last one."""

_MOVES: tuple[tuple[tuple[str, ...], Move], ...] = (
    (("n", " ", "\r", "\n", "\x1b[C", "\x1bOC"), lambda at, _last: at + 1),
    (("p", "\x7f", "\x1b[D", "\x1bOD"), lambda at, _last: at - 1),
    (("d", "\x1b[B", "\x1bOB", "\x1b[6~"), lambda at, _last: at + PAGE),
    (("u", "\x1b[A", "\x1bOA", "\x1b[5~"), lambda at, _last: at - PAGE),
    (("0", "\x1b[H", "\x1bOH", "\x1b[1~"), lambda _at, _last: 1),
    (("e", "\x1b[F", "\x1bOF", "\x1b[4~"), lambda _at, last: last),
)
KEYS = {key: move for keys, move in _MOVES for key in keys}
QUIT = ("q", "Q", "\x1b", "\x03", "\x04", "")


def run(loader: Loader, game: str, *, first: int, last: int) -> None:
    """Show steps one at a time until a key ends it.

    Args:
        loader: Reads games.
        game: Id of the game.
        first: Step to begin with.
        last: Step to end with.
    """
    console, at = display.console(), first
    while True:
        console.clear()
        console.print(screen(loader, one(loader, game, at), last))
        key = _key()
        if key in QUIT:
            return
        move = KEYS.get(key)
        at = max(1, min(last, move(at, last))) if move else at


def _key() -> str:
    try:
        return click.getchar()
    except (EOFError, KeyboardInterrupt):
        return ""


def screen(loader: Loader, view: StepView, last: int) -> RenderableType:
    """Draw a step: who did what, the board right after it, its sentences, and what it did to the books."""
    step = view.step
    head = f"[bold]{step.number}[/] of {last}  [dim]turn {step.turn}, {plain(step.actor)}: {plain(step.name)}[/]"
    parts: list[RenderableType] = [Text.from_markup(head, emoji=False)]
    if view.state is not None:
        parts += [BoardPicture(view.state), _seats(loader, view)]
    parts += [literal(f"  {line}") for line in step.lines]
    parts += [_entries(view), Text(HELP, style="dim")]
    return Group(*parts)


def _seats(loader: Loader, view: StepView) -> RenderableType:
    assert view.state is not None
    table = display.table("", "Seat", "Where", "Cash", box=None, pad_edge=False)
    for seat, name, where, cash in whereabouts(view.state, loader.names_of(view.state)):
        table.add_row(Text(str(seat), style=style_of(seat)), literal(name), literal(where), money(cash))
    return table


def _entries(view: StepView) -> RenderableType:
    if not view.step.entries:
        return Text()
    table = display.table("For", "Rule", "Account", "Amount", box=None, pad_edge=False)
    for entry in view.step.entries:
        for posting in entry.postings:
            table.add_row(plain(entry.reason), entry.rule, plain(posting.account), money(posting.amount))
    return table


def takes_keys(console: Console) -> bool:
    """Return whether there is a terminal at which a person can press keys."""
    return console.is_terminal and sys.stdin.isatty()
