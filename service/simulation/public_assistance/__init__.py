"""Simulation of Public Assistance: where seats end, with how much, and how often each rule is done."""

from service.simulation.public_assistance.report import PublicAssistanceReport, report_on
from service.simulation.public_assistance.tally import PublicAssistanceTally, play_some

__all__ = ["PublicAssistanceReport", "PublicAssistanceTally", "play_some", "report_on"]
