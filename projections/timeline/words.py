"""How amounts, lists and text of unknown origin read in a sentence."""

from collections.abc import Sequence

_JOINERS = "\u200c\u200d"
"""They do not print, and some scripts and signs cannot be written without them."""


def money(amount: int) -> str:
    """Write whole dollars as people do: `$1,250` or `-$40`."""
    return f"-${-amount:,}" if amount < 0 else f"${amount:,}"


def counted(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun: `1 note`, `3 notes`, `2 children`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(items: Sequence[str]) -> str:
    """Join words: `a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def plain(text: str) -> str:
    """Leave out what does not print; white space of any kind becomes a space."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _JOINERS else " " if c.isspace() else "" for c in text)
