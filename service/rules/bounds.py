"""What a parameter may be right now.

One bound serves twice: it narrows the JSON Schema in the list of legal actions, and it checks the action that is sent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from events.base import Scalar

WORDS = {"True": "true", "False": "false", "None": "null"}
"""How JSON writes what Python writes otherwise."""


@dataclass(frozen=True, slots=True)
class Range:
    """A whole number from `low` to `high` in steps of `step`, both ends included."""

    low: int
    high: int
    step: int = 1

    def allows(self, value: object) -> bool:
        """Return whether a value is possible now."""
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        return self.low <= value <= self.high and (value - self.low) % self.step == 0

    def schema(self) -> dict[str, Any]:
        """Narrow the parameter's JSON Schema."""
        steps = {"multipleOf": self.step} if self.step > 1 else {}
        return {"minimum": self.low, "maximum": self.high, **steps}

    def words(self) -> str:
        """Return the bound as words of a sentence."""
        steps = f" in steps of {self.step}" if self.step > 1 else ""
        return f"a whole number from {self.low} to {self.high}{steps}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few values."""

    values: Sequence[Scalar]

    def allows(self, value: object) -> bool:
        """Return whether a value is possible now."""
        return any(type(value) is type(possible) and value == possible for possible in self.values)

    def schema(self) -> dict[str, Any]:
        """Narrow the parameter's JSON Schema."""
        return {"enum": list(self.values)}

    def words(self) -> str:
        """Return the bound as words of a sentence."""
        return "one of " + ", ".join(WORDS.get(str(value), str(value)) for value in self.values)


@dataclass(frozen=True, slots=True)
class OrNone:
    """What another bound allows, or null for none."""

    bound: Range

    def allows(self, value: object) -> bool:
        """Return whether a value is possible now."""
        return value is None or self.bound.allows(value)

    def schema(self) -> dict[str, Any]:
        """Narrow the parameter's JSON Schema."""
        return {"anyOf": [{"type": "integer", **self.bound.schema()}, {"type": "null"}]}

    def words(self) -> str:
        """Return the bound as words of a sentence."""
        return f"null or {self.bound.words()}"


@dataclass(frozen=True, slots=True)
class SomeOf:
    """A list of some of a few values, each at most once; perhaps none."""

    values: Sequence[Scalar]

    def allows(self, value: object) -> bool:
        """Return whether a value is possible now."""
        if not isinstance(value, list):
            return False
        return all(any(type(v) is type(p) and v == p for p in self.values) and value.count(v) == 1 for v in value)

    def schema(self) -> dict[str, Any]:
        """Narrow the parameter's JSON Schema."""
        return {"type": "array", "items": {"enum": list(self.values)}, "uniqueItems": True}

    def words(self) -> str:
        """Return the bound as words of a sentence."""
        return "a list of any of " + ", ".join(str(value) for value in self.values)


@dataclass(frozen=True, slots=True)
class Each:
    """A list of a fixed length, each item within a range."""

    bound: Range
    length: int

    def allows(self, value: object) -> bool:
        """Return whether a value is possible now."""
        return isinstance(value, list) and len(value) == self.length and all(self.bound.allows(item) for item in value)

    def schema(self) -> dict[str, Any]:
        """Narrow the parameter's JSON Schema."""
        items = {"type": "integer", **self.bound.schema()}
        return {"type": "array", "items": items, "minItems": self.length, "maxItems": self.length}

    def words(self) -> str:
        """Return the bound as words of a sentence."""
        return f"a list of {self.length}, each {self.bound.words()}"


Bound: TypeAlias = Range | OneOf | OrNone | SomeOf | Each
