"""Adopted transfers (section 5.3)."""

from events.agenda import Transfers
from service.rules.social_justice.table import SjPlay


def run(_play: SjPlay, _task: Transfers) -> None:
    """Run the transfers of a trigger; there are none yet."""
