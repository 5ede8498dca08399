"""The catalogue of what can be voted on, and the one reader of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from events.base import OptionValue
from events.boards_social_justice import ROLES, UTILITIES
from projections.state_social_justice import SocialJusticeState
from service.rules.bounds import Bound, Each, OneOf, OrNone, Range, SomeOf

FLAG = OneOf((False, True))
ROLE_SET = SomeOf(ROLES)
PERCENT = Range(0, 100)


@dataclass(frozen=True)
class Parameter:
    """One parameter: what it is unless somebody changed it, and within what bounds."""

    default: OptionValue
    bound: Bound


def _by_role(name: str, defaults: tuple[OptionValue, ...], bound: Bound) -> dict[str, Parameter]:
    return {f"{name}.{role}": Parameter(default, bound) for role, default in zip(ROLES, defaults, strict=True)}


def _utility(key: str) -> dict[str, Parameter]:
    cap = OrNone(Range(0, 10_000))
    none = (None,) * len(ROLES)
    return {
        f"utility.{key}.payday_rate": Parameter(50, Range(0, 10_000)),
        f"utility.{key}.landing_rate": Parameter(25, Range(0, 10_000)),
        **_by_role(f"utility.{key}.payday_cap", none, cap),
        **_by_role(f"utility.{key}.landing_cap", none, cap),
        f"utility.{key}.public": Parameter(False, FLAG),
        f"utility.price.{key}": Parameter(500, Range(0, 10_000)),
    }


PARAMETERS: Mapping[str, Parameter] = {
    **_by_role("payday.salary", (200, 500, 1000, 3000), Range(0, 20_000)),
    "payday.enabled": Parameter(True, FLAG),
    **_by_role("backtax.pct", (50, 50, 50, 50), PERCENT),
    "backtax.utilities": Parameter(True, FLAG),
    **_by_role("move.die", (4, 6, 8, 10), OneOf((4, 6, 8, 10, 12, 20))),
    **_by_role("move.extra", (0, 0, 0, 0), Range(-3, 3)),
    **{name: parameter for key in UTILITIES for name, parameter in _utility(key).items()},
    "utility.rate_max": Parameter(None, OrNone(Range(0, 10_000))),
    "utility.holder_sets_rates": Parameter(True, FLAG),
    "property.price_pct": Parameter(100, Range(10, 500)),
    "property.house_cost_pct": Parameter(100, Range(0, 500)),
    "property.rent_pct": Parameter(100, Range(0, 500)),
    **_by_role("property.rent_cap", (None,) * 4, OrNone(Range(0, 10_000))),
    "property.max_houses": Parameter(3, Range(1, 3)),
    "property.purchase_enabled": Parameter(True, FLAG),
    "property.resale_pct": Parameter(50, PERCENT),
    "property.house_resale_pct": Parameter(50, PERCENT),
    "gentrify.enabled": Parameter(True, FLAG),
    "gentrify.price_pct": Parameter(100, Range(100, 500)),
    "gentrify.min_houses": Parameter(1, Range(0, 3)),
    "gentrify.protected_roles": Parameter([], ROLE_SET),
    "gentrify.allowed_roles": Parameter(list(ROLES), ROLE_SET),
    "community.enabled": Parameter(True, FLAG),
    "community.scope": Parameter("square", OneOf(("square", "group"))),
    "community.donor_cost_pct": Parameter(100, PERCENT),
    **_by_role("hospital.fee", (400, 300, 200, 100), Range(0, 5_000)),
    "hospital.va_fee": Parameter(50, Range(0, 5_000)),
    "hospital.payer": Parameter("player", OneOf(("player", "bank"))),
    "college.enabled": Parameter(True, FLAG),
    "college.tuition.unemployed": Parameter(2000, Range(0, 20_000)),
    "college.tuition.employee": Parameter(1000, Range(0, 20_000)),
    "college.aid_max": Parameter(1, Range(0, 99)),
    "college.aid_charge": Parameter([100, 100, 50, 50, 50, 0], Each(PERCENT, 6)),
    "college.gi_pct": Parameter(50, PERCENT),
    "military.enabled": Parameter(True, FLAG),
    "military.move_penalty": Parameter(1, Range(0, 10)),
    "military.combat_enabled": Parameter(True, FLAG),
    "military.combat_hits": Parameter(2, Range(1, 6)),
    "military.promotes": Parameter(True, FLAG),
    "military.bonus": Parameter(0, Range(0, 5_000)),
    "jail.enabled": Parameter(True, FLAG),
    "jail.die": Parameter(4, OneOf((4, 6, 8, 10))),
    "jail.fixed_turns": Parameter(None, OrNone(Range(0, 10))),
    "jail.immune_roles": Parameter(["owner"], ROLE_SET),
    "jail.release_pay_pct": Parameter(0, PERCENT),
    "jail.bail": Parameter(None, OrNone(Range(0, 5_000))),
    "loan.bank_enabled": Parameter(True, FLAG),
    "loan.bank_roles": Parameter(["employee", "manager", "owner"], ROLE_SET),
    "loan.bank_max_salary_x": Parameter(2, Range(0, 20)),
    "loan.bank_interest": Parameter(20, Range(0, 200)),
    "loan.bank_term": Parameter(10, Range(1, 50)),
    "loan.max_bank": Parameter(1, Range(0, 5)),
    "loan.max_per_lender": Parameter(1, Range(0, 5)),
    "loan.usury_cap": Parameter(None, OrNone(Range(0, 1_000))),
    "change.enabled": Parameter(True, FLAG),
    "change.draws": Parameter(1, Range(0, 3)),
    "vote.threshold": Parameter("majority", OneOf(("majority", "two_thirds", "unanimous"))),
    "vote.costs_turn": Parameter(True, FLAG),
    "white_house.roles": Parameter(["owner"], ROLE_SET),
    **{f"white_house.power.{area}": Parameter(True, FLAG) for area in ("bailout", "care", "net", "pardon", "troops")},
    "end.rounds": Parameter(20, OrNone(Range(1, 200))),
}
"""Every parameter by name."""

HOLDERS_RATES = {f"utility.{key}.{when}_rate": f"{key}.{when}" for key in UTILITIES for when in ("payday", "landing")}


def value(state: SocialJusticeState, name: str) -> OptionValue:
    """Read a parameter: what the holder of a utility set, else the starting value; the limit of rates comes last."""
    found = state.options.get(name, PARAMETERS[name].default)
    if name not in HOLDERS_RATES:
        return found
    found = state.rates.get(HOLDERS_RATES[name], found)
    most = value(state, "utility.rate_max")
    assert isinstance(found, int)
    return found if not isinstance(most, int) else min(found, most)


def is_locked(_state: SocialJusticeState, _name: str) -> bool:
    """Tell whether a rule in force holds a rate, so that its holder may not set it (SJG-66)."""
    return False
