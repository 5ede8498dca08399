"""`rollbook simulate social-justice`: also with house rules, and the same games without and with them."""

import json
import secrets
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from events.base import OptionValue
from service.cli.reading import echo_json
from service.cli.simulated_comparison import show as show_comparison
from service.cli.simulated_social_justice import show
from service.cli.simulating import FLAGS, check_shared, name_and_value, shared_options, with_progress
from service.rules import options as agreed
from service.rules.violations import RuleViolation
from service.settings import OperatorError
from service.simulation import Plan
from service.simulation.social_justice import Pairs, Tally, compare, play_pairs, play_some, report_on
from service.simulation.social_justice.house_rules import HouseRuleError, HouseRules, parse, put_in_force

MOST_PLAYERS = 8
OF_THE_GAME = agreed.OF_SOCIAL_JUSTICE
file_option = partial(click.option, metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))


@click.command("social-justice")
@click.option("--players", type=int, default=4, show_default=True, help="Seats at each table, 2 to 8.")
@click.option("--rounds", type=int, help="Rounds to be played; without it, what the preset says.")
@click.option("--preset", default="sjg_standard", show_default=True, help="The options to begin with.")
@file_option("--rules", "rules", help="House rules in force from the start: JSON operations of a proposal.")
@file_option("--compare", "compared", help="House rules: play the same games without and with them.")
@shared_options
def simulate(
    *, seed: str | None, processes: int, as_json: bool, rules: Path | None, compared: Path | None, **given: Any
) -> None:
    """Play many games of The Social Justice Game by bots and report what they were like."""
    plan = plan_of(seed=seed or secrets.token_hex(4), processes=processes, **given)
    base = _rules_in(rules) if rules else None
    without = _in_force(plan, base, rules) if base else plan
    if compared is None:
        tally = with_progress(partial(play_some, without), plan.games, Tally(), processes=processes)
        report = report_on(without, tally, base)
        echo_json(report) if as_json else show(report)
        return
    added = _rules_in(compared)
    both = HouseRules((base.operations if base else ()) + added.operations)
    within = _in_force(plan, both, compared)
    pairs = with_progress(partial(play_pairs, without, within), plan.games, Pairs(), processes=processes)
    comparison = compare(without, within, pairs, both, base)
    echo_json(comparison) if as_json else show_comparison(comparison)


def plan_of(
    *,
    games: int,
    players: int,
    rounds: int | None,
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
    options = options_of(preset, chosen if rounds is None else [*chosen, f"end.rounds={rounds}"], players)
    return Plan(games=games, players=players, options=options, bots=bots, seed=seed, rulebook="social_justice")


def options_of(preset: str, chosen: Sequence[str], players: int) -> dict[str, OptionValue]:
    """Read the options of the game.

    Raises:
        OperatorError: One is unknown, out of bounds or not written as NAME=VALUE.
    """
    try:
        base = agreed.preset(preset, OF_THE_GAME)
        options = agreed.agree(dict(_option(text) for text in chosen), base, OF_THE_GAME)
    except RuleViolation as refusal:
        raise OperatorError(str(refusal)) from refusal
    if options["banker"] not in range(players + 1):
        raise OperatorError(f"Nobody sits at {options['banker']}, which is to be banker.")
    return options


def _option(text: str) -> tuple[str, OptionValue]:
    """Read NAME=VALUE: a number, true or false, null, a word, or words with commas where the option is a list."""
    name, value = name_and_value(text)
    default, _ = OF_THE_GAME.known.get(name, ("", None))
    if isinstance(default, bool) and value.lower() in FLAGS:
        return name, FLAGS[value.lower()]
    try:
        found: OptionValue = json.loads(value)
    except ValueError:
        found = value
    if isinstance(default, list) and isinstance(found, str):
        return name, [word for word in found.split(",") if word]
    return name, found


def _rules_in(path: Path) -> HouseRules:
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise OperatorError(f"{path} cannot be read: {error.strerror}.") from error
    except HouseRuleError as error:
        raise OperatorError(f"{path}: {error}") from error


def _in_force(plan: Plan, rules: HouseRules, path: Path | None) -> Plan:
    try:
        return put_in_force(plan, rules)
    except HouseRuleError as error:
        raise OperatorError(f"{path}: {error}") from error
