"""The one reader of the rules in force.

A value is the topmost on the stack of adopted and declared rules, else the holder's rate (of a utility), else the
starting value that the seats agreed on, else the default; caps clamp last. Whatever the rules of this game ask of an
amount, a switch or a bound of the catalogue, they ask here, at the moment of need.
"""

from events.base import OptionValue
from events.social_justice.operations import Value
from projections.state.social_justice import SocialJusticeState as State
from service.rules.social_justice.catalogue import PARAMETERS, RATES

RATE_MAX = "utility.rate_max"


def value(state: State, name: str) -> OptionValue:
    """Return the value in force of a parameter by its full name, such as `payday.salary.owner`."""
    found = uncapped(state, name)
    if name in RATES:
        assert isinstance(found, int), name
        return capped(found, _limit(state, RATE_MAX))
    return found


def uncapped(state: State, name: str) -> OptionValue:
    """Return the value before the cap on rates: what comes back when the cap is repealed."""
    values = state.politics.values
    if name in values:
        return plain(values[name])
    if name in RATES and RATES[name] in state.rates:
        return state.rates[RATES[name]]
    return starting(state, name)


def plain(value: Value) -> OptionValue:
    """Return a rule's value as options have theirs: a list is a list."""
    return [*value] if isinstance(value, tuple) else value


def starting(state: State, name: str) -> OptionValue:
    """Return the value that a parameter had when play began: agreed on, else the default."""
    return state.options[name] if name in state.options else PARAMETERS[name].default


def locked(state: State, name: str) -> bool:
    """Return whether the stack of rules holds a rate, so that its holder may not set it (SJG-66)."""
    return name in state.politics.values


def capped(amount: int, cap: int | None) -> int:
    """Hold an amount down to a cap, where there is one."""
    return amount if cap is None else min(amount, cap)


def _limit(state: State, name: str) -> int | None:
    found = value(state, name)
    assert found is None or isinstance(found, int), name
    return found
