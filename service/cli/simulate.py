"""`rollbook simulate`: many whole games in process, and what they were like."""

import re
import secrets
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from events.base import Scalar
from service.cli.reading import echo_json, json_option
from service.cli.simulated import show
from service.rules import options as agreed
from service.rules.bounds import Range
from service.rules.violations import RuleViolation
from service.settings import OperatorError
from service.simulation import Plan, Tally, report_on
from service.simulation import simulate as play_all
from service.simulation.playing import LEVELS_OF_PLAY
from service.simulation.pool import cores

RULEBOOKS = ("public-assistance",)
NUMBER = re.compile(r"-?[0-9]{1,16}", re.ASCII)
FLAGS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
GAMES = Range(1, 10_000_000)
PLAYERS = Range(2, 4)
PROCESSES = Range(1, 1024)


@click.command()
@click.argument("rulebook")
@click.option("--games", type=int, default=1000, show_default=True, help="How many games.")
@click.option("--players", type=int, default=4, show_default=True, help="Seats at each table, 2 to 4.")
@click.option("--months", type=int, help="Months to be played; without it, what the preset or the rulebook says.")
@click.option("--option", "chosen", multiple=True, metavar="NAME=VALUE", help="An option of the game; any number.")
@click.option("--preset", default="pa_standard", show_default=True, help="The options to begin with.")
@click.option("--bots", default="sensible", show_default=True, help=f"Who plays: {', '.join(LEVELS_OF_PLAY)}.")
@click.option("--seed", help="Any text; the same one gives the same report. Without it, a new one.")
@click.option("--processes", type=int, default=cores, show_default="all cores", help="How many share the work.")
@json_option
def simulate(*, rulebook: str, seed: str | None, processes: int, as_json: bool, **given: Any) -> None:
    """Play many games of RULEBOOK (public-assistance) by bots and report what they were like."""
    one_of("The rulebook", rulebook, RULEBOOKS)
    if not PROCESSES.allows(processes):
        raise OperatorError(f"--processes must be {PROCESSES.words()}.")
    plan = plan_of(seed=secrets.token_hex(4) if seed is None else seed, **given)
    report = report_on(plan, played(plan, min(processes, plan.games)))
    if as_json:
        echo_json(report)
    else:
        show(report)


def plan_of(
    *, games: int, players: int, months: int | None, chosen: Sequence[str], preset: str, bots: str, seed: str
) -> Plan:
    """Make a plan of what was asked for.

    Raises:
        OperatorError: Something of it is not possible.
    """
    one_of("--bots", bots, LEVELS_OF_PLAY)
    if not seed or not _is_text(seed):
        raise OperatorError("--seed must be some text.")
    for name, value, bound in (("--games", games, GAMES), ("--players", players, PLAYERS)):
        if not bound.allows(value):
            raise OperatorError(f"{name} must be {bound.words()}.")
    options = options_of(preset, chosen if months is None else [*chosen, f"months={months}"], players)
    return Plan(games=games, players=players, options=options, bots=bots, seed=seed)


def _is_text(seed: str) -> bool:
    """Tell whether a seed can be written down: bytes of the shell that are no UTF-8 cannot."""
    try:
        seed.encode()
    except UnicodeEncodeError:
        return False
    return True


def one_of(what: str, value: str, known: Sequence[str]) -> None:
    """See that a word is a known one.

    Raises:
        OperatorError: It is not; says which there are.
    """
    if value not in known:
        raise OperatorError(f"{what} must be one of {', '.join(known)}, not {value!r}.")


def options_of(preset: str, chosen: Sequence[str], players: int) -> dict[str, Scalar]:
    """Read the options of the game.

    Raises:
        OperatorError: One is unknown, out of bounds or not written as NAME=VALUE.
    """
    try:
        options = agreed.agree(_once(chosen), agreed.preset(preset))
    except RuleViolation as refusal:
        raise OperatorError(str(refusal)) from refusal
    if options["custodian"] not in range(players + 1):
        raise OperatorError(f"Nobody sits at {options['custodian']}, which is to be custodian.")
    return options


def _option(text: str) -> tuple[str, Scalar]:
    """Read NAME=VALUE; a value is of the kind that the option's default is."""
    name, equals, value = text.partition("=")
    if not equals:
        raise OperatorError(f"--option takes NAME=VALUE, not {text!r}.")
    default, bound = agreed.PUBLIC_ASSISTANCE.get(name, ("", None))
    if isinstance(default, bool):
        if value.lower() not in FLAGS:
            raise OperatorError(f"The option {name} must be true or false, not {value!r}.")
        return name, FLAGS[value.lower()]
    if isinstance(default, int):
        assert bound is not None, "a default has a bound"
        if not NUMBER.fullmatch(value):
            raise OperatorError(f"The option {name} must be {bound.words()}, not {value!r}.")
        return name, int(value)
    return name, value


def _once(chosen: Sequence[str]) -> dict[str, Scalar]:
    """Read all of them; which of two values is meant for one option nobody can know."""
    options: dict[str, Scalar] = {}
    for name, value in map(_option, chosen):
        if name in options:
            raise OperatorError(f"The option {name} is given twice.")
        options[name] = value
    return options


def played(plan: Plan, processes: int) -> Tally:
    """Play with a progress bar, which goes to the error stream."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"playing on {processes} cores" if processes > 1 else "playing", total=plan.games)
        return play_all(plan, processes=processes, progress=lambda done: bar.advance(task, done))
