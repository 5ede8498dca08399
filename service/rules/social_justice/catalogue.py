"""Every rule that a vote can change: the typed parameters of section 5.2, with default, bounds and who reads them.

Data, and what follows from it; the values in force are read through `parameters`. A name with places (`{u}` for a
utility, `{r}` for a role) stands for one parameter for each way to fill them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from events.operations import AREAS, ROLES, UTILITIES, Value
from service.rules.social_justice.kinds import CAP, MONEY, Flag, Kind, Percents, Roles, Sides, Whole, Word

PLACES: Mapping[str, tuple[str, ...]] = {"u": UTILITIES, "r": ROLES}
"""What fills a place in a parameter's name."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One line of the catalogue.

    Attributes:
        name: With its places, such as `payday.salary.{r}`.
        kind: What it can hold.
        default: Its value while nobody changed it.
        reads: What obeys it.
        by_role: Defaults that differ by role; such a parameter exists for these roles alone.
    """

    name: str
    kind: Kind
    default: Value
    reads: str
    by_role: Mapping[str, int] | None = None

    def names(self) -> dict[str, dict[str, str]]:
        """Give every name that it stands for, with what fills its places."""
        fills = {place: values for place, values in PLACES.items() if f"{{{place}}}" in self.name}
        if self.by_role is not None:
            fills["r"] = tuple(self.by_role)
        filled = [dict(zip(fills, values, strict=True)) for values in product(*fills.values())]
        return {fill_in(self.name, fill): fill for fill in filled}

    def default_for(self, fill: Mapping[str, str]) -> Value:
        """Give the default where its places are filled like this."""
        return self.default if self.by_role is None else self.by_role[fill["r"]]


def fill_in(name: str, fill: Mapping[str, str]) -> str:
    """Put words into the places of a name."""
    for place, word in fill.items():
        name = name.replace(f"{{{place}}}", word)
    return name


def _by_role(*values: int) -> dict[str, int]:
    return dict(zip(ROLES, values, strict=False))


FLAG = Flag()
PCT = Whole(0, 100)
PCT_500 = Whole(0, 500)
CATALOGUE: tuple[Parameter, ...] = (
    Parameter("payday.salary.{r}", Whole(0, 20_000), 0, "payday, back taxes", _by_role(200, 500, 1000, 3000)),
    Parameter("payday.enabled", FLAG, True, "passing Payday"),
    Parameter("backtax.pct.{r}", PCT, 50, "landing on Back Taxes"),
    Parameter("backtax.utilities", FLAG, True, "landing on Back Taxes"),
    Parameter("move.die.{r}", Sides((4, 6, 8, 10, 12, 20)), 0, "movement roll", _by_role(4, 6, 8, 10)),
    Parameter("move.extra.{r}", Whole(-3, 3), 0, "movement roll"),
    Parameter("utility.{u}.payday_rate", MONEY, 50, "utility charge at a payday"),
    Parameter("utility.{u}.landing_rate", MONEY, 25, "utility charge on landing"),
    Parameter("utility.{u}.payday_cap.{r}", CAP, None, "utility charge at a payday, by the payer's role"),
    Parameter("utility.{u}.landing_cap.{r}", CAP, None, "utility charge on landing, by the payer's role"),
    Parameter("utility.rate_max", CAP, None, "setting a rate, and every rate when it is read"),
    Parameter("utility.holder_sets_rates", FLAG, True, "setting a rate"),
    Parameter("utility.{u}.public", FLAG, False, "who is paid: the bank instead of the holder"),
    Parameter("utility.price.{u}", MONEY, 500, "purchase and resale of a utility"),
    Parameter("property.price_pct", Whole(10, 500), 100, "purchase and gentrifying"),
    Parameter("property.house_cost_pct", PCT_500, 100, "building, donating, gentrifying"),
    Parameter("property.rent_pct", PCT_500, 100, "rent"),
    Parameter("property.rent_cap.{r}", CAP, None, "rent, by the payer's role"),
    Parameter("property.max_houses", Whole(1, 3), 3, "building and donating"),
    Parameter("property.purchase_enabled", FLAG, True, "buying the title landed on"),
    Parameter("property.resale_pct", PCT, 50, "what the automatic bank pays for a title"),
    Parameter("property.house_resale_pct", PCT, 50, "what the automatic bank pays for houses"),
    Parameter("gentrify.enabled", FLAG, True, "landing on another's title"),
    Parameter("gentrify.price_pct", Whole(100, 500), 100, "what the landlord is paid"),
    Parameter("gentrify.min_houses", Whole(0, 3), 1, "houses to be added at once"),
    Parameter("gentrify.protected_roles", Roles(), (), "the landlord's role"),
    Parameter("gentrify.allowed_roles", Roles(), ROLES, "the lander's role"),
    Parameter("community.enabled", FLAG, True, "donating a house"),
    Parameter("community.scope", Word(("square", "group")), "square", "exemption from rent"),
    Parameter("community.donor_cost_pct", PCT, 100, "donating a house; the bank pays the rest"),
    Parameter("hospital.fee.{r}", Whole(0, 5_000), 0, "landing on the Hospital", _by_role(400, 300, 200, 100)),
    Parameter("hospital.va_fee", Whole(0, 5_000), 50, "landing on the Hospital as a veteran"),
    Parameter("hospital.payer", Word(("player", "bank")), "player", "landing on the Hospital"),
    Parameter("college.enabled", FLAG, True, "stopping at the College"),
    Parameter("college.tuition.{r}", Whole(0, 20_000), 0, "a degree", _by_role(2000, 1000)),
    Parameter("college.aid_max", Whole(0, 99), 1, "applying for aid"),
    Parameter("college.aid_charge", Percents(), (100, 100, 50, 50, 50, 0), "the aid roll: tuition left, by face"),
    Parameter("college.gi_pct", PCT, 50, "tuition of a veteran"),
    Parameter("military.enabled", FLAG, True, "stopping at the Military"),
    Parameter("military.move_penalty", Whole(0, 10), 1, "movement roll while serving"),
    Parameter("military.combat_enabled", FLAG, True, "combat die"),
    Parameter("military.combat_hits", Whole(1, 6), 2, "combat die: ones in a row that kill"),
    Parameter("military.promotes", FLAG, True, "enlisting"),
    Parameter("military.bonus", Whole(0, 5_000), 0, "enlisting: what the bank pays"),
    Parameter("jail.enabled", FLAG, True, "going to jail"),
    Parameter("jail.die", Sides((4, 6, 8, 10)), 4, "length of a sentence"),
    Parameter("jail.fixed_turns", Whole(0, 10, nullable=True), None, "length of a sentence, instead of the die"),
    Parameter("jail.immune_roles", Roles(), ("owner",), "going to jail"),
    Parameter("jail.release_pay_pct", PCT, 0, "release from jail: share of the salary"),
    Parameter("jail.bail", Whole(0, 5_000, nullable=True), None, "paying instead of going to jail"),
    Parameter("loan.bank_enabled", FLAG, True, "asking the bank for a loan"),
    Parameter("loan.bank_roles", Roles(), ("employee", "manager", "owner"), "asking the bank for a loan"),
    Parameter("loan.bank_max_salary_x", Whole(0, 20), 2, "most that the automatic bank lends, in salaries"),
    Parameter("loan.bank_interest", Whole(0, 200), 20, "the automatic bank's interest in per cent"),
    Parameter("loan.bank_term", Whole(1, 50), 10, "the automatic bank's term in own turns"),
    Parameter("loan.max_bank", Whole(0, 5), 1, "open loans at the bank"),
    Parameter("loan.max_per_lender", Whole(0, 5), 1, "open loans at each other player"),
    Parameter("loan.usury_cap", Whole(0, 1_000, nullable=True), None, "interest of a player's loan in per cent"),
    Parameter("change.enabled", FLAG, True, "landing on Change"),
    Parameter("change.draws", Whole(0, 3), 1, "cards drawn on Change"),
    Parameter("vote.threshold", Word(("majority", "two_thirds", "unanimous")), "majority", "opening a vote"),
    Parameter("vote.costs_turn", FLAG, True, "proposing"),
    Parameter("white_house.roles", Roles(), ("owner",), "landing on the White House"),
    *(Parameter(f"white_house.power.{area}", FLAG, True, f"declaring: {area}") for area in AREAS),
    Parameter("end.rounds", Whole(1, 200, nullable=True), 20, "end of a round"),
)
"""Every line of the catalogue, in the order of the document."""

PARAMETERS: Mapping[str, Parameter] = {name: line for line in CATALOGUE for name in line.names()}
"""Every parameter by its full name; those that come of one line share it."""

DEFAULTS: Mapping[str, Value] = {
    name: line.default_for(fill) for line in CATALOGUE for name, fill in line.names().items()
}
"""The value of every parameter while nobody changed it; `utility.rate_max` differs with two seats (section 5.5)."""

RATES: frozenset[str] = frozenset(f"utility.{u}.{when}_rate" for u in UTILITIES for when in ("payday", "landing"))
"""Parameters that the holder of a utility may change as well (SJG-66)."""
