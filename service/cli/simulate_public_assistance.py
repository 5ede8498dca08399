"""`rollbook simulate public-assistance`."""

import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from events.base import OptionValue
from service.cli.reading import echo_json
from service.cli.simulated import show
from service.cli.simulating import FLAGS, check_shared, name_and_value, shared_options, with_progress
from service.rules import options as agreed
from service.rules.violations import RuleViolation
from service.settings import OperatorError
from service.simulation import Plan, Tally, play_some, report_on

MOST_PLAYERS = 4


@click.command("public-assistance")
@click.option("--players", type=int, default=4, show_default=True, help="Seats at each table, 2 to 4.")
@click.option("--months", type=int, help="Months to be played; without it, what the preset or the rulebook says.")
@click.option("--preset", default="pa_standard", show_default=True, help="The options to begin with.")
@shared_options
def simulate(*, seed: str | None, processes: int, as_json: bool, **given: Any) -> None:
    """Play many games of Public Assistance by bots and report what they were like."""
    plan = plan_of(seed=seed or secrets.token_hex(4), processes=processes, **given)
    report = report_on(plan, with_progress(partial(play_some, plan), plan.games, Tally(), processes=processes))
    if as_json:
        echo_json(report)
    else:
        show(report)


def plan_of(
    *,
    games: int,
    players: int,
    months: int | None,
    chosen: Sequence[str],
    preset: str,
    bots: str,
    seed: str,
    processes: int,
) -> Plan:
    """Make a plan of what was asked for.

    Raises:
        OperatorError: Something of it is not possible.
    """
    check_shared(games=games, players=players, most_players=MOST_PLAYERS, bots=bots, processes=processes)
    options = options_of(preset, chosen if months is None else [*chosen, f"months={months}"], players)
    return Plan(games=games, players=players, options=options, bots=bots, seed=seed)


def options_of(preset: str, chosen: Sequence[str], players: int) -> dict[str, OptionValue]:
    """Read the options of the game.

    Raises:
        OperatorError: One is unknown, out of bounds or not written as NAME=VALUE.
    """
    try:
        options = agreed.agree(dict(_option(text) for text in chosen), agreed.preset(preset))
    except RuleViolation as refusal:
        raise OperatorError(str(refusal)) from refusal
    if options["custodian"] not in range(players + 1):
        raise OperatorError(f"Nobody sits at {options['custodian']}, which is to be custodian.")
    return options


def _option(text: str) -> tuple[str, OptionValue]:
    """Read NAME=VALUE; a value is of the kind that the option's default is."""
    name, value = name_and_value(text)
    default, bound = agreed.PUBLIC_ASSISTANCE.get(name, ("", None))
    if isinstance(default, bool):
        if value.lower() not in FLAGS:
            raise OperatorError(f"The option {name} must be true or false, not {value!r}.")
        return name, FLAGS[value.lower()]
    if isinstance(default, int):
        try:
            return name, int(value)
        except ValueError as error:
            assert bound is not None, "a default has a bound"
            raise OperatorError(f"The option {name} must be {bound.words()}, not {value!r}.") from error
    return name, value
