"""`rollbook replay`: a game step by step, on the screen with keys, or in words where there is no terminal."""

from collections.abc import Iterator
from typing import Any

import click

from service.cli import display, replay_screen
from service.cli.display import echo_json, plain
from service.cli.options import json_option, store_options
from service.cli.store import newest_version, open_services
from service.games.loading import Loader
from service.replay.search import StepFilter, backwards
from service.replay.steps import TROUBLES, Step, page
from service.settings import OperatorError

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
    or anywhere. Elsewhere, and with --plain: all of it in words; exit code 1 if it can only be shown to some step.
    """
    with open_services(options, game) as services:
        upto = newest_version(services, game)
        if not (as_json or in_words) and replay_screen.takes_keys(display.console()):
            loader = services.games.loader

            def newest() -> int:
                there = last_step(loader, game, upto=newest_version(services, game))
                return min(last or there, there)

            if first <= newest():
                with replay_screen.pressed() as keys:
                    replay_screen.run(loader, game, first=first, newest=newest, keys=keys)
                return
        steps = list_steps(services.games.loader, game, upto=upto, first=first, last=last)
    if not steps:
        raise OperatorError(f"Game {game} has no such steps: it ends before step {first}, or --to is below --from.")
    if as_json:
        echo_json({"game": game, "version": upto, "steps": steps})
    else:
        show(steps)
    if steps[-1].last < upto and (last is None or steps[-1].number < last):
        click.echo(
            f"What comes after step {steps[-1].number} is damaged: `rollbook audit` names every event.", err=True
        )
        raise click.exceptions.Exit(1)


def last_step(loader: Loader, game: str, *, upto: int) -> int:
    """Return the number of the last step that can be read."""
    found = backwards(loader, game, StepFilter(), before=upto + 1, limit=1).steps
    return found[0].number if found else 0


def list_steps(loader: Loader, game: str, *, upto: int, first: int = 1, last: int | None = None) -> list[Step]:
    """List the steps from one number to another, as far as they can be read.

    Raises:
        Frozen, UnfitEvent, DamagedEntry: None can be read.
    """
    steps = _steps(loader, game, upto, last)
    return [step for step in steps if first <= step.number and (last is None or step.number <= last)]


def _steps(loader: Loader, game: str, upto: int, last: int | None) -> Iterator[Step]:
    """Yield every step up to a number, and a few more; of a damaged game, those before the damage."""
    after = 0
    while after < upto:
        try:
            steps = page(loader, game, after=after, limit=PAGE, upto=upto)
        except TROUBLES:
            if not after:
                raise
            return
        yield from steps
        if not steps or (last is not None and steps[-1].number >= last):
            return
        after = steps[-1].last


def show(steps: list[Step]) -> None:
    """Print steps for people."""
    console = display.console()
    for step in steps:
        console.print(f"[bold]{step.number}[/] [dim]turn {step.turn}, {plain(step.actor)}: {plain(step.name)}[/]")
        for line in step.lines:
            console.print(f"    {plain(line)}")
