"""`rollbook replay`: a game step by step: on the screen with keys, or in words for whatever else reads it."""

from collections.abc import Iterator
from typing import Any

import click

from service.cli import display, walking
from service.cli.options import store_options
from service.cli.reading import echo_json, json_option, newest, open_services, plain
from service.games.loading import Loader
from service.replay.search import Wanted, backwards
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
    or anywhere. Elsewhere, and with --plain: all of it in words; exit code 1 if it can only be told to some step.
    """
    with open_services(options) as services:
        upto = newest(services, game)
        if not (as_json or in_words) and walking.fits(display.console()):
            steps_there = last_step(services.games.loader, game, upto=upto)
            end = min(last or steps_there, steps_there)
            if first <= end:
                walking.walk(services.games.loader, game, first=first, last=end)
                return
        steps = steps_of(services.games.loader, game, upto=upto, first=first, last=last)
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
    """Give the number of the last step that can be told."""
    found = backwards(loader, game, Wanted(), before=upto + 1, limit=1).steps
    return found[0].number if found else 0


def steps_of(loader: Loader, game: str, *, upto: int, first: int = 1, last: int | None = None) -> list[Step]:
    """List the steps from one number to another, as far as they can be told.

    Raises:
        Frozen, UnfitEvent, DamagedEntry: There is none.
    """
    return [
        step
        for step in _walked(loader, game, upto, last)
        if first <= step.number and (last is None or step.number <= last)
    ]


def _walked(loader: Loader, game: str, upto: int, last: int | None) -> Iterator[Step]:
    """Give every step up to a number, and a few more; where the game is damaged, those before that."""
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
