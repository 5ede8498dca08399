"""Whole random games of The Social Justice Game: legal actions, random deals and proposals, a share of nonsense."""

import random
from typing import Any

import msgspec

from events.boards_social_justice import ROLES
from service.rules import actions as a
from service.rules import options as agreed
from service.rules.bounds import Bound, Each, OneOf, OrNone, Range, SomeOf
from service.rules.legal import LegalAction, legal_actions
from service.rules.rulebooks import SOCIAL_JUSTICE
from service.rules.social_justice.catalogue import FLAG, PARAMETERS
from tests.properties.games import RandomGame
from tests.support.kinds import sjg

Json = dict[str, Any]

OBJECTIONS = frozenset(
    {
        "cash_too_short", "loan_open", "not_with_oneself", "not_in_game", "in_debt", "usury", "bank_is_automatic",
        "not_anothers_title", "not_the_holder", "terms_open", "role_refused", "bank_lends_nothing", "too_many_offers",
        "too_many_agreements", "wrong_offer", "empty_agreement", "not_between_two", "each_payday", "no_lender",
        "none_acceptable", "no_place", "empty_declaration", "not_in_harms_way", "too_many_transfers", "set_twice",
        "repealed_twice", "unknown_rule", "no_actor", "no_last_payment", "both_bank", "wrong_amount", "out_of_bounds",
        "empty_where", "rate_locked",
    }
)  # fmt: skip
"""What bounds of single parameters cannot say of a deal, a proposal or a declaration as a whole."""

TRIGGERS = ("each_payday", "turn_start", "round_end", "land:change", "land:enron", "land:utility", "enlist", "degree",
            "rent_paid", "jail_release", "land:payday", "land:hospital")  # fmt: skip
PARTIES = ("actor", "bank", "all", "others", "role:unemployed", "role:owner,manager", "holder:enron", "holder:froogle")
FIGURES = ("salary", "cash", "last_payment", "rate:enron.payday", "rate:froogle.landing")
ROUNDS = (2, 4, 7, 12)
AT_LENGTH = ("move.extra.", "jail.fixed_turns", "end.rounds")
"""What makes a game endless or no game is proposed and not agreed on at the start."""


RARE = frozenset(
    {
        "gentrify", "use_pass", "pay_bail", "give_speech", "declare_bailout", "declare_care", "declare_net",
        "declare_sentence", "free_prisoner", "withdraw_troops", "take_house", "pay_tuition", "enlist", "accept_offer",
        "repay_loan", "counter_sale",
    }
)  # fmt: skip
"""What is seldom possible, and then done more often than by chance."""


class SocialJusticeGame(RandomGame):
    """One game of The Social Justice Game on its way from the lobby to its end."""

    rules = SOCIAL_JUSTICE
    may_refuse = OBJECTIONS
    most_actions = 12_000

    def options(self) -> Json:
        """Draw the options; most parameters keep their default, and the game is short."""
        chance = self.chance
        chosen: Json = {
            "assignment": chance.choice(["random_bag", "choose"]),
            "bank": chance.choice(["auto", "auto", "player"]),
            "turn_seconds": chance.choice([0, 60]),
            "end.rounds": chance.choice(ROUNDS),
        }
        for name, parameter in PARAMETERS.items():
            if chance.random() < 0.04 and not name.startswith(AT_LENGTH):
                chosen[name] = drawn(parameter.bound, chance)
        return agreed.agree(chosen, agreed.defaults(agreed.OF_SOCIAL_JUSTICE), agreed.OF_SOCIAL_JUSTICE)

    def wish(self) -> tuple[int, Json] | None:
        """Pick a seat, more often one that is asked, and what it sends."""
        state, chance = sjg(self.state), self.chance
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
        return seat, self._body(seat, offered)

    def _body(self, seat: int, offered: LegalAction) -> Json:
        if offered.name == "propose" and self.chance.random() < 0.9:
            return {**offered.body, "operations": self._operations()}
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

    def _operations(self) -> list[Json]:
        return [self._operation() for _ in range(self.chance.choice([1, 1, 1, 2, 3, 5]))]

    def _operation(self) -> Json:
        chance, stack = self.chance, sjg(self.state).politics.stack
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

    def nonsense(self) -> tuple[int, a.AnyAction]:
        """Make an action that may well be refused: of any kind, by any seat, under any prompt."""
        state, chance = self.state, self.chance
        prompt = chance.choice([*state.prompts, "p1", f"p{state.version + 1}"])
        kind = chance.choice(list(SAMPLES))
        body = {"action": kind, **SAMPLES[kind], **({"prompt": prompt} if PROMPTED[kind] else {})}
        made: a.AnyAction = msgspec.convert(body, a.PlayAction)
        around: list[a.AnyAction] = [
            made, made, made, made,
            a.Start(),
            a.Renew(seat=chance.randint(1, 8)),
            a.SetOptions(options={"end.rounds": 3}),
            a.TakeSeat(name="", kind="person", level="", nonce_commitment="", host=False),
            a.Expire(prompt=prompt, deadline=chance.choice([0, state.at])),
        ]  # fmt: skip
        return chance.choice(sorted(state.seats)), chance.choice(around)

    def progress(self) -> dict[int, int]:
        """Own turns of each seat never fall."""
        return {seat: citizen.own for seat, citizen in sjg(self.follower).citizens.items()}


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


def _samples() -> tuple[dict[str, Json], dict[str, bool]]:
    """Give one body of every action, and whether it names a prompt."""
    samples: dict[str, Json] = {}
    prompted: dict[str, bool] = {}
    for record in SOCIAL_JUSTICE.choices:
        name = str(record.__struct_config__.tag)
        prompted[name] = issubclass(record, a.Prompted)
        fields = [f for f in msgspec.structs.fields(record) if f.required and f.name != "prompt"]
        samples[name] = {field.encode_name: GUESSES[field.name] for field in fields}
    return samples, prompted


GUESSES: Json = {
    "role": "owner", "houses": 3, "square": 6, "name": "froogle.payday", "rate": 10_000, "ballot": "no",
    "operations": [{"op": "set", "param": "no.such", "value": 1}], "fee": 5, "froogle": 7, "fixed_turns": 1, "free": 2,
    "players": [1], "buyer": 2, "price": 10, "lender": 1, "principal": 100, "pct": 10, "term": 3, "loan": 1,
    "party": 2, "text": "", "payments": [], "offer": 1, "agreement": 1, "to": 1, "amount": 5,
}  # fmt: skip
SAMPLES, PROMPTED = _samples()


def play(seed: int) -> SocialJusticeGame:
    """Play the game of a seed."""
    return SocialJusticeGame(seed).play()
