"""Agreements between two, and their scheduled payments (SJG-31)."""

from events.agenda import Scheduled
from service.rules.social_justice.table import SjPlay


def pay_scheduled(play: SjPlay, task: Scheduled) -> None:
    """Make the payments that a seat agreed to make now."""


def end_all_of(play: SjPlay, seat: int) -> None:
    """End every agreement of a seat that is out."""
