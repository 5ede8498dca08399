"""Simulation: many whole games in process, and what they were like.

Games are played by the same `decide` and folded by the same handlers as the service's own; nothing is stored. A report
holds counts alone until the very end, so it is the same however many processes share the work.
"""

from service.simulation.playing import Plan, play_some
from service.simulation.pool import simulate
from service.simulation.report import Report, report_on
from service.simulation.tally import Tally

__all__ = ["Plan", "Report", "Tally", "play_some", "report_on", "simulate"]
