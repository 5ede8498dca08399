"""`rollbook simulate public-assistance`."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from service.cli.display import echo_json
from service.cli.simulate.game_options import options_of
from service.cli.simulate.public_assistance_tables import show
from service.cli.simulate.shared import Number, check_one_of, seed_of, shared_options, with_progress
from service.rules import options as agreed
from service.rules.bounds import Range
from service.rules.rulebooks import PUBLIC_ASSISTANCE
from service.simulation.matches import LEVELS_OF_PLAY, Plan
from service.simulation.public_assistance import PublicAssistanceTally, play_some, report_on

OF_THE_GAME = agreed.OF_PUBLIC_ASSISTANCE
PLAYERS = Range(2, PUBLIC_ASSISTANCE.places)


@click.command("public-assistance")
@click.option("--players", type=Number(PLAYERS), default=4, show_default=True, help="Seats at each table, 2 to 4.")
@click.option(
    "--months", type=Number(agreed.MONTHS), help="Months to be played; without it, as preset or rulebook say."
)
@click.option("--preset", default="pa_standard", show_default=True, help="The options to begin with.")
@shared_options
def simulate(*, seed: str | None, processes: int, as_json: bool, **given: Any) -> None:
    """Play many games of Public Assistance by bots and report what they were like."""
    plan = plan_of(seed=seed_of(seed), **given)
    report = report_on(
        plan, with_progress(partial(play_some, plan), plan.games, PublicAssistanceTally(), processes=processes)
    )
    echo_json(report) if as_json else show(report)


def plan_of(
    *, games: int, players: int, months: int | None, chosen: Sequence[str], preset: str, bots: str, seed: str
) -> Plan:
    """Make a plan from the options of the command.

    Raises:
        OperatorError: An option has a value that is not possible.
    """
    check_one_of("--bots", bots, LEVELS_OF_PLAY)
    every = chosen if months is None else [*chosen, f"months={months}"]
    options = options_of(OF_THE_GAME, preset, every, players=players, purse="custodian")
    return Plan(games=games, players=players, options=options, bots=bots, seed=seed)
