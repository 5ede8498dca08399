"""Loans, offers and agreements."""

from msgspec import Struct


class Deals(Struct, kw_only=True):
    """What the seats have agreed on between them."""

    def anew(self) -> "Deals":
        """Give one of its own to somebody who will change it."""
        return Deals()
