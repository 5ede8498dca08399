"""The report on simulated games of The Social Justice Game as tables for people."""

from rich.table import Table

from events.social_justice.board import change_deck
from service.cli.simulate import tables as t
from service.rules.rulebooks import SOCIAL_JUSTICE
from service.simulation.social_justice.report import OUT, SocialJusticeReport
from service.simulation.social_justice.rule_signs import SIGNS


def show(report: SocialJusticeReport) -> None:
    """Print a report for people."""
    t.print_tables(heading(report), tables(report))


def heading(report: SocialJusticeReport) -> str:
    """Return what was played, in words."""
    known = {name: default for name, (default, *_) in SOCIAL_JUSTICE.options.known.items()}
    usual = {**known, **SOCIAL_JUSTICE.settle_options({}, report.players)}
    house_rules = "".join(f"\nhouse rule: {_operation(operation)}" for operation in report.house_rules)
    return (
        f"{report.games:,} games of {report.players}, bots: {report.bots}, seed: {report.seed}\n"
        f"{t.options_text(report.options, usual)}{house_rules}"
    )


def _operation(operation: dict[str, object]) -> str:
    """Write an operation in a line, without fields that are left out."""
    parts = [f"{name} {_part(value)}" for name, value in operation.items() if value not in (None, {}, "", "op")]
    return ", ".join(parts).removeprefix("op ")


def _part(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name} {_part(part)}" for name, part in value.items() if part not in (None, [], ()))
    return "/".join(map(str, value)) if isinstance(value, list | tuple) else t.value_text(value)


def tables(report: SocialJusticeReport) -> t.Titled:
    """Make every table, with its title."""
    yield "Length of a game", t.lengths(report.turns, report.rounds, report.events)
    yield "Why games ended", ends(report)
    yield "Net worth in the end, by role at the start", worth(report)
    yield (
        "Wealth after each round: Gini coefficient, mean net worth and share of all wealth by role at the start",
        wealth(report),
    )
    yield "From role to role: where seats ended that started in a role", mobility(report)
    yield "Bankruptcies and deaths, by role at the start", outs(report)
    yield "Ranks, by role at the start", ranks(report)
    yield "How often each rule was done, and by what it is known", t.rules(report.rules, report.games, SIGNS)
    fair = "; ".join(f"d{sides}: {t.fairness(found)}" for sides, found in report.fair_dice.items())
    yield f"Faces of the dice ({fair})", dice(report)
    yield f"Change cards (first draw of each game: {t.fairness(report.cards.fair)})", cards(report)


def ends(report: SocialJusticeReport) -> Table:
    """Tabulate why games ended."""
    rows = [(reason.replace("_", " "), n, t.percent(n, report.games)) for reason, n in report.ends.items()]
    return t.made(("", "games", "share"), rows)


def worth(report: SocialJusticeReport) -> Table:
    """Tabulate net worth at the end."""
    rows = [(role, found.seats, *t.spread_cells(found.worth)) for role, found in report.roles.items()]
    return t.made(("", "seats", *t.SPREAD), rows)


def wealth(report: SocialJusticeReport) -> Table:
    """Tabulate how wealth was spread after each round."""
    roles = [*report.roles]
    rows = [
        (
            f"{at.round}",
            f"{at.gini:.3f}",
            *(round(at.mean[role]) for role in roles),
            *(f"{at.share[role]:.1f} %" for role in roles),
            *(f"{at.still_in[role]:.0f} %" for role in roles),
        )
        for at in report.wealth
    ]
    heads = [f"{role} {what}" for what in ("$", "share", "in") for role in roles]
    return t.made(("round", "Gini", *heads), rows)


def mobility(report: SocialJusticeReport) -> Table:
    """Tabulate the ways through the roles."""
    ends = [*report.roles["owner"].ended]
    rows = [(role, *(t.percent(found.ended[end], found.seats) for end in ends)) for role, found in report.roles.items()]
    return t.made(("", *ends), rows)


def outs(report: SocialJusticeReport) -> Table:
    """Tabulate who went out: how many, as what, and when."""
    rows = [
        (
            f"{role}, {why}",
            found.outs[why].seats,
            t.percent(found.outs[why].seats, found.seats),
            ", ".join(f"{held} {seats:,}" for held, seats in found.outs[why].held.items()) or "–",
            " ".join(f"{number}:{seats}" for number, seats in found.outs[why].rounds.items()) or "–",
        )
        for role, found in report.roles.items()
        for why in OUT
        if found.outs[why].seats
    ]
    return t.made(("", "seats", "share", "role held then", "text"), rows, heads={"text": "round:seats"})


def ranks(report: SocialJusticeReport) -> Table:
    """Tabulate the ranking."""
    columns = [*map(str, range(1, report.players + 1)), "0"]
    rows = [
        (role, *(t.percent(found.ranks.get(rank, 0), found.seats) for rank in columns))
        for role, found in report.roles.items()
    ]
    return t.made(("", *columns[:-1], "out"), rows)


def dice(report: SocialJusticeReport) -> Table:
    """Tabulate the faces of the dice."""
    rows = [(die.purpose, f"d{die.sides}", " ".join(f"{n:,}" for n in die.faces)) for die in report.dice]
    return t.made(("thrown for", "die", "text"), rows, heads={"text": "how often 1, 2, 3 …"})


def cards(report: SocialJusticeReport) -> Table:
    """Tabulate the cards that were drawn."""
    held, drawn = change_deck(), report.cards.drawn
    total = sum(drawn.values())
    rows = [(card, held[card].count, n, t.percent(n, total), held[card].text) for card, n in drawn.items()]
    return t.made(("card", "copies", "drawn", "share", "text"), rows)
