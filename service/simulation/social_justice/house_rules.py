"""House rules from a file: what a vote could adopt, in force from the start of a simulated game.

A parameter gets its value as a starting value of the game, which the seats of a real game agree on before
they begin. What no starting value can say, all adopt by a vote in the first turn, before its roll: transfers, rules in
words, and rates of utilities, which a starting value would leave to their holder. For that one vote the game starts
with `vote.costs_turn` off, and the vote itself sets it back: so nobody loses a turn, and nothing happens that the rules
do not allow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from events.base import OptionValue
from events.social_justice import operations as o
from projections.state.social_justice import SocialJusticeState
from service.rules import options as agreed
from service.rules.social_justice import operations as proposals
from service.rules.social_justice.catalogue import RATES
from service.rules.social_justice.parameters import plain
from service.rules.violations import Refusal
from service.simulation.matches import Match, Plan

COST = "vote.costs_turn"
MOST_ADOPTED = 4
"""One proposal has five operations, and one of them sets back what a vote costs."""


class HouseRuleError(Exception):
    """The house rules are not what a vote could adopt; the message says what is wrong, in a line."""


@dataclass(frozen=True)
class HouseRules:
    """House rules as they are in their file.

    Attributes:
        operations: Every operation.
    """

    operations: tuple[o.AnyOperation, ...]


class _File(msgspec.Struct, forbid_unknown_fields=True):
    operations: tuple[o.AnyOperation, ...]


def parse(content: bytes) -> HouseRules:
    """Read house rules: a JSON list of operations, or an object whose `operations` are such a list.

    Raises:
        HouseRuleError: They cannot be read.
    """
    try:
        whole = msgspec.json.decode(content)
        if isinstance(whole, dict):
            return HouseRules(msgspec.convert(whole, _File).operations)
        return HouseRules(msgspec.convert(whole, tuple[o.AnyOperation, ...]))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise HouseRuleError(str(error)) from error


def put_in_force(plan: Plan, rules: HouseRules) -> Plan:
    """Return a plan in which house rules hold from the start.

    Raises:
        HouseRuleError: No vote could adopt them.
    """
    if not rules.operations:
        raise HouseRuleError("There are no operations.")
    if refusal := _why_not(plan, rules.operations):
        raise HouseRuleError(f"{refusal.field}: {refusal.detail}")
    starting, adopted = _divided(rules.operations)
    options = {**plan.options, **starting}
    if adopted:
        again = o.SetValue(param=COST, value=bool(options.get(COST, True)))
        options[COST] = False
        adopted = [*adopted, *([again] if again.value else [])]
    return replace(plan, options=options, adopted=tuple(adopted))


def _why_not(plan: Plan, operations: Sequence[o.AnyOperation]) -> Refusal | None:
    """Return what is wrong: as before any proposal, and what cannot hold from the start."""
    for number, operation in enumerate(operations):
        if isinstance(operation, o.MakeMotion):
            return Refusal("no_motion", "A motion is done at once and holds no rule.", f"operations.{number}")
    state = Match(plan, 0).state
    assert isinstance(state, SocialJusticeState)
    if refusal := proposals.why_not(state, operations):
        return refusal
    if len(_divided(operations)[1]) > MOST_ADOPTED:
        what = "transfers, rules in words and rates together"
        return Refusal("too_many", f"At most {MOST_ADOPTED} {what}: one vote adopts them.", "operations")
    return None


def _divided(operations: Sequence[o.AnyOperation]) -> tuple[Mapping[str, OptionValue], list[o.AnyOperation]]:
    """Part what starting values can say from what is to be adopted."""
    starting: dict[str, OptionValue] = {}
    adopted: list[o.AnyOperation] = []
    for operation in operations:
        settings = proposals.settings_of([operation])
        if settings and not any(setting.param in RATES for setting in settings):
            starting.update({setting.param: plain(setting.value) for setting in settings})
        else:
            adopted.append(operation)
    assert all(name in agreed.STARTING_VALUES for name in starting)
    return starting, adopted
