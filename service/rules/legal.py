"""What a seat may do now, ready to send, and why not the rest."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from projections.evolve import AnyState
from projections.state.base import Prompt
from service.rules import actions as a
from service.rules.absence import KEPT
from service.rules.bounds import Bound, Each, OneOf, Range, SomeOf
from service.rules.choice import AnyChoice
from service.rules.decide import default_of, why_not_at_all
from service.rules.rulebooks import RULES_OF
from service.rules.violations import Refusal


@dataclass(frozen=True, slots=True)
class LegalAction:
    """An action that would be accepted now.

    Attributes:
        name: The action's name.
        about: What it does, in a sentence.
        prompt: Id of the prompt that it answers or is open under; empty for one open at any time.
        body: A body that is accepted as it stands.
        schema: JSON Schema (2020-12) of the bodies that are accepted now.
        default: It is what happens at the prompt's deadline.
    """

    name: str
    about: str
    prompt: str
    body: dict[str, Any]
    schema: dict[str, Any]
    default: bool


@dataclass(frozen=True, slots=True)
class ClosedAction:
    """An action that would be refused now, and why."""

    name: str
    about: str
    prompt: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Menu:
    """Every action of a seat in play: what is open, and what is not."""

    open: list[LegalAction]
    closed: list[ClosedAction]


def legal_actions(state: AnyState, seat: int, *, person: bool = False) -> Menu:
    """List what a seat may do now, in the order of the catalogue of actions.

    Args:
        state: The game.
        seat: Whose actions.
        person: Asked by its person, who plays only while no bot keeps the seat.
    """
    menu = Menu([], [])
    if person and state.seats[seat].keeper:
        return Menu([], [_closed(choice, None, KEPT) for choice in RULES_OF[type(state)].choices.values()])
    prompts = [prompt for prompt in state.prompts.values() if prompt.seat == seat]
    for choice in RULES_OF[type(state)].choices.values():
        if refusal := why_not_at_all(state, seat, choice):
            menu.closed.append(_closed(choice, None, refusal))
        elif not choice.prompts:
            _offer(menu, state, seat, choice, None)
        else:
            under = [prompt for prompt in prompts if prompt.kind in choice.prompts]
            for prompt in under:
                _offer(menu, state, seat, choice, prompt)
            if not under:
                menu.closed.append(_closed(choice, None, _not_asked(state, seat, choice)))
    return menu


def open_actions(state: AnyState, seat: int, ignored: frozenset[str] = frozenset()) -> list[LegalAction]:
    """List what is open alone, as `legal_actions` does; for players that never ask why not the rest.

    Args:
        state: The game.
        seat: Whose actions.
        ignored: Names of actions that are left out.
    """
    menu = Menu([], [])
    prompts = [prompt for prompt in state.prompts.values() if prompt.seat == seat]
    kinds = {prompt.kind for prompt in prompts}
    for choice in RULES_OF[type(state)].choices.values():
        # The cheap questions first: a bot asks for every action at every move.
        if choice.prompts and choice.prompts.isdisjoint(kinds):
            continue
        if _name_of(choice.record) in ignored or why_not_at_all(state, seat, choice):
            continue
        for prompt in prompts if choice.prompts else [None]:
            if prompt is None or prompt.kind in choice.prompts:
                _offer(menu, state, seat, choice, prompt)
    return menu.open


def _not_asked(state: AnyState, seat: int, choice: AnyChoice) -> Refusal:
    if state.active and state.active != seat:
        return Refusal("not_your_turn", f"It is the turn of seat {state.active}.")
    return choice.why_not_asked(state, seat)


def _offer(menu: Menu, state: AnyState, seat: int, choice: AnyChoice, prompt: Prompt | None) -> None:
    if choice.why_not and (refusal := choice.why_not(state, seat)):
        menu.closed.append(_closed(choice, prompt, refusal))
        return
    bounds, name = choice.bounds(state, seat) if choice.bounds else {}, _name_of(choice.record)
    least = {name: _least(bound) for name, bound in bounds.items()}
    shown = {**EXAMPLES, **least, **(choice.example(state, seat) if choice.example else {})}
    filled = {name: shown[name] for name in _parameters(choice.record)}
    body = {"action": name, **({"prompt": prompt.prompt} if prompt else {}), **filled}
    if choice.objection and (objection := choice.objection(state, seat, msgspec.convert(body, choice.record))):
        menu.closed.append(_closed(choice, prompt, objection))
        return
    default = prompt is not None and type(default_of(state, prompt.prompt)) is choice.record
    schema = _narrowed(choice.record, bounds, prompt)
    about, answers = _about_of(choice.record), prompt.prompt if prompt else ""
    menu.open.append(LegalAction(name, about, answers, body, schema, default))


def _closed(choice: AnyChoice, prompt: Prompt | None, refusal: Refusal) -> ClosedAction:
    return ClosedAction(_name_of(choice.record), _about_of(choice.record), prompt.prompt if prompt else "", refusal)


_name_of = cache(a.name_of)


@cache
def _about_of(record: type[a.Action]) -> str:
    return (record.__doc__ or "").strip().splitlines()[0]


# Kept: msgspec would read all annotations again for each answer.
@cache
def _parameters(record: type[a.Action]) -> tuple[str, ...]:
    """List an action's parameters."""
    return tuple(field.name for field in msgspec.structs.fields(record) if field.name != "prompt")


EXAMPLES: dict[str, Any] = {"horse": 7, "number": "123", "horses": True, "lottery": True, "max_stake": 100}
"""Values for parameters that no bound narrows."""


def _least(bound: Bound) -> Any:
    if isinstance(bound, OneOf):
        return bound.values[0]
    if isinstance(bound, Range):
        return bound.low
    return [bound.bound.low] * bound.length if isinstance(bound, Each) else [] if isinstance(bound, SomeOf) else None


@cache
def _schema(record: type[a.Action]) -> dict[str, Any]:
    (_,), components = msgspec.json.schema_components([record])
    others = {name: shape for name, shape in components.items() if name != record.__name__}
    return {**components[record.__name__], **({"$defs": others} if others else {})}


def _narrowed(record: type[a.Action], bounds: dict[str, Bound], prompt: Prompt | None) -> dict[str, Any]:
    schema = _schema(record)
    narrow: dict[str, dict[str, Any]] = {name: bound.schema() for name, bound in bounds.items()}
    if prompt:
        narrow["prompt"] = {"const": prompt.prompt}
    properties = {name: {**shape, **narrow.get(name, {})} for name, shape in schema["properties"].items()}
    return {**schema, "properties": properties, "additionalProperties": False}
