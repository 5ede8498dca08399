"""Offers: proposed, countered, accepted, declined, withdrawn, expired (SJG-10, SJG-13)."""

from service.rules.social_justice.table import SjPlay


def lapse(play: SjPlay, seat: int = 0) -> None:
    """Let open offers expire: those of a debtor whose window closes, or with 0 all, at the end of a turn."""


def end_all_of(play: SjPlay, seat: int) -> None:
    """End every offer of and to a seat that is out."""
