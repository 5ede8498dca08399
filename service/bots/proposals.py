"""What bots propose: a sensible one out of a few ideas that may find a majority, another by chance."""

import random
from collections.abc import Sequence

from service.bots import figures, interest
from service.bots.base import Json
from service.rules.bounds import Bound, Each, OneOf, OrNone, Range, SomeOf
from service.rules.social_justice.catalogue import PARAMETERS
from service.rules.social_justice.operations import MOST_TRANSFERS
from service.rules.social_justice.turn import MOST_ROUNDS
from service.rules.social_justice.votes import needed

IDEAS: Sequence[Json] = (
    {
        "op": "set",
        "param": "utility.{u}.payday_cap.{r}",
        "for": {"u": ["enron", "flint"], "r": ["unemployed", "employee", "manager"]},
        "value": 20,
    },
    {
        "op": "add_transfer",
        "trigger": "each_payday",
        "where": {"role": ["owner"]},
        "from": "actor",
        "to": "role:unemployed,employee",
        "amount": {"fixed": 200},
        "split": "share",
    },
    {"op": "set", "param": "hospital.fee.{r}", "for": {"r": ["unemployed", "employee", "manager"]}, "value": 100},
    {"op": "set", "param": "property.rent_cap.{r}", "for": {"r": ["unemployed", "employee"]}, "value": 40},
    {"op": "set", "param": "college.tuition.unemployed", "value": 800},
    {"op": "set", "param": "property.rent_pct", "value": 150},
)
"""What a sensible bot thinks of; what is in force already changes nothing and so serves nobody."""


def best(state: Json, seat: int) -> list[Json] | None:
    """Choose what serves a seat most among what seems to find a majority; None when nothing does."""
    voters = figures.alive(state)
    yes = needed(figures.value_of(state, "vote.threshold"), len(voters))
    rated: list[tuple[float, list[Json]]] = []
    for operations in _ideas(state):
        scores = interest.scores(state, operations)
        if sum(worth > interest.NOTICEABLE for worth in scores.values()) >= yes:
            rated.append((scores[seat], operations))
    worth, operations = max(rated, key=lambda pair: pair[0], default=(0.0, []))
    return operations if worth > interest.NOTICEABLE else None


def _ideas(state: Json) -> list[list[Json]]:
    stack = state["politics"]["stack"]
    room = sum(len(rule["transfers"]) for rule in stack) < MOST_TRANSFERS
    new = [[idea] for idea in IDEAS if room or idea["op"] != "add_transfer"]
    return [*new, *([{"op": "repeal", "rule_id": rule["rule"]}] for rule in stack)]


MOST_ROUNDS_MORE = 5
PARTIES = ("actor", "bank", "all", "others", "role:unemployed", "role:employee,manager", "role:owner", "holder:enron")
OF_A_ROUND = ("bank", "all", "role:unemployed", "role:owner")
TRIGGERS = (
    "each_payday", "turn_start", "round_end", "enlist", "degree", "rent_paid", "jail_release", "land:property",
    "land:change", "land:utility", "land:hospital", "land:college",
)  # fmt: skip
CONDITIONS: Sequence[Json | None] = (
    None, {"role": ["owner"]}, {"role": ["unemployed"]}, {"cash_at_least": 1000}, {"cash_at_most": 200},
    {"serving": True}, {"houses_at_least": 1},
)  # fmt: skip
AMOUNTS: Sequence[Json] = (
    {"fixed": 20}, {"fixed": 200}, {"pct": 5, "of": "cash"}, {"pct": 10, "of": "salary", "max": 100},
    {"pct": 50, "of": "rate:enron.payday"},
)  # fmt: skip


def any_proposal(chance: random.Random, state: Json) -> list[Json]:
    """Propose one valid thing by chance."""
    stack = state["politics"]["stack"]
    if state["round"] + MOST_ROUNDS_MORE > MOST_ROUNDS:
        return [{"op": "motion", "motion": "end_game"}]
    kinds = ["set", "set", "set", "text"]
    kinds += ["transfer"] * 2 * (sum(len(rule["transfers"]) for rule in stack) < MOST_TRANSFERS)
    kinds += ["repeal"] * bool(stack)
    match chance.choice(kinds):
        case "set":
            return [_any_setting(chance, state)]
        case "transfer":
            return [_any_transfer(chance)]
        case "repeal":
            return [{"op": "repeal", "rule_id": chance.choice(stack)["rule"]}]
        case _:
            if chance.random() < 1 / 10:
                return [{"op": "motion", "motion": "end_game"}]
            return [{"op": "add_text", "text": "The richest player makes the tea."}]


def _any_setting(chance: random.Random, state: Json) -> Json:
    name = chance.choice(list(PARAMETERS))
    # The end is never far away, so that a game by chance ends.
    if name == "end.rounds":
        return {"op": "set", "param": name, "value": int(state["round"]) + chance.randint(1, MOST_ROUNDS_MORE)}
    return {"op": "set", "param": name, "value": _any_value(chance, PARAMETERS[name].bound)}


def _any_value(chance: random.Random, bound: Bound) -> object:
    match bound:
        case OrNone():
            return None if chance.random() < 1 / 2 else _any_value(chance, bound.bound)
        case SomeOf():
            return [value for value in bound.values if chance.random() < 1 / 2]
        case Each():
            return [_any_value(chance, bound.bound) for _ in range(bound.length)]
        case OneOf():
            return chance.choice(bound.values)
        case Range():
            return chance.randint(bound.low, min(bound.high, bound.low + 1000))


def _any_transfer(chance: random.Random) -> Json:
    trigger = chance.choice(TRIGGERS)
    parties = OF_A_ROUND if trigger == "round_end" else PARTIES
    payer = chance.choice(parties)
    payee = chance.choice([party for party in parties if party != payer])
    where = None if trigger == "round_end" else chance.choice(CONDITIONS)
    return {
        "op": "add_transfer",
        "trigger": trigger,
        "from": payer,
        "to": payee,
        "amount": chance.choice(AMOUNTS),
        "where": where,
        "split": chance.choice(["each", "share"]),
        "on_short": chance.choice(["partial", "skip", "obligation"]),
    }
