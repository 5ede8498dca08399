"""Refusals: an action that the rules do not allow is answered with a stable code and a sentence."""

from collections.abc import Iterable
from difflib import get_close_matches

from msgspec import Struct


class Refusal(Struct, frozen=True):
    """Why something is not possible right now.

    Attributes:
        code: Stable word for programs, listed in docs/errors.md.
        detail: One sentence for people.
        field: Parameter that is at fault; empty when it is not about one.
    """

    code: str
    detail: str
    field: str = ""


class RuleViolation(Exception):
    """The action is against the rules; nothing of it happened."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.detail)
        self.refusal = refusal


def refuse(code: str, detail: str, field: str = "") -> RuleViolation:
    """Build the exception for a refusal, to be raised by the caller."""
    return RuleViolation(Refusal(code, detail, field))


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return the sentence about a name that nothing has, with the one that was perhaps meant."""
    meant = "".join(f" Perhaps {close} was meant." for close in get_close_matches(name[:80], known, 1, 0.8))
    return f"There is no {what} called {name[:40]!r}.{meant}"
