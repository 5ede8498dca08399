"""What the holder of a utility may charge: set, raised and lowered at will on own turns (SJG-66, SJG-69, SJG-72)."""

from events.social_justice.events import RateSet
from service.rules import actions_social_justice as a
from service.rules.bounds import Bound, OneOf, Range
from service.rules.social_justice import parameters
from service.rules.social_justice.shorthand import SjPlay, State, held_by, limit, number
from service.rules.violations import Refusal

MOST = 10_000
"""Technical cap on a rate; the rulebook sets none."""


def settable(state: State, seat: int) -> list[str]:
    """List the rates that a seat may set: of the utilities that it holds, those that no rule in force holds."""
    names = [f"{square.key}.{when}" for square in held_by(state, seat) if square.key for when in ("payday", "landing")]
    return [name for name in names if not parameters.locked(state, f"utility.{name}_rate")]


def why_not_set(state: State, seat: int) -> Refusal | None:
    """Return why a seat may set no rate right now."""
    if not any(square.key for square in held_by(state, seat)):
        return Refusal("no_utility", "Only the holder of a utility sets its rates (SJG-66).")
    if not number(state, "utility.holder_sets_rates"):
        return Refusal("rates_not_free", "Holders set no rates, by a rule in force.")
    if not settable(state, seat):
        return Refusal("rate_locked", "The rules in force hold these rates (SJG-66).")
    return None


def objection(state: State, _seat: int, action: a.SetRate) -> Refusal | None:
    """Return why this rate is not the holder's to set: a rule in force holds it."""
    if parameters.locked(state, f"utility.{action.name}_rate"):
        return Refusal("rate_locked", "A rule in force holds this rate (SJG-66).", "name")
    return None


def rate_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound name and rate."""
    most = limit(state, "utility.rate_max")
    return {"name": OneOf(tuple(settable(state, seat))), "rate": Range(0, MOST if most is None else most)}


def set_rate(play: SjPlay, seat: int, action: a.SetRate) -> None:
    """Set a rate for later charges; the prompt stays open."""
    play.record(RateSet(seat=seat, name=action.name, rate=action.rate))
