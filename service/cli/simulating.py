"""What the simulations of both games share on the command line: options, checks and the progress bar.

How an option of the game is read stands in `service.cli.simulated_options`.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from service.cli.simulated_options import number
from service.rules.bounds import Range
from service.settings import OperatorError
from service.simulation.matches import LEVELS_OF_PLAY
from service.simulation.pool import Sum, cores, share

GAMES = Range(1, 10_000_000)
PROCESSES = Range(1, 1024)

W = TypeVar("W", bound=Sum)
F = TypeVar("F", bound=Callable[..., Any])


class Number(click.IntRange):
    """A whole number within a range; anything else is refused in one line, where click would also show the usage."""

    def __init__(self, bound: Range) -> None:
        super().__init__(bound.low, bound.high)
        self.bound = bound

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it; a default is a number already.

        Raises:
            OperatorError: It is no number in plain digits, or out of bounds.
        """
        del ctx
        assert param is not None, "it is read for an option"
        found = number(param.opts[0], value, self.bound) if isinstance(value, str) else value
        if not self.bound.allows(found):
            raise OperatorError(f"{param.opts[0]} must be {self.bound.words()}.")
        return found


_SHARED = (
    click.option("--games", type=Number(GAMES), default=1000, show_default=True, help="How many games."),
    click.option("--option", "chosen", multiple=True, metavar="NAME=VALUE", help="An option of the game; any number."),
    click.option("--bots", default="sensible", show_default=True, help=f"Who plays: {', '.join(LEVELS_OF_PLAY)}."),
    click.option("--seed", help="Any text; the same one gives the same report. Without it, a new one."),
    click.option(
        "--processes", type=Number(PROCESSES), default=cores, show_default="all cores", help="How many share the work."
    ),
    click.option("--json", "as_json", is_flag=True, help="One JSON document instead of tables."),
)


def shared_options(command: F) -> F:
    """Add the options that both simulations have, behind those that a command has of its own."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


def seed_of(given: str | None) -> str:
    """Give the seed that was chosen; a new one where none was.

    Raises:
        OperatorError: It is empty, or cannot be written down: bytes of the shell that are no UTF-8 cannot.
    """
    if given is None:
        return secrets.token_hex(4)
    try:
        written = given.encode()
    except UnicodeEncodeError:
        written = b""
    if not written:
        raise OperatorError("--seed must be some text.")
    return given


def one_of(what: str, value: str, known: Sequence[str]) -> None:
    """See that a word is a known one.

    Raises:
        OperatorError: It is not; says which there are.
    """
    if value not in known:
        raise OperatorError(f"{what} must be one of {', '.join(known)}, not {value!r}.")


def with_progress(work: Callable[[range], W], games: int, whole: W, *, processes: int) -> W:
    """Play with a progress bar, which goes to the error stream."""
    processes = min(processes, games)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"playing on {processes} cores" if processes > 1 else "playing", total=games)
        return share(work, games, whole, processes=processes, progress=lambda done: bar.advance(task, done))
