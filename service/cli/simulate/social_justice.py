"""`rollbook simulate social-justice`: also with house rules, and the same games without and with them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from service.cli.display import echo_json
from service.cli.simulate import comparison_tables, social_justice_tables
from service.cli.simulate.game_options import options_of
from service.cli.simulate.shared import Number, check_one_of, seed_of, shared_options, with_progress
from service.rules import options as agreed
from service.rules.bounds import Range
from service.rules.rulebooks import SOCIAL_JUSTICE
from service.rules.social_justice.catalogue import ROUNDS
from service.settings import OperatorError
from service.simulation.matches import LEVELS_OF_PLAY, Plan
from service.simulation.social_justice import Pairs, SocialJusticeTally, compare, play_pairs, play_some, report_on
from service.simulation.social_justice.house_rules import HouseRuleError, HouseRules, parse, put_in_force

OF_THE_GAME = agreed.OF_SOCIAL_JUSTICE
PLAYERS = Range(2, SOCIAL_JUSTICE.places)
file_option = partial(click.option, metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))


@click.command("social-justice")
@click.option("--players", type=Number(PLAYERS), default=4, show_default=True, help="Seats at each table, 2 to 8.")
@click.option("--rounds", type=Number(ROUNDS), help="Rounds to be played; without it, what the preset says.")
@click.option("--preset", default="sjg_standard", show_default=True, help="The options to begin with.")
@file_option("--rules", "rules", help="House rules in force from the start: JSON operations of a proposal.")
@file_option("--compare", "compared", help="House rules: play the same games without and with them.")
@shared_options
def simulate(
    *, seed: str | None, processes: int, as_json: bool, rules: Path | None, compared: Path | None, **given: Any
) -> None:
    """Play many games of The Social Justice Game by bots and report what they were like."""
    plan = plan_of(seed=seed_of(seed), **given)
    base = _rules_in(rules) if rules else None
    without = _in_force(plan, base, rules) if base else plan
    if compared is None:
        tally = with_progress(partial(play_some, without), plan.games, SocialJusticeTally(), processes=processes)
        report = report_on(without, tally, base)
        echo_json(report) if as_json else social_justice_tables.show(report)
        return
    added = _rules_in(compared)
    # Alone first: a refusal then counts the operations of this file.
    _in_force(plan, added, compared)
    both = HouseRules((base.operations if base else ()) + added.operations)
    within = _in_force(plan, both, compared)
    pairs = with_progress(partial(play_pairs, without, within), plan.games, Pairs(), processes=processes)
    comparison = compare(without, within, pairs, both, base)
    echo_json(comparison) if as_json else comparison_tables.show(comparison)


def plan_of(
    *, games: int, players: int, rounds: int | None, chosen: Sequence[str], preset: str, bots: str, seed: str
) -> Plan:
    """Make a plan from the options of the command.

    Raises:
        OperatorError: An option has a value that is not possible.
    """
    check_one_of("--bots", bots, LEVELS_OF_PLAY)
    every = chosen if rounds is None else [*chosen, f"end.rounds={rounds}"]
    options = options_of(OF_THE_GAME, preset, every, players=players, purse="banker")
    return Plan(games=games, players=players, options=options, bots=bots, seed=seed, rulebook="social_justice")


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
