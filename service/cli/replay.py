"""`rollbook replay`: a game step by step: on the screen with keys, or in words for whatever else reads it."""

from typing import Any

import click

from service.cli import display, walking
from service.cli.options import store_options
from service.cli.reading import echo_json, json_option, load, open_services, plain
from service.games import Games
from service.settings import OperatorError
from service.steps import Step, page

PAGE = 100


@click.command()
@click.argument("game")
@click.option("--from", "first", type=click.IntRange(min=1), default=1, help="First step to show.")
@click.option("--to", "last", type=click.IntRange(min=1), help="Last step to show; the newest without it.")
@click.option("--plain", "in_words", is_flag=True, help="All steps in words, also at a terminal.")
@json_option
@store_options
def replay(*, game: str, first: int, last: int | None, in_words: bool, as_json: bool, **options: Any) -> None:
    """Walk through GAME, one action at a time.

    At a terminal: a picture of the board with what happened and what it did to the ledger, and keys to go on, back,
    or anywhere. Elsewhere, and with --plain: all of it in words.
    """
    with open_services(options) as services:
        state = load(services, game).state
        upto = state.version
        if not (as_json or in_words) and walking.fits(display.console()):
            end = min(last or state.steps, state.steps)
            if first <= end:
                walking.walk(services.games, game, first=first, last=end)
                return
        steps = steps_of(services.games, game, upto=upto, first=first, last=last)
    if not steps:
        raise OperatorError(f"Game {game} has no such steps: it ends before step {first}, or --to is below --from.")
    if as_json:
        echo_json({"game": game, "version": upto, "steps": steps})
    else:
        show(steps)


def steps_of(games: Games, game: str, *, upto: int, first: int = 1, last: int | None = None) -> list[Step]:
    """List the steps from one number to another."""
    found: list[Step] = []
    after = 0
    while steps := page(games, game, after=after, limit=PAGE, upto=upto):
        after = steps[-1].last
        found += [step for step in steps if first <= step.number and (last is None or step.number <= last)]
        if last is not None and steps[-1].number >= last:
            break
    return found


def show(steps: list[Step]) -> None:
    """Print steps for people."""
    console = display.console()
    for step in steps:
        console.print(f"[bold]{step.number}[/] [dim]turn {step.turn}, {plain(step.actor)}: {plain(step.name)}[/]")
        for line in step.lines:
            console.print(f"    {plain(line)}")
