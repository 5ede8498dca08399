"""What the simulations of both games share on the command line: options, checks and the progress bar."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from service.rules.bounds import Range
from service.settings import OperatorError
from service.simulation.playing import LEVELS_OF_PLAY
from service.simulation.pool import Sum, cores, share

FLAGS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
GAMES = Range(1, 10_000_000)
PROCESSES = Range(1, 1024)

W = TypeVar("W", bound=Sum)
F = TypeVar("F", bound=Callable[..., Any])

_SHARED = (
    click.option("--games", type=int, default=1000, show_default=True, help="How many games."),
    click.option("--option", "chosen", multiple=True, metavar="NAME=VALUE", help="An option of the game; any number."),
    click.option("--bots", default="sensible", show_default=True, help=f"Who plays: {', '.join(LEVELS_OF_PLAY)}."),
    click.option("--seed", help="Any text; the same one gives the same report. Without it, a new one."),
    click.option("--processes", type=int, default=cores, show_default="all cores", help="How many share the work."),
    click.option("--json", "as_json", is_flag=True, help="One JSON document instead of tables."),
)


def shared_options(command: F) -> F:
    """Add the options that both simulations have, behind those that a command has of its own."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


def check_shared(*, games: int, players: int, most_players: int, bots: str, processes: int) -> None:
    """See that the shared options are possible.

    Raises:
        OperatorError: One is not; says which, and what is.
    """
    one_of("--bots", bots, LEVELS_OF_PLAY)
    bounded = (
        ("--games", games, GAMES),
        ("--players", players, Range(2, most_players)),
        ("--processes", processes, PROCESSES),
    )
    for name, value, bound in bounded:
        if not bound.allows(value):
            raise OperatorError(f"{name} must be {bound.words()}.")


def one_of(what: str, value: str, known: Sequence[str]) -> None:
    """See that a word is a known one.

    Raises:
        OperatorError: It is not; says which there are.
    """
    if value not in known:
        raise OperatorError(f"{what} must be one of {', '.join(known)}, not {value!r}.")


def name_and_value(text: str) -> tuple[str, str]:
    """Part NAME=VALUE.

    Raises:
        OperatorError: It is not written so.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise OperatorError(f"--option takes NAME=VALUE, not {text!r}.")
    return name, value


def with_progress(work: Callable[[range], W], games: int, whole: W, *, processes: int) -> W:
    """Play with a progress bar, which goes to the error stream."""
    processes = min(processes, games)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"playing on {processes} cores" if processes > 1 else "playing", total=games)
        return share(work, games, whole, processes=processes, progress=lambda done: bar.advance(task, done))
