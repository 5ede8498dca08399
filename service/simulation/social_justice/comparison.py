"""The comparison: what house rules changed, figure by figure, over pairs of games with the same dice."""

import math

import msgspec
from msgspec import Struct

from service.simulation.matches import Plan
from service.simulation.social_justice.house_rules import HouseRules
from service.simulation.social_justice.pairs import Pairs
from service.simulation.social_justice.report import SocialJusticeReport, report_on
from service.simulation.social_justice.rule_signs import SIGNS
from service.simulation.social_justice.wealth import WHOLE

RULES = {rule: at for at, rule in enumerate(SIGNS)}
"""Where a rule stands in the catalogue."""


class Difference(Struct, frozen=True, kw_only=True):
    """How a figure of a game differs with the house rules.

    Attributes:
        without: Its mean without them.
        within: Its mean with them.
        change: Mean of its change over the pairs.
        deviation: Standard deviation of the change over the pairs; 0 with one pair.
        error: Standard error of the mean change; two of it either way is where the true mean probably lies.
        rose: Pairs in which it rose.
        fell: Pairs in which it fell.
    """

    without: float
    within: float = msgspec.field(name="with")
    change: float
    deviation: float
    error: float
    rose: int
    fell: int


class Comparison(Struct, frozen=True, kw_only=True, rename={"within": "with"}):
    """What the same games were like without and with house rules.

    Attributes:
        without: The report without them.
        within: The report with them (`with` on the wire).
        differences: Figure → how it differs; names as in `pairs.figures_of`. Figures of a role are means of a seat.
    """

    without: SocialJusticeReport
    within: SocialJusticeReport
    differences: dict[str, Difference]


def compare(without: Plan, within: Plan, pairs: Pairs, rules: HouseRules, base: HouseRules | None) -> Comparison:
    """Make the comparison of two plans that were played.

    Args:
        without: The plan without the rules in question.
        within: The plan with them.
        pairs: What was counted.
        rules: The rules in force with them, those of `base` included.
        base: House rules in force in both.
    """
    before = report_on(without, pairs.without, base)
    after = report_on(within, pairs.within, rules)
    rounds = max(before.rounds.most, after.rounds.most)
    names = [name for name in _names(pairs) if int(name.partition("@")[2] or 0) <= rounds]
    return Comparison(
        without=before, within=after, differences={name: _difference(pairs, name, before) for name in names}
    )


def _names(pairs: Pairs) -> list[str]:
    return sorted({name for name, _ in pairs.sums}, key=_in_order)


def _in_order(name: str) -> tuple[int, int, str]:
    """Sort figures of a whole game by name, then rules as in the catalogue, then figures of a round."""
    figure, _, number = name.partition("@")
    return int(number or -1), RULES.get(figure, -1), figure


def _difference(pairs: Pairs, name: str, report: SocialJusticeReport) -> Difference:
    games, scale = report.games, _scale(name, report)
    old, new = pairs.sums[name, "without"], pairs.sums[name, "with"]
    change = (new - old) / games
    deviation = 0.0
    if games > 1:
        squares = games * pairs.sums[name, "square"] - (new - old) ** 2  # a whole number, so nothing is lost
        deviation = math.sqrt(squares / (games * (games - 1)))
    return Difference(
        without=round(old / games / scale, 4),
        within=round(new / games / scale, 4),
        change=round(change / scale, 4),
        deviation=round(deviation / scale, 4),
        error=round(deviation / math.sqrt(games) / scale, 4),
        rose=pairs.sums[name, "rose"],
        fell=pairs.sums[name, "fell"],
    )


def _scale(name: str, report: SocialJusticeReport) -> float:
    """Return what a figure is divided by: seats of the role, or what a Gini coefficient of 1 is counted as."""
    figure = name.partition("@")[0]
    if figure == "gini":
        return WHOLE
    role = figure.partition(".")[2]
    return report.roles[role].seats / report.games if role in report.roles else 1
