"""A comparison of simulated games without and with house rules as tables for people."""

from collections.abc import Iterator

from rich.table import Table

from service.cli.simulate import social_justice_tables as social_justice
from service.cli.simulate.tables import Titled, made, print_tables
from service.simulation.social_justice.comparison import Comparison, Difference
from service.simulation.social_justice.rule_signs import SIGNS

COLUMNS = ("", "without", "with", "change", "± 2 errors", "deviation", "rose in", "fell in")
SURE = 2
"""A change counts as more than chance when it is more than this many standard errors away from 0."""


def show(comparison: Comparison) -> None:
    """Print a comparison for people."""
    print_tables(heading(comparison), tables(comparison))


def heading(comparison: Comparison) -> str:
    """Return what was played in both halves, in words."""
    without, within = (social_justice.heading(report) for report in (comparison.without, comparison.within))
    return f"Without:\n{without}\n\nWith:\n{within}"


def tables(comparison: Comparison) -> Titled:
    """Make every table, with its title."""
    found = comparison.differences
    of_a_game = {name: figure for name, figure in found.items() if "@" not in name and name not in SIGNS}
    yield "What the house rules changed, a game (figures of a role: a seat that started in it)", differences(of_a_game)
    yield "Gini coefficient and mean net worth after each round: change with the house rules", rounds(comparison)
    changed = {name: figure for name, figure in found.items() if name in SIGNS and is_sure(figure)}
    yield "Rules that were done more or less often than chance alone would explain", differences(changed)


def is_sure(figure: Difference) -> bool:
    """Return whether a change is more than chance."""
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
    """Tabulate the change of wealth after each round."""
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
