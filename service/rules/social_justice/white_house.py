"""The White House and the presidency (SJG-78 to SJG-85)."""

from service.rules.social_justice.table import SjPlay


def arrive(_play: SjPlay, _seat: int) -> None:
    """Land on the White House."""


def leave_office(_play: SjPlay) -> None:
    """End a presidency with its turn (SJG-80)."""
