"""Players of The Social Justice Game who do anything: legal actions, random deals, proposals and declarations."""

import random
from typing import Any

from events.social_justice.board import ROLES
from projections.state.social_justice import SocialJusticeState as State
from service.rules.bounds import Bound, Each, OneOf, OrNone, Range, SomeOf
from service.rules.legal import LegalAction, legal_actions
from service.rules.social_justice.catalogue import FLAG, PARAMETERS

Json = dict[str, Any]

TRIGGERS = ("each_payday", "turn_start", "round_end", "land:change", "land:enron", "land:utility", "enlist", "degree",
            "rent_paid", "jail_release", "land:payday", "land:hospital")  # fmt: skip
PARTIES = ("actor", "bank", "all", "others", "role:unemployed", "role:owner,manager", "holder:enron", "holder:froogle")
FIGURES = ("salary", "cash", "last_payment", "rate:enron.payday", "rate:froogle.landing")

RARE = frozenset(
    {
        "gentrify", "use_pass", "pay_bail", "give_speech", "declare_bailout", "declare_care", "declare_net",
        "declare_sentence", "free_prisoner", "withdraw_troops", "take_house", "pay_tuition", "enlist", "accept_offer",
        "repay_loan", "counter_sale",
    }
)  # fmt: skip
"""What is seldom possible, and then done more often than by chance."""


class Anybody:
    """Everybody at the table: any seat, any legal action.

    Args:
        chance: Decides.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def wish(self, state: State) -> tuple[int, Json] | None:
        """Pick a seat, more often one that is asked, and what it sends."""
        chance = self.chance
        asked = [prompt.seat for prompt in state.prompts.values()]
        waiting = [offer.to for offer in state.deals.offers.values() if offer.to]
        if waiting and chance.random() < 0.3:
            asked = waiting
        seat = chance.choice(asked if chance.random() < 0.85 else state.alive())
        menu = legal_actions(state, seat).open
        if not menu:
            return None
        rare = [o for o in menu if o.name in RARE and chance.random() < 0.6]
        offered = chance.choice(rare or [*menu, *(o for o in menu if o.default for _ in range(3))])
        return seat, self.body(state, seat, offered)

    def body(self, state: State, seat: int, offered: LegalAction) -> Json:
        """Fill in an action: as it is offered, or with anything that its schema allows."""
        if offered.name == "propose" and self.chance.random() < 0.9:
            return {**offered.body, "operations": self.operations(state)}
        if offered.name == "propose_agreement" and self.chance.random() < 0.6:
            return {**offered.body, "payments": [self._payment(seat, offered.body["party"])]}
        if offered.name == "cast_ballot" and self.chance.random() < 0.7:
            return {**offered.body, "ballot": "yes"}
        if self.chance.random() < 0.4:
            return dict(offered.body)
        shapes = offered.schema["properties"]
        return {
            name: self._value(shape, offered.body.get(name)) for name, shape in shapes.items() if name in offered.body
        }

    def _value(self, shape: Json, offered: Any) -> Any:
        """Fill in a scalar by its schema; keep what is offered of everything else."""
        if "const" in shape or "$ref" in shape:
            return offered
        if "enum" in shape:
            return self.chance.choice(shape["enum"])
        if shape.get("type") == "integer" and "maximum" in shape:
            low, high = shape["minimum"], min(shape["maximum"], shape["minimum"] + 3_000)
            return self.chance.choice([low, high, self.chance.randint(low, high)])
        return offered

    def _payment(self, seat: int, party: int) -> Json:
        payer, payee = self.chance.choice([(seat, party), (party, seat)])
        when = self.chance.choice(["own_turn", "payday"])
        return {"payer": payer, "payee": payee, "amount": self.chance.choice([1, 40, 700]), "when": when, "times": 3}

    def operations(self, state: State) -> list[Json]:
        """Draw one to five operations of a proposal."""
        return [self._operation(state) for _ in range(self.chance.choice([1, 1, 1, 2, 3, 5]))]

    def _operation(self, state: State) -> Json:
        chance, stack = self.chance, state.politics.stack
        kind = chance.choice(["set", "set", "set", "switch", "transfer", "transfer", "text", "repeal"])
        if kind == "switch":
            flags = [name for name, parameter in PARAMETERS.items() if parameter.bound == FLAG]
            return {"op": chance.choice(["enable", "disable"]), "rule": chance.choice(flags)}
        if kind == "transfer":
            return self._transfer()
        if kind == "text":
            return {"op": "add_text", "text": chance.choice(["Be kind.", "Thank the Owner."])}
        if kind == "repeal" and stack:
            return {"op": "repeal", "rule_id": chance.choice(stack).rule}
        if chance.random() < 0.02:
            return {"op": "motion", "motion": "end_game"}
        name = chance.choice(list(PARAMETERS))
        return {"op": "set", "param": name, "value": drawn(PARAMETERS[name].bound, chance)}

    def _transfer(self) -> Json:
        chance = self.chance
        share = {"pct": chance.randint(0, 100), "of": chance.choice(FIGURES)}
        made: Json = {
            "op": "add_transfer",
            "trigger": chance.choice(TRIGGERS),
            "from": chance.choice(PARTIES),
            "to": chance.choice(PARTIES),
            "amount": chance.choice([{"fixed": chance.choice([0, 1, 50, 900])}, share, {**share, "max": 100}]),
            "split": chance.choice(["each", "share"]),
            "on_short": chance.choice(["partial", "skip", "obligation", "obligation"]),
        }
        if chance.random() < 0.3:
            made["where"] = chance.choice([{"role": ["owner"]}, {"cash_at_least": 100}, {"serving": True}])
        return made


def drawn(bound: Bound, chance: random.Random) -> Any:
    """Draw a value within a bound."""
    match bound:
        case OneOf():
            return chance.choice(list(bound.values))
        case OrNone():
            return None if chance.random() < 0.2 else drawn(bound.bound, chance)
        case SomeOf():
            return [role for role in ROLES if chance.random() < 0.5]
        case Each():
            return [drawn(bound.bound, chance) for _ in range(bound.length)]
        case Range():
            middle = bound.low + bound.step * chance.randint(0, (bound.high - bound.low) // bound.step)
            return chance.choice([bound.low, bound.high, middle])
