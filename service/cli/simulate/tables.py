"""The tables that the simulations of both games share, and how a number, a share and a value are written in them."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from rich.console import Console
from rich.table import Table

from projections.likelihood import ChiSquare
from service.simulation.report import RuleFigures
from service.simulation.spread import Spread

SPREAD = ("mean", "least", "5 %", "median", "95 %", "most")
LEFT = {"", "rule", "known by", "thrown for", "card", "text", "role held then", "die"}

Titled = Iterator[tuple[str, Table]]


def print_tables(heading: str, tables: Titled) -> None:
    """Print a heading, and tables below their titles."""
    console = Console(highlight=False, markup=False)
    console.print(heading)
    for title, table in tables:
        console.print(f"\n{title}", table, sep="\n")


def value_text(value: object) -> str:
    """Write an option's value as it is given on the command line."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else "null" if value is None else str(value)


def options_text(options: Mapping[str, object], usual: Mapping[str, object]) -> str:
    """Write the options that are not as usual."""
    other = [f"{name}={value_text(value)}" for name, value in options.items() if value != usual[name]]
    return f"options: {', '.join(other) or 'as the rulebook has them'}"


def made(columns: Iterable[str], rows: Iterable[Iterable[object]], heads: Mapping[str, str] | None = None) -> Table:
    """Make a table.

    Args:
        columns: Names of its columns; some are to the left, and `text` is broken where it must be.
        rows: Its cells.
        heads: Headers of columns that show another word than their name.
    """
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(
            (heads or {}).get(column, column), justify="left" if column in LEFT else "right", no_wrap=column != "text"
        )
    for row in rows:
        table.add_row(*(_cell(cell) for cell in row))
    return table


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}" if isinstance(value, float) else str(value)


def spread_cells(figures: Spread | None) -> tuple[object, ...]:
    """Return the cells of a spread; dashes without any."""
    if figures is None:
        return ("–",) * len(SPREAD)
    return figures.mean, figures.least, figures.p5, figures.median, figures.p95, figures.most


def percent(part: int, whole: int) -> str:
    """Write a share with one decimal."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def lengths(turns: Spread, rounds: Spread, events: Spread) -> Table:
    """Tabulate how long games were."""
    parts = {"turns": turns, "rounds": rounds, "events": events}
    return made(("", *SPREAD), [(name, *spread_cells(part)) for name, part in parts.items()])


def rules(figures: Mapping[str, RuleFigures], games: int, signs: Mapping[str, Collection[str]]) -> Table:
    """Tabulate how often each rule was done, and the events that show it."""
    rows = [
        (rule, done.times, done.per_game, percent(done.games, games), ", ".join(sorted(signs[rule])))
        for rule, done in figures.items()
    ]
    return made(("rule", "times", "a game", "of games", "known by"), rows)


def fairness(found: ChiSquare) -> str:
    """Write how far counts are from fair, and how often chance goes as far."""
    chance = "too few for a verdict" if found.p is None else f"p {found.p:.4f}"
    return f"chi-square {found.value:,.2f} at {found.freedom} degrees of freedom, {chance}"
