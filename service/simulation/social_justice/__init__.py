"""Simulation of The Social Justice Game: how wealth is spread among roles over time, and what house rules change."""

from service.simulation.social_justice.comparison import Comparison, compare
from service.simulation.social_justice.pairs import Pairs, play_pairs
from service.simulation.social_justice.report import SocialJusticeReport, report_on
from service.simulation.social_justice.tally import SocialJusticeTally, play_some

__all__ = [
    "Comparison",
    "Pairs",
    "SocialJusticeReport",
    "SocialJusticeTally",
    "compare",
    "play_pairs",
    "play_some",
    "report_on",
]
