"""The rules' own records as components of the OpenAPI document: events, states, the ledger, politics, actions.

Programs that make clients read these, and take less than JSON Schema has: every name is given once, a list has one
kind of item, and what is always sent is required.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import msgspec

from events.base import Envelope
from events.catalogue import TYPES
from events.public_assistance.board import PublicAssistanceBoard, PublicAssistanceDeck
from events.social_justice.board import ChangeDeck, SocialJusticeBoard
from projections.changes import Change
from projections.ledger.chart import LedgerEntry
from projections.rules_in_force import RuleOnRecord, TermOnRecord, VoteOnRecord
from projections.state.base import GameState, Prompt
from projections.state.public_assistance import PublicAssistanceState
from projections.state.social_justice import SocialJusticeState
from service.rules.rulebooks import ACTIONS

REFS = "#/components/schemas/"
STATES: tuple[type[GameState], ...] = (PublicAssistanceState, SocialJusticeState)
SENT: tuple[type[msgspec.Struct], ...] = (
    *TYPES.values(), *STATES, Prompt, Change, LedgerEntry, RuleOnRecord, VoteOnRecord, TermOnRecord,
)  # fmt: skip
FILES: tuple[type[msgspec.Struct], ...] = (PublicAssistanceBoard, PublicAssistanceDeck, SocialJusticeBoard, ChangeDeck)
"""Data files, which are sent as they are: what has a default may be left out."""


@cache
def records() -> dict[str, Any]:
    """Make the components.

    A record that is both sent and taken, such as an operation of a proposal, has two: only what is sent always has
    every field.
    """
    sent, taken = _components(SENT), _components(ACTIONS.values())
    twice = {name: f"{name}Body" for name in sent.keys() & taken.keys()}
    found: dict[str, Any] = {name: _simplified(shape) for name, shape in _components(FILES).items()}
    assert found.keys().isdisjoint(sent.keys() | taken.keys()), "a name is given once"
    for name, shape in sent.items():
        found[name] = {**_simplified(shape), "required": list(shape["properties"])}
    for name, shape in taken.items():
        found[twice.get(name, name)] = {**_simplified(shape, twice), "title": twice.get(name, name)}
    return {
        **found,
        "Event": _entry(),
        "GameState": _one_of("rulebook", {str(kind.__struct_config__.tag): kind.__name__ for kind in STATES}),
        "PlayAction": {
            "description": "An action of a seat.",
            **_one_of("action", {name: record.__name__ for name, record in ACTIONS.items()}),
        },
    }


def _components(kinds: Iterable[type[msgspec.Struct]]) -> dict[str, Any]:
    return msgspec.json.schema_components(kinds, ref_template=REFS + "{name}")[1]


def _simplified(shape: Any, renamed: Mapping[str, str] = MappingProxyType({})) -> Any:
    """Return a schema without lists of a kind of item for each place, and with references to renamed components."""
    if isinstance(shape, list):
        return [_simplified(part, renamed) for part in shape]
    if isinstance(shape, str) and shape.startswith(REFS):
        name = shape.removeprefix(REFS)
        return f"{REFS}{renamed.get(name, name)}"
    if not isinstance(shape, dict):
        return shape
    simple = {key: _simplified(part, renamed) for key, part in shape.items()}
    if "prefixItems" in simple:
        first, *others = simple.pop("prefixItems")
        assert all(other == first for other in others), "a list has one kind of item"
        simple["items"] = first
    return simple


def _entry() -> dict[str, Any]:
    """Make the component of an entry of a stream, whose data is any event."""
    envelope = msgspec.json.schema(Envelope[dict[str, Any]], ref_template=REFS + "{name}")  # type: ignore[type-var] # its data is given below
    (shape,) = envelope["$defs"].values()
    data = _one_of("type", {name: kind.__name__ for name, kind in TYPES.items()})
    about = "An entry of a game's stream, as it is stored."
    return {**shape, "title": "Event", "description": about, "properties": {**shape["properties"], "data": data}}


def _one_of(name: str, members: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema of a union whose members are distinguished by a property."""
    references = {value: f"{REFS}{member}" for value, member in members.items()}
    return {
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": name, "mapping": references},
    }
