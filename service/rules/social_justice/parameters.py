"""The one reader of the rules in force (section 5.1).

A value is the topmost on the stack of adopted and declared rules, else the holder's rate (of a utility), else the
starting value that the seats agreed on, else the default; caps clamp last. Whatever the rules of this game ask of an
amount, a switch or a bound of the catalogue, they ask here, at the moment of need.
"""

from collections.abc import Mapping
from typing import Protocol

from events.base import Scalar
from events.operations import Value
from projections.state_politics import Politics
from service.rules.social_justice.catalogue import DEFAULTS, PARAMETERS, RATES

__all__ = ["PARAMETERS", "flag", "limit", "number", "percents", "roles", "value", "word"]

RATE_MAX = "utility.rate_max"
RATE_MAX_OF_TWO = 500
"""With two seats the Owner alone can block every vote, so her rates have a cap from the start (section 5.5)."""


class Ruled(Protocol):
    """What the reader needs of a state."""

    @property
    def options(self) -> Mapping[str, Scalar]:
        """Options agreed on; of a parameter only where it was given a starting value."""

    @property
    def rates(self) -> Mapping[str, int]:
        """Rates set by holders: `enron.payday`."""

    @property
    def order(self) -> tuple[int, ...]:
        """Every seat that played from the start."""

    @property
    def politics(self) -> Politics:
        """The stack of rules."""


def value(state: Ruled, name: str) -> Value:
    """Give the value in force of a parameter by its full name, such as `payday.salary.owner`."""
    found = uncapped(state, name)
    if name in RATES and isinstance(found, int):
        return capped(found, limit(state, RATE_MAX))
    return found


def uncapped(state: Ruled, name: str) -> Value:
    """Give the value that stands before a cap on rates: what comes back when the cap is repealed."""
    values = state.politics.values
    if name in values:
        return values[name]
    if name in RATES and (rate := state.rates.get(rate_key(name))) is not None:
        return rate
    return starting(state, name)


def starting(state: Ruled, name: str) -> Value:
    """Give the value that a parameter had when play began."""
    if name in state.options:
        return read_option(name, state.options[name])
    if name == RATE_MAX and len(state.order) == 2:
        return RATE_MAX_OF_TWO
    return DEFAULTS[name]


def rate_key(name: str) -> str:
    """Give the key of a holder's rate: `enron.payday` for `utility.enron.payday_rate`."""
    _, utility, when = name.split(".")
    return f"{utility}.{when.removesuffix('_rate')}"


def locked(state: Ruled, name: str) -> bool:
    """Tell whether the stack of rules holds a rate, so that its holder may not set it (SJG-66)."""
    return name in state.politics.values


def capped(amount: int, cap: int | None) -> int:
    """Hold an amount down to a cap, where there is one."""
    return amount if cap is None else min(amount, cap)


def utility_charge(state: Ruled, utility: str, when: str, role: str) -> int:
    """Say what somebody of a role owes a utility at a `payday` or for `landing`: the rate, then the role's cap."""
    rate = number(state, f"utility.{utility}.{when}_rate")
    return capped(rate, limit(state, f"utility.{utility}.{when}_cap.{role}"))


def number(state: Ruled, name: str) -> int:
    """Read a whole number."""
    found = value(state, name)
    assert isinstance(found, int) and not isinstance(found, bool), name
    return found


def limit(state: Ruled, name: str) -> int | None:
    """Read a whole number that may be absent."""
    return None if value(state, name) is None else number(state, name)


def flag(state: Ruled, name: str) -> bool:
    """Read a switch."""
    found = value(state, name)
    assert isinstance(found, bool), name
    return found


def word(state: Ruled, name: str) -> str:
    """Read a word."""
    found = value(state, name)
    assert isinstance(found, str), name
    return found


def roles(state: Ruled, name: str) -> frozenset[str]:
    """Read a set of roles."""
    found = value(state, name)
    assert isinstance(found, tuple), name
    return frozenset(map(str, found))


def percents(state: Ruled, name: str) -> tuple[int, ...]:
    """Read a list of shares, one for each face of a die, the first for a 1."""
    found = value(state, name)
    assert isinstance(found, tuple), name
    return tuple(map(int, found))


def read_option(name: str, written: Scalar) -> Value:
    """Read a starting value out of an option, where a list is written with commas: `employee,manager`."""
    default = DEFAULTS[name]
    if not isinstance(default, tuple) or not isinstance(written, str):
        return written
    words = tuple(part for part in written.split(",") if part)
    return tuple(map(int, words)) if name == "college.aid_charge" else words
