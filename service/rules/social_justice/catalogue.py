"""Every rule that a vote can change: the parameters, with default, bounds and who reads them.

Data, and what follows from it; the values in force are read through `parameters`. A name with places (`{u}` for a
utility, `{r}` for a role) stands for one parameter for each way to fill them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from events.base import OptionValue
from events.social_justice.board import ROLES, UTILITIES
from events.social_justice.operations import AREAS
from service.rules.bounds import Bound, Each, OneOf, OrNone, Range, SomeOf

PLACES: Mapping[str, tuple[str, ...]] = {"u": UTILITIES, "r": ROLES}
"""What fills a place in a parameter's name."""


@dataclass(frozen=True, slots=True)
class CatalogueLine:
    """One line of the catalogue.

    Attributes:
        name: With its places, such as `payday.salary.{r}`.
        bound: What it may be.
        default: Its value unless it was changed.
        reads: What obeys it.
        by_role: Defaults that differ by role; such a parameter exists for these roles alone.
    """

    name: str
    bound: Bound
    default: OptionValue
    reads: str
    by_role: Mapping[str, int] | None = None

    def parameters(self) -> dict[str, "Parameter"]:
        """Return every parameter that it stands for, by name."""
        fills = {place: words for place, words in PLACES.items() if f"{{{place}}}" in self.name}
        if self.by_role is not None:
            fills["r"] = tuple(self.by_role)
        filled = [dict(zip(fills, words, strict=True)) for words in product(*fills.values())]
        return {fill_in(self.name, fill): self._filled(fill) for fill in filled}

    def _filled(self, fill: Mapping[str, str]) -> "Parameter":
        default = self.default if self.by_role is None else self.by_role[fill["r"]]
        return Parameter(default, self.bound, self.reads)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: what it is unless it was changed, within what bounds, and what obeys it."""

    default: OptionValue
    bound: Bound
    reads: str


def fill_in(name: str, fill: Mapping[str, str]) -> str:
    """Put words into the places of a name."""
    for place, word in fill.items():
        name = name.replace(f"{{{place}}}", word)
    return name


def _by_role(*values: int) -> dict[str, int]:
    return dict(zip(ROLES, values, strict=False))


FLAG = OneOf((False, True))
MONEY = Range(0, 10_000)
ROUNDS = Range(1, 200)
PCT = Range(0, 100)
PCT_500 = Range(0, 500)
SOME_ROLES = SomeOf(ROLES)
CATALOGUE: tuple[CatalogueLine, ...] = (
    CatalogueLine("payday.salary.{r}", Range(0, 20_000), 0, "payday, back taxes", _by_role(200, 500, 1000, 3000)),
    CatalogueLine("payday.enabled", FLAG, True, "passing Payday"),
    CatalogueLine("backtax.pct.{r}", PCT, 50, "landing on Back Taxes"),
    CatalogueLine("backtax.utilities", FLAG, True, "landing on Back Taxes"),
    CatalogueLine("move.die.{r}", OneOf((4, 6, 8, 10, 12, 20)), 0, "movement roll", _by_role(4, 6, 8, 10)),
    CatalogueLine("move.extra.{r}", Range(-3, 3), 0, "movement roll"),
    CatalogueLine("utility.{u}.payday_rate", MONEY, 50, "utility charge at a payday"),
    CatalogueLine("utility.{u}.landing_rate", MONEY, 25, "utility charge on landing"),
    CatalogueLine("utility.{u}.payday_cap.{r}", OrNone(MONEY), None, "utility charge at a payday, by the payer's role"),
    CatalogueLine("utility.{u}.landing_cap.{r}", OrNone(MONEY), None, "utility charge on landing, by the payer's role"),
    CatalogueLine("utility.rate_max", OrNone(MONEY), None, "setting a rate, and every rate when it is read"),
    CatalogueLine("utility.holder_sets_rates", FLAG, True, "setting a rate"),
    CatalogueLine("utility.{u}.public", FLAG, False, "who is paid: the bank instead of the holder"),
    CatalogueLine("utility.price.{u}", MONEY, 500, "purchase and resale of a utility"),
    CatalogueLine("property.price_pct", Range(10, 500), 100, "purchase and gentrifying"),
    CatalogueLine("property.house_cost_pct", PCT_500, 100, "building, donating, gentrifying"),
    CatalogueLine("property.rent_pct", PCT_500, 100, "rent"),
    CatalogueLine("property.rent_cap.{r}", OrNone(MONEY), None, "rent, by the payer's role"),
    CatalogueLine("property.max_houses", Range(1, 3), 3, "building and donating"),
    CatalogueLine("property.purchase_enabled", FLAG, True, "buying the title landed on"),
    CatalogueLine("property.resale_pct", PCT, 50, "what the automatic bank pays for a title"),
    CatalogueLine("property.house_resale_pct", PCT, 50, "what the automatic bank pays for houses"),
    CatalogueLine("gentrify.enabled", FLAG, True, "landing on another's title"),
    CatalogueLine("gentrify.price_pct", Range(100, 500), 100, "what the landlord is paid"),
    CatalogueLine("gentrify.min_houses", Range(0, 3), 1, "houses to be added at once"),
    CatalogueLine("gentrify.protected_roles", SOME_ROLES, [], "the landlord's role"),
    CatalogueLine("gentrify.allowed_roles", SOME_ROLES, list(ROLES), "the lander's role"),
    CatalogueLine("community.enabled", FLAG, True, "donating a house"),
    CatalogueLine("community.scope", OneOf(("square", "group")), "square", "exemption from rent"),
    CatalogueLine("community.donor_cost_pct", PCT, 100, "donating a house; the bank pays the rest"),
    CatalogueLine("hospital.fee.{r}", Range(0, 5_000), 0, "landing on the Hospital", _by_role(400, 300, 200, 100)),
    CatalogueLine("hospital.va_fee", Range(0, 5_000), 50, "landing on the Hospital as a veteran"),
    CatalogueLine("hospital.payer", OneOf(("player", "bank")), "player", "landing on the Hospital"),
    CatalogueLine("college.enabled", FLAG, True, "stopping at the College"),
    CatalogueLine("college.tuition.{r}", Range(0, 20_000), 0, "a degree", _by_role(2000, 1000)),
    CatalogueLine("college.aid_max", Range(0, 99), 1, "applying for aid"),
    CatalogueLine("college.aid_charge", Each(PCT, 6), [100, 100, 50, 50, 50, 0], "the aid roll: tuition left, by face"),
    CatalogueLine("college.gi_pct", PCT, 50, "tuition of a veteran"),
    CatalogueLine("military.enabled", FLAG, True, "stopping at the Military"),
    CatalogueLine("military.move_penalty", Range(0, 10), 1, "movement roll while serving"),
    CatalogueLine("military.combat_enabled", FLAG, True, "combat die"),
    CatalogueLine("military.combat_hits", Range(1, 6), 2, "combat die: ones in a row that kill"),
    CatalogueLine("military.promotes", FLAG, True, "enlisting"),
    CatalogueLine("military.bonus", Range(0, 5_000), 0, "enlisting: what the bank pays"),
    CatalogueLine("jail.enabled", FLAG, True, "going to jail"),
    CatalogueLine("jail.die", OneOf((4, 6, 8, 10)), 4, "length of a sentence"),
    CatalogueLine("jail.fixed_turns", OrNone(Range(0, 10)), None, "length of a sentence, instead of the die"),
    CatalogueLine("jail.immune_roles", SOME_ROLES, ["owner"], "going to jail"),
    CatalogueLine("jail.release_pay_pct", PCT, 0, "release from jail: share of the salary"),
    CatalogueLine("jail.bail", OrNone(Range(0, 5_000)), None, "paying instead of going to jail"),
    CatalogueLine("loan.bank_enabled", FLAG, True, "asking the bank for a loan"),
    CatalogueLine("loan.bank_roles", SOME_ROLES, ["employee", "manager", "owner"], "asking the bank for a loan"),
    CatalogueLine("loan.bank_max_salary_x", Range(0, 20), 2, "most that the automatic bank lends, in salaries"),
    CatalogueLine("loan.bank_interest", Range(0, 200), 20, "the automatic bank's interest in per cent"),
    CatalogueLine("loan.bank_term", Range(1, 50), 10, "the automatic bank's term in own turns"),
    CatalogueLine("loan.max_bank", Range(0, 5), 1, "open loans at the bank"),
    CatalogueLine("loan.max_per_lender", Range(0, 5), 1, "open loans at each other player"),
    CatalogueLine("loan.usury_cap", OrNone(Range(0, 1_000)), None, "interest of a player's loan in per cent"),
    CatalogueLine("change.enabled", FLAG, True, "landing on Change"),
    CatalogueLine("change.draws", Range(0, 3), 1, "cards drawn on Change"),
    CatalogueLine("vote.threshold", OneOf(("majority", "two_thirds", "unanimous")), "majority", "opening a vote"),
    CatalogueLine("vote.costs_turn", FLAG, True, "proposing"),
    CatalogueLine("white_house.roles", SOME_ROLES, ["owner"], "landing on the White House"),
    *(CatalogueLine(f"white_house.power.{area}", FLAG, True, f"declaring: {area}") for area in AREAS),
    CatalogueLine("end.rounds", OrNone(ROUNDS), 20, "end of a round"),
)
"""Every line of the catalogue, in the order in which they are shown."""

PARAMETERS: Mapping[str, Parameter] = {
    name: parameter for line in CATALOGUE for name, parameter in line.parameters().items()
}
"""Every parameter by its full name; `utility.rate_max` starts at 500 with two seats (SJG-66)."""

RATES: Mapping[str, str] = {
    f"utility.{u}.{when}_rate": f"{u}.{when}" for u in UTILITIES for when in ("payday", "landing")
}
"""Parameters that the holder of a utility may change as well, and the key of that rate (SJG-66)."""
