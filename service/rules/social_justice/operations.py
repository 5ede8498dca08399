"""Whether a proposal may be put to the vote, and what its operations come to (SJG-34, SJG-35).

All of it is checked before the turn is given up. A refusal has a stable code and names the operation at fault.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from msgspec.structs import replace

from events.base import OptionValue
from events.social_justice import operations as o
from events.social_justice.board import ROLES
from events.social_justice.politics import Setting
from projections.state.social_justice import SocialJusticeState as State
from service.rules.bounds import Bound, Each, OneOf, OrNone, Range, SomeOf
from service.rules.social_justice.catalogue import FLAG, PARAMETERS, PLACES, fill_in
from service.rules.social_justice.parameters import plain
from service.rules.social_justice.parties import names_a_player, party_of
from service.rules.violations import Refusal, unknown

MOST_TRANSFERS = 10
"""Active transfers at any time."""

MOST_FIXED = 10_000
MOST_PCT = 100


def why_not(state: State, operations: Sequence[o.AnyOperation]) -> Refusal | None:
    """Return what is wrong with a proposal; None when it may be put to the vote."""
    for number, operation in enumerate(operations):
        if fault := _fault(state, operation):
            return replace(fault, field=f"operations.{number}.{fault.field}")
    return _fault_together(state, operations)


def _fault(state: State, operation: o.AnyOperation) -> Refusal | None:
    match operation:
        case o.SetValue():
            return _set_fault(state, operation)
        case o.Enable() | o.Disable():
            return _switch_fault(operation.rule)
        case o.AddTransfer():
            return next(_transfer_faults(operation), None)
        case o.AddText():
            return None if operation.text.strip() else Refusal("empty_text", "A house rule needs words.", "text")
        case o.Repeal():
            known = any(rule.rule == operation.rule_id for rule in state.politics.stack)
            return None if known else Refusal("unknown_rule", "No rule of that id is in force.", "rule_id")
        case o.MakeMotion():
            return None


def _set_fault(state: State, operation: o.SetValue) -> Refusal | None:
    if fault := _places_fault(operation) or _names_fault(operation):
        return fault
    for name in _filled(operation):
        if fault := _value_fault(state, name, operation.value):
            return fault
    return None


def _places_fault(operation: o.SetValue) -> Refusal | None:
    for place in PLACES:
        needed, given = f"{{{place}}}" in operation.param, bool(getattr(operation.fill, place))
        if needed and not given:
            return Refusal("wrong_places", f"What is to fill {{{place}}} is missing.", f"for.{place}")
        if given and not needed:
            return Refusal("wrong_places", f"The name has no place {{{place}}} to fill.", f"for.{place}")
    return None


def _names_fault(operation: o.SetValue) -> Refusal | None:
    if names_a_player(operation.param):
        return _named("param")
    for name in _filled(operation):
        if name not in PARAMETERS:
            return Refusal("unknown_param", unknown("parameter", name, PARAMETERS), "param")
    return None


def _named(field: str) -> Refusal:
    return Refusal("named_player", "A rule pertains to all players: it names roles, never a player (SJG-34).", field)


def _value_fault(state: State, name: str, value: o.Value) -> Refusal | None:
    bound, given = PARAMETERS[name].bound, plain(value)
    if not bound.allows(given):
        detail = f"The parameter {name} must be {bound.words()}."
        right = _right_type(bound, given)
        return Refusal("out_of_bounds", detail, "value") if right else Refusal("wrong_type", detail, "value")
    if name == "end.rounds" and isinstance(value, int) and value <= state.round:
        return Refusal(
            "out_of_bounds", f"Round {state.round} is being played: the end comes after it at the earliest.", "value"
        )
    return None


def _right_type(bound: Bound, value: OptionValue) -> bool:
    """Return whether a value that is not allowed is at least of the kind that could be."""
    match bound:
        case OrNone():
            return value is None or _right_type(bound.bound, value)
        case SomeOf():
            return isinstance(value, list) and all(isinstance(item, str) for item in value)
        case Each():
            return isinstance(value, list) and all(_right_type(bound.bound, item) for item in value)
        case OneOf():
            return type(value) in {type(possible) for possible in bound.values}
        case Range():
            return type(value) is int


def _switch_fault(rule: str) -> Refusal | None:
    if names_a_player(rule):
        return _named("rule")
    if rule not in PARAMETERS:
        return Refusal("unknown_param", unknown("parameter", rule, PARAMETERS), "rule")
    if PARAMETERS[rule].bound != FLAG:
        return Refusal("wrong_type", f"The parameter {rule} is no switch: give it a value by `set`.", "rule")
    return None


def _transfer_faults(transfer: o.AddTransfer) -> Iterator[Refusal]:
    yield from _party_faults(transfer)
    yield from _actor_faults(transfer)
    yield from _where_faults(transfer.where)
    yield from _amount_faults(transfer.amount)
    if transfer.amount.of == "last_payment" and transfer.trigger != "rent_paid":
        yield Refusal("no_last_payment", "Only a transfer on rent_paid knows a last payment.", "amount.of")


def _party_faults(transfer: o.AddTransfer) -> Iterator[Refusal]:
    for field, word in (("from", transfer.payer), ("to", transfer.payee)):
        if names_a_player(word):
            yield _named(field)
        if party_of(word) is None:
            possible = "actor, bank, all, others, role:… or holder:…"
            yield Refusal("unknown_party", f"Who pays and is paid must be {possible}.", field)
    if transfer.payer == transfer.payee == "bank":
        yield Refusal("both_bank", "The bank cannot pay itself.", "to")


def _actor_faults(transfer: o.AddTransfer) -> Iterator[Refusal]:
    if transfer.trigger != "round_end":
        return
    for field, word in (("from", transfer.payer), ("to", transfer.payee)):
        if word in ("actor", "others"):
            yield Refusal("no_actor", "The end of a round is about no seat in particular: it has no actor.", field)
    if transfer.where is not None:
        yield Refusal("no_actor", "The end of a round has no actor that a condition could be about.", "where")


def _where_faults(where: o.Where | None) -> Iterator[Refusal]:
    if where is None:
        return
    given = {name: getattr(where, name) for name in where.__struct_fields__}
    if all(value is None or value == () for value in given.values()):
        yield Refusal("empty_where", "A condition must say something.", "where")
    for name in ("cash_at_least", "cash_at_most", "houses_at_least"):
        if given[name] is not None and given[name] < 0:
            yield Refusal("out_of_bounds", f"The condition {name} must be at least 0.", f"where.{name}")


def _amount_faults(amount: o.Sum) -> Iterator[Refusal]:
    fixed, share = amount.fixed is not None, amount.pct is not None and amount.of is not None
    if fixed == share or fixed != (amount.pct is None and amount.of is None):
        yield Refusal("wrong_amount", "An amount is either `fixed`, or `pct` of something (`of`).", "amount")
    for name, most in (("fixed", MOST_FIXED), ("pct", MOST_PCT), ("min", MOST_FIXED), ("max", MOST_FIXED)):
        value = getattr(amount, name)
        if value is not None and not 0 <= value <= most:
            yield Refusal("out_of_bounds", f"It must be a whole number from 0 to {most}.", f"amount.{name}")
    if amount.min is not None and amount.max is not None and amount.min > amount.max:
        yield Refusal("out_of_bounds", "The least amount is above the greatest.", "amount.min")


def _fault_together(state: State, operations: Sequence[o.AnyOperation]) -> Refusal | None:
    """Return what is wrong that no operation shows alone: the same thing twice, and too many transfers."""
    repealed = [operation.rule_id for operation in operations if isinstance(operation, o.Repeal)]
    if twice := _repeated([setting.param for setting in settings_of(operations)]):
        return Refusal("set_twice", f"The proposal sets {twice} more than once.", "operations")
    if twice := _repeated(repealed):
        return Refusal("repealed_twice", f"The proposal repeals {twice} more than once.", "operations")
    kept = [rule for rule in state.politics.stack if rule.rule not in repealed]
    added = sum(isinstance(operation, o.AddTransfer) for operation in operations)
    if added and added + sum(len(rule.transfers) for rule in kept) > MOST_TRANSFERS:
        return Refusal("too_many_transfers", f"At most {MOST_TRANSFERS} transfers are active at a time.", "operations")
    return None


def _repeated(names: list[str]) -> str:
    """Return the first name that comes a second time; empty when none does."""
    return next((name for at, name in enumerate(names) if name in names[:at]), "")


def settings_of(operations: Sequence[o.AnyOperation]) -> tuple[Setting, ...]:
    """Return every parameter that checked operations set, by its full name (SJG-36)."""
    settings: list[Setting] = []
    for operation in operations:
        if isinstance(operation, o.SetValue):
            value = _in_order(operation.value)
            settings += [Setting(param=name, value=value) for name in _filled(operation)]
        elif isinstance(operation, o.Enable | o.Disable):
            settings.append(Setting(param=operation.rule, value=isinstance(operation, o.Enable)))
    return tuple(settings)


def _filled(operation: o.SetValue) -> list[str]:
    """Return the full names that an operation means, utilities before roles."""
    places = [place for place in PLACES if f"{{{place}}}" in operation.param]
    sets = [getattr(operation.fill, place) for place in places]
    return [fill_in(operation.param, dict(zip(places, words, strict=True))) for words in product(*sets)]


def _in_order(value: o.Value) -> o.Value:
    """Write a set of roles in the order of the catalogue."""
    if isinstance(value, tuple) and all(isinstance(word, str) for word in value):
        return tuple(role for role in ROLES if role in value)
    return value
