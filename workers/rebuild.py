"""Indexes and figures that follow from the streams, made again while a service runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import click

from events import codec
from events.store import Head, Store, StreamDamaged
from events.store.keys import BUCKETS
from projections.evolve import UnfitEvent, UnknownEvent
from service.bootstrap import Services
from service.cli import display
from service.cli.display import echo_json, plain, progress_bar
from service.cli.options import json_option, store_options
from service.cli.store import open_services
from service.errors import ServiceError
from service.games.due import due_of
from service.games.loading import Loader
from workers.counting import Counting, LeftOut, OnGame


@dataclass
class Rebuilt:
    """What was made again.

    Attributes:
        games: Games looked at.
        corrected: Of those, games that were wrong or missing in the index; None where all is written again.
        left_out: Games that cannot be read: a person must look at them.
    """

    games: int = 0
    corrected: int | None = None
    left_out: list[LeftOut] = field(default_factory=list)


def rebuild_statistics(services: Services, on_game: OnGame) -> Rebuilt:
    """Count all games again; each bucket is written in one go, and until then what was there stays."""
    done = Rebuilt()

    def one() -> None:
        done.games += 1
        on_game()

    counting = Counting(services.store)
    for bucket in range(BUCKETS):
        done.left_out += counting.rebuild(bucket, one)
    return done


def rebuild_due(services: Services, on_game: OnGame) -> Rebuilt:
    """Write into the due index what each game's stream says: deadlines and bots' moves are data in it."""
    done, store = Rebuilt(corrected=0), services.store
    for bucket in range(BUCKETS):
        names = store.index.games_in(bucket)
        for game in names:
            try:
                done.corrected = (done.corrected or 0) + _schedule(store, services.games.loader, game)
            except (ServiceError, StreamDamaged, codec.DamagedEntry, UnknownEvent, UnfitEvent, ValueError) as error:
                done.left_out.append(LeftOut(game, " ".join(str(error).split())))
            done.games += 1
            on_game()
    return done


PARTS: dict[str, Callable[[Services, OnGame], Rebuilt]] = {"statistics": rebuild_statistics, "due": rebuild_due}
"""What can be made again."""


def _schedule(store: Store, loader: Loader, game: str) -> bool:
    """Correct one game, again if an append comes in between; return whether it was wrong."""
    while True:
        version, due = _due(loader, game, store.streams.head(game))
        answer = store.due_index.schedule(game, version=version, due=due)
        if answer != "overtaken":
            return answer == "corrected"


def _due(loader: Loader, game: str, head: Head | None) -> tuple[int, int | None]:
    """Return a game's version and what it waits for; one that is over waits for nothing, and is not read."""
    if head is not None and head.sealed:
        return head.version, None
    state = loader.load(game).state
    return state.version, due_of(state)


@click.command()
@click.argument("parts", metavar="[statistics] [due]", nargs=-1, type=click.Choice([*PARTS]))
@json_option
@store_options
def rebuild(*, parts: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Make again from the streams what follows from them; exit code 1 if a game cannot be read.

    The statistics over all games, and the index of what is due; without a name both. A service may run meanwhile.
    """
    with open_services(options) as services:
        done = {part: _rebuilt(services, part) for part in PARTS if part in parts or not parts}
    if as_json:
        echo_json(done)
    else:
        show(done)
    if any(one.left_out for one in done.values()):
        raise click.exceptions.Exit(1)


def _rebuilt(services: Services, part: str) -> Rebuilt:
    """Make one part again, with a progress bar."""
    total, games = services.store.index.count(), 0
    with progress_bar(part) as progress:

        def one() -> None:
            nonlocal games
            games += 1
            progress(games, max(total, games))

        progress(0, total)
        return PARTS[part](services, one)


def show(done: dict[str, Rebuilt]) -> None:
    """Print for people what was done."""
    table = display.table("", "games", "put right", "left out")
    for part, one in done.items():
        corrected = "all" if one.corrected is None else f"{one.corrected:,}"
        table.add_row(part, f"{one.games:,}", corrected, f"{len(one.left_out):,}")
    console = display.console()
    console.print(table)
    for part, one in done.items():
        for left_out in one.left_out:
            console.print(f"[red]left out[/] of {part}: {plain(left_out.game)}: {plain(left_out.why)}")
