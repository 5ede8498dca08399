"""What every event is made of: the base record, the envelope and the words both share.

An event is a fact in the past tense, frozen and full: a reader never has to ask a rule, a clock or a die what it
meant. Wire names (`type`) and field names never change; a change of shape is a new schema number and an upcaster.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

Seat: TypeAlias = Annotated[int, Meta(ge=1, le=8)]
"""Number of a place at the table, counted from 1 in seat order (clockwise)."""

Account: TypeAlias = str
"""Name of an account of cash: `custodian`, `bank`, `seat:<n>` or `escrow`."""

Amount: TypeAlias = Annotated[int, Meta(gt=0, lt=2**53)]
"""Whole dollars, always positive."""

Count: TypeAlias = Annotated[int, Meta(ge=0, lt=2**53)]
"""A whole number that is never negative."""

Digest: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])")]
"""SHA-256 in lower-case hex."""

ActionId: TypeAlias = Annotated[
    str, Meta(min_length=64, max_length=64, extra_json_schema={"pattern": "^[0-9a-f]{64}$"})
]
"""A `Digest` that stands in every envelope. Reading checks its length alone: matching the pattern there took four
tenths of the time of decoding a stream."""

RuleId: TypeAlias = str
"""Number in the rule catalogue, such as `PA-15` or `SJG-4b`."""

Millis: TypeAlias = Annotated[int, Meta(ge=0, lt=2**53)]
"""UTC time in milliseconds since 1970-01-01."""

Scalar: TypeAlias = int | bool | str | None

OptionValue: TypeAlias = Scalar | Sequence[Scalar]
"""What an option of a game may be: one value, or a list of values where it is a set."""

_Shallow: TypeAlias = Scalar | Sequence[Scalar] | Mapping[str, Scalar]
_Middle: TypeAlias = Scalar | Sequence[_Shallow] | Mapping[str, _Shallow]
_Deep: TypeAlias = Scalar | Sequence[_Middle] | Mapping[str, _Middle]
Json: TypeAlias = Scalar | Sequence[_Deep] | Mapping[str, _Deep]
"""What a parameter of an action may be: JSON of whole numbers, flags and words, four levels deep."""

BANK = "bank"
ESCROW = "escrow"
CUSTODIAN = "custodian"


@cache
def seat_account(seat: int) -> Account:
    """Return the name of the cash account of a seat."""
    return f"seat:{seat}"


class Event(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """A fact that happened. Subclasses carry the stable wire name as their tag."""


E = TypeVar("E", bound=Event)


class Envelope(Struct, Generic[E], frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One entry of a game's stream.

    Attributes:
        version: Position in the stream: 1, 2, 3 … without gaps.
        at: When the action that it belongs to was recorded (UTC, ms); never decreases along a stream.
        turn: Number of the turn it belongs to; 0 before the first.
        actor: Who caused it: `seat:<n>`, `bot:<n>`, `host`, `clock`, `operator` or `system`.
        action: SHA-256 of scope and idempotency key; the same for all events of one action.
        data: The event itself.
    """

    version: Annotated[int, Meta(ge=1, lt=2**53)]
    at: Millis
    turn: Count
    actor: str
    action: ActionId
    data: E


class Opaque(Event, frozen=True, tag="opaque"):
    """An event of a type this program does not know: shown in a replay, refused for play. Never written.

    Attributes:
        name: The wire name found.
        schema: The schema number found.
        fields: The data as it stands in the stream.
    """

    name: str
    schema: int
    fields: dict[str, object]


Rulebook: TypeAlias = Literal["public_assistance", "social_justice"]
