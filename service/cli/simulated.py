"""A simulation's report as tables for people."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from rich.console import Console
from rich.table import Table

from events.public_assistance.board import public_assistance_deck
from projections.likelihood import ChiSquare
from service.rules import options as agreed
from service.simulation.public_assistance.report import PublicAssistanceReport, TrackFigures
from service.simulation.public_assistance.rule_signs import SIGNS
from service.simulation.report import CardFigures
from service.simulation.spread import Spread

SPREAD = ("mean", "least", "5 %", "median", "95 %", "most")
LEFT = {"", "rule", "known by", "thrown for", "card", "text", "role held then", "die"}


def show(report: PublicAssistanceReport) -> None:
    """Print a report for people."""
    console = Console(highlight=False, markup=False)
    console.print(heading(report))
    for title, table in tables(report):
        console.print(f"\n{title}", table, sep="\n")


def heading(report: PublicAssistanceReport) -> str:
    """Say what was played."""
    usual = agreed.settle_months(agreed.defaults(), report.players)
    other = [f"{name}={value_text(value)}" for name, value in report.options.items() if value != usual[name]]
    return (
        f"{report.games:,} games of {report.players}, {report.options['months']} months, bots: {report.bots}, "
        f"seed: {report.seed}\noptions: {', '.join(other) or 'as the rulebook has them'}"
    )


def value_text(value: object) -> str:
    """Write an option's value as it is given on the command line."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else "null" if value is None else str(value)


def tables(report: PublicAssistanceReport) -> Iterator[tuple[str, Table]]:
    """Make every table, with its title."""
    yield "Length of a game", length(report)
    yield f"Where winners ended ({report.shared:,} of the games were shared)", winners(report)
    yield "Dollars in the end, after tax and loans", money(report)
    yield "Income tax of seats that ended in the rut", taxes(report)
    yield "How often each rule was done, and by what it is known", rules(report)
    yield f"Faces of the dice ({fairness(report.fair_dice)})", dice(report)
    for deck, figures in report.cards.items():
        yield f"Cards of the {deck} deck (first draw of each game: {fairness(figures.fair)})", cards(deck, figures)


def made(columns: Iterable[str], rows: Iterable[Iterable[object]], heads: Mapping[str, str] | None = None) -> Table:
    """Make a table.

    Args:
        columns: Names of its columns; some are to the left, and `text` is broken where it must be.
        rows: Its cells.
        heads: What stands over a column instead of its name.
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
    """Give the cells of a spread; dashes without any."""
    if figures is None:
        return ("–",) * len(SPREAD)
    return figures.mean, figures.least, figures.p5, figures.median, figures.p95, figures.most


class Lengths(Protocol):
    """A report that says how long games were."""

    @property
    def turns(self) -> Spread:
        """Give the turns of a game."""

    @property
    def rounds(self) -> Spread:
        """Give the rounds of a game."""

    @property
    def events(self) -> Spread:
        """Give the events of a game."""


def length(report: Lengths) -> Table:
    """Tabulate how long games were."""
    parts = {"turns": report.turns, "rounds": report.rounds, "events": report.events}
    return made(("", *SPREAD), [(name, *spread_cells(part)) for name, part in parts.items()])


def winners(report: PublicAssistanceReport) -> Table:
    """Tabulate where winners ended."""
    total = sum(track.winners for track in report.tracks.values())
    rows = [(name, track.winners, percent(track.winners, total)) for name, track in report.tracks.items()]
    return made(("", "winners", "share"), rows)


def percent(part: int, whole: int) -> str:
    """Write a share with one decimal."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def money(report: PublicAssistanceReport) -> Table:
    """Tabulate results after tax."""
    rows = [(name, _seats(track), *spread_cells(track.money)) for name, track in report.tracks.items()]
    return made(("", "seats", *SPREAD), rows)


def _seats(track: TrackFigures) -> int:
    return track.money.count if track.money else 0


def taxes(report: PublicAssistanceReport) -> Table:
    """Tabulate who paid how much tax."""
    total = sum(report.brackets.values())
    rows = [(f"{tax} %", seats, percent(seats, total)) for tax, seats in report.brackets.items()]
    return made(("", "seats", "share"), rows)


def rules(report: PublicAssistanceReport) -> Table:
    """Tabulate how often each rule was done."""
    rows = [
        (rule, done.times, done.per_game, percent(done.games, report.games), ", ".join(sorted(SIGNS[rule])))
        for rule, done in report.rules.items()
    ]
    return made(("rule", "times", "a game", "of games", "known by"), rows)


def dice(report: PublicAssistanceReport) -> Table:
    """Tabulate the faces of the dice."""
    rows: Mapping[str, list[int]] = {
        **report.dice,
        "all": [sum(faces) for faces in zip(*report.dice.values(), strict=True)],
    }
    return made(("thrown for", *"123456"), [(name, *faces) for name, faces in rows.items()])


def cards(deck: str, figures: CardFigures) -> Table:
    """Tabulate the cards that were drawn."""
    held = public_assistance_deck(deck)
    total = sum(figures.drawn.values())
    rows = [(card, held[card].count, n, percent(n, total), held[card].text) for card, n in figures.drawn.items()]
    return made(("card", "copies", "drawn", "share", "text"), rows)


def fairness(found: ChiSquare) -> str:
    """Say how far counts are from fair, and how often chance goes as far."""
    chance = "too few for a verdict" if found.p is None else f"p {found.p:.4f}"
    return f"chi-square {found.value:,.2f} at {found.freedom} degrees of freedom, {chance}"
