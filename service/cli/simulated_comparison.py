"""A comparison of simulated games without and with house rules as tables for people."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from service.cli.simulated import made
from service.cli.simulated_social_justice import heading
from service.simulation.social_justice.comparison import Comparison, Difference
from service.simulation.social_justice.rule_signs import SIGNS

COLUMNS = ("", "without", "with", "change", "± 2 errors", "deviation", "rose in", "fell in")
SURE = 2
"""A change counts as more than chance when it is this many standard errors away from nothing."""


def show(comparison: Comparison) -> None:
    """Print a comparison for people."""
    console = Console(highlight=False, markup=False)
    console.print(f"Without:\n{heading(comparison.without)}\n\nWith:\n{heading(comparison.within)}")
    for title, table in tables(comparison):
        console.print(f"\n{title}", table, sep="\n")


def tables(comparison: Comparison) -> Iterator[tuple[str, Table]]:
    """Make every table, with its title."""
    found = comparison.differences
    of_a_game = {name: figure for name, figure in found.items() if "@" not in name and name not in SIGNS}
    yield "What the house rules changed, a game (figures of a role: a seat that started in it)", differences(of_a_game)
    yield "Gini coefficient and mean net worth behind each round: change with the house rules", rounds(comparison)
    changed = {name: figure for name, figure in found.items() if name in SIGNS and is_sure(figure)}
    yield "Rules that were done more or less often than chance alone would explain", differences(changed)


def is_sure(figure: Difference) -> bool:
    """Tell whether a change is more than chance."""
    return abs(figure.change) > SURE * figure.error


def differences(figures: dict[str, Difference]) -> Table:
    """Tabulate differences."""
    return made(COLUMNS, [(name, *_cells(name, figure)) for name, figure in figures.items()])


def _cells(name: str, figure: Difference) -> Iterator[object]:
    digits = 4 if name.startswith("gini") else 2
    for number in (figure.without, figure.within):
        yield f"{number:,.{digits}f}"
    yield f"{figure.change:+,.{digits}f}"
    for number in (SURE * figure.error, figure.deviation):
        yield f"{number:,.{digits}f}"
    yield from (figure.rose, figure.fell)


def rounds(comparison: Comparison) -> Table:
    """Tabulate the change of wealth behind each round."""
    roles = [*comparison.without.roles]
    last = max(comparison.without.rounds.most, comparison.within.rounds.most)
    names = ["gini", *(f"worth.{role}" for role in roles)]
    rows = [
        (f"{at}", *(_change(name, comparison.differences[f"{name}@{at}"]) for name in names)) for at in range(last + 1)
    ]
    return made(("round", "Gini", *roles), rows)


def _change(name: str, figure: Difference) -> str:
    digits = 3 if name == "gini" else 0
    return f"{figure.change:+,.{digits}f} ± {SURE * figure.error:,.{digits}f}"
