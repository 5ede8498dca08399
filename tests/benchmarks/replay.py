"""How fast a game is replayed in memory: `python -m tests.benchmarks.replay`."""

import gc
from collections.abc import Callable
from time import perf_counter

import click

from events import chain, codec
from events.base import Envelope, Event
from events.examples.events import GAME
from projections import evolve as game
from projections.ledger.books import Books
from projections.replay import begin, replay
from tests.projections.streams import Stream, long_game, stored

TURNS = 5_555


def rate(count: int, work: Callable[[], object], rounds: int = 5) -> int:
    """Best of some rounds, in events a second."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        started = perf_counter()
        work()
        best = min(best, perf_counter() - started)
    return int(count / best)


def books_of(envelopes: list[Envelope[Event]]) -> Books:
    books = Books()
    for envelope in envelopes:
        books.fold(envelope)
    return books


@click.command()
def main() -> None:
    """Print events a second for each part of a replay, and for the whole."""
    envelopes = long_game(TURNS)
    entries = stored(envelopes)
    data = [entry for entry, _ in entries]
    count = len(entries)
    click.echo(f"{count:,} events")
    for what, work in {
        "chain": lambda: chain.links(chain.genesis(GAME), data),
        "decode": lambda: codec.decode_all(data),
        "state": lambda: game.fold(envelopes),
        "books": lambda: books_of(envelopes),
        "replay": lambda: replay(Stream(entries).read(0, None), *begin(GAME)),
    }.items():
        click.echo(f"{what:8}{rate(count, work):>12,} events/s")


if __name__ == "__main__":
    main()
