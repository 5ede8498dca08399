"""The tables that the simulations of both games share, and how a number, a share and a value are written in them."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Column, Table

from projections.likelihood import ChiSquare
from service.cli import display
from service.simulation.report import RuleFigures
from service.simulation.spread import Spread

SPREAD = ("mean", "least", "5 %", "median", "95 %", "most")
LEFT = {"", "rule", "known by", "thrown for", "card", "text", "role held then", "die"}
BROKEN = {"known by", "text", "role held then"}
GAP = 2
READABLE = 24  # columns of the terminal in which words can be read that are broken into lines

Titled = Iterator[tuple[str, Table]]


def print_tables(heading: str, tables: Titled) -> None:
    """Print a heading, and tables below their titles; one that is wider than the terminal is printed in parts."""
    console = display.console()
    console.print(heading, markup=False)
    for title, table in tables:
        console.print(f"\n{title}", *parts(table, console.width), sep="\n", markup=False)


def parts(table: Table, width: int) -> Iterator[Table]:
    """Yield a table in parts that fit a width: each has the first column, and as many others as there is room for."""
    first, *others = table.columns
    while others:
        room, taken = width - _width(first), 0
        while taken < len(others) and (not taken or room >= GAP + _width(others[taken])):
            room -= GAP + _width(others[taken])
            taken += 1
        part, others = [first, *others[:taken]], others[taken:]
        yield _table(part, zip(*(column.cells for column in part), strict=True))


def _width(column: Column) -> int:
    """Return the width that a column needs."""
    widest = max(cell_len(str(cell)) for cell in (column.header, *column.cells))
    return widest if column.no_wrap else min(widest, READABLE)


def _table(columns: Iterable[Column], rows: Iterable[Iterable[RenderableType]]) -> Table:
    table = Table(
        *(Column(column.header, justify=column.justify, no_wrap=column.no_wrap, overflow="fold") for column in columns),
        box=None,
        pad_edge=False,
    )
    for row in rows:
        table.add_row(*row)
    return table


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
        columns: Names of its columns; some are to the left, and some are broken into lines where they must be.
        rows: Its cells.
        heads: Headers of columns that show another word than their name.
    """
    heads = heads or {}
    made_of = [
        Column(heads.get(name, name), justify="left" if name in LEFT else "right", no_wrap=name not in BROKEN)
        for name in columns
    ]
    return _table(made_of, ([_cell(cell) for cell in row] for row in rows))


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
