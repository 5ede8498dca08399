"""The report on simulated games of Public Assistance as tables for people."""

from collections.abc import Mapping

from rich.table import Table

from events.public_assistance.board import public_assistance_deck
from service.cli.simulate import tables as t
from service.rules import options as agreed
from service.simulation.public_assistance.report import PublicAssistanceReport
from service.simulation.public_assistance.rule_signs import SIGNS
from service.simulation.report import CardFigures


def show(report: PublicAssistanceReport) -> None:
    """Print a report for people."""
    t.print_tables(heading(report), tables(report))


def heading(report: PublicAssistanceReport) -> str:
    """Return what was played, in words."""
    usual = agreed.settle_months(agreed.defaults(), report.players)
    return (
        f"{report.games:,} games of {report.players}, {report.options['months']} months, bots: {report.bots}, "
        f"seed: {report.seed}\n{t.options_text(report.options, usual)}"
    )


def tables(report: PublicAssistanceReport) -> t.Titled:
    """Make every table, with its title."""
    yield "Length of a game", t.lengths(report.turns, report.rounds, report.events)
    yield f"Where winners ended ({report.shared:,} of the games were shared)", winners(report)
    yield "Dollars in the end, after tax and loans", money(report)
    yield "Income tax of seats that ended in the rut", taxes(report)
    yield "How often each rule was done, and by what it is known", t.rules(report.rules, report.games, SIGNS)
    yield f"Faces of the dice ({t.fairness(report.fair_dice)})", dice(report)
    for deck, figures in report.cards.items():
        yield f"Cards of the {deck} deck (first draw of each game: {t.fairness(figures.fair)})", cards(deck, figures)


def winners(report: PublicAssistanceReport) -> Table:
    """Tabulate where winners ended."""
    total = sum(track.winners for track in report.tracks.values())
    rows = [(name, track.winners, t.percent(track.winners, total)) for name, track in report.tracks.items()]
    return t.made(("", "winners", "share"), rows)


def money(report: PublicAssistanceReport) -> Table:
    """Tabulate results after tax."""
    rows = [
        (name, track.money.count if track.money else 0, *t.spread_cells(track.money))
        for name, track in report.tracks.items()
    ]
    return t.made(("", "seats", *t.SPREAD), rows)


def taxes(report: PublicAssistanceReport) -> Table:
    """Tabulate who paid how much tax."""
    total = sum(report.brackets.values())
    rows = [(f"{tax} %", seats, t.percent(seats, total)) for tax, seats in report.brackets.items()]
    return t.made(("", "seats", "share"), rows)


def dice(report: PublicAssistanceReport) -> Table:
    """Tabulate the faces of the dice."""
    rows: Mapping[str, list[int]] = {
        **report.dice,
        "all": [sum(faces) for faces in zip(*report.dice.values(), strict=True)],
    }
    return t.made(("thrown for", *"123456"), [(name, *faces) for name, faces in rows.items()])


def cards(deck: str, figures: CardFigures) -> Table:
    """Tabulate the cards that were drawn."""
    held = public_assistance_deck(deck)
    total = sum(figures.drawn.values())
    rows = [(card, held[card].count, n, t.percent(n, total), held[card].text) for card, n in figures.drawn.items()]
    return t.made(("card", "copies", "drawn", "share", "text"), rows)
