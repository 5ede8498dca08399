"""What the simulations of both games share on the command line: options, checks and the progress bar.

Not here: how an option of the game is read (`service.cli.simulate.game_options`).
"""

import secrets
from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from service.cli.display import progress
from service.cli.options import Command
from service.cli.simulate.game_options import number
from service.rules.bounds import Range
from service.settings import OperatorError
from service.simulation.matches import LEVELS_OF_PLAY
from service.simulation.pool import Sum, cores, share

GAMES = Range(1, 10_000_000)
PROCESSES = Range(1, 1024)

W = TypeVar("W", bound=Sum)


class Number(click.IntRange):
    """A whole number within a range; anything else is refused in one line, without click's usage message."""

    def __init__(self, bound: Range) -> None:
        super().__init__(bound.low, bound.high)
        self.bound = bound

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it; a default is a number already.

        Raises:
            OperatorError: It is not a number in plain digits, or out of bounds.
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


def shared_options(command: Command) -> Command:
    """Add the options that both simulations have, after the command's own."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


def seed_of(given: str | None) -> str:
    """Return the seed that was given, or a new one.

    Raises:
        OperatorError: It is empty, or no UTF-8.
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


def check_one_of(what: str, value: str, known: Sequence[str]) -> None:
    """Check that a word is a known one.

    Raises:
        OperatorError: It is not; the message lists the known ones.
    """
    if value not in known:
        raise OperatorError(f"{what} must be one of {', '.join(known)}, not {value!r}.")


def with_progress(work: Callable[[range], W], games: int, whole: W, *, processes: int) -> W:
    """Play with a progress bar."""
    processes = min(processes, games)
    with progress() as bar:
        task = bar.add_task(f"playing on {processes} cores" if processes > 1 else "playing", total=games)
        return share(work, games, whole, processes=processes, progress=lambda done: bar.advance(task, done))
