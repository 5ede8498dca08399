"""What a votable parameter can hold: the kinds of values of section 5.2, with their bounds.

One kind serves three times: it checks the operation of a proposal, checks a starting value that the seats agree on, and
is shown in documents.
"""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from events.operations import ROLES, Value

Fault: TypeAlias = Literal["wrong_type", "out_of_bounds"]


def is_whole(value: Value) -> bool:
    """Tell a whole number from a switch, which Python takes for one."""
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`, or nothing at all where that is possible."""

    low: int
    high: int
    nullable: bool = False

    def fault(self, value: Value) -> Fault | None:
        """Say what is wrong with a value; None when it fits."""
        if value is None and self.nullable:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            return "wrong_type"
        return None if self.low <= value <= self.high else "out_of_bounds"

    def words(self) -> str:
        """Say it in a sentence."""
        return f"a whole number from {self.low} to {self.high}{' or null' if self.nullable else ''}"

    def schema(self) -> dict[str, Any]:
        """Give it as a JSON Schema."""
        kind = ["integer", "null"] if self.nullable else "integer"
        return {"type": kind, "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false; `enable` and `disable` work on these alone."""

    def fault(self, value: Value) -> Fault | None:
        """Say what is wrong with a value; None when it fits."""
        return None if isinstance(value, bool) else "wrong_type"

    def words(self) -> str:
        """Say it in a sentence."""
        return "true or false"

    def schema(self) -> dict[str, Any]:
        """Give it as a JSON Schema."""
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few words."""

    values: tuple[str, ...]

    def fault(self, value: Value) -> Fault | None:
        """Say what is wrong with a value; None when it fits."""
        if not isinstance(value, str):
            return "wrong_type"
        return None if value in self.values else "out_of_bounds"

    def words(self) -> str:
        """Say it in a sentence."""
        return "one of " + ", ".join(self.values)

    def schema(self) -> dict[str, Any]:
        """Give it as a JSON Schema."""
        return {"enum": list(self.values)}


@dataclass(frozen=True, slots=True)
class Sides:
    """A die with one of a few numbers of sides."""

    values: tuple[int, ...]

    def fault(self, value: Value) -> Fault | None:
        """Say what is wrong with a value; None when it fits."""
        if not is_whole(value):
            return "wrong_type"
        return None if value in self.values else "out_of_bounds"

    def words(self) -> str:
        """Say it in a sentence."""
        return "one of " + ", ".join(map(str, self.values))

    def schema(self) -> dict[str, Any]:
        """Give it as a JSON Schema."""
        return {"enum": list(self.values)}


@dataclass(frozen=True, slots=True)
class Roles:
    """A set of roles, perhaps empty; written as a list without repetition."""

    def fault(self, value: Value) -> Fault | None:
        """Say what is wrong with a value; None when it fits."""
        if not isinstance(value, tuple) or not all(isinstance(role, str) for role in value):
            return "wrong_type"
        known = all(role in ROLES for role in value)
        return None if known and len(set(value)) == len(value) else "out_of_bounds"

    def words(self) -> str:
        """Say it in a sentence."""
        return "a list of different roles out of " + ", ".join(ROLES)

    def schema(self) -> dict[str, Any]:
        """Give it as a JSON Schema."""
        return {"type": "array", "items": {"enum": list(ROLES)}, "uniqueItems": True}


@dataclass(frozen=True, slots=True)
class Percents:
    """Six shares, one for each face of a die, each from 0 to 100 per cent."""

    def fault(self, value: Value) -> Fault | None:
        """Say what is wrong with a value; None when it fits."""
        if not isinstance(value, tuple) or not all(is_whole(share) for share in value):
            return "wrong_type"
        fits = len(value) == 6 and all(isinstance(share, int) and 0 <= share <= 100 for share in value)
        return None if fits else "out_of_bounds"

    def words(self) -> str:
        """Say it in a sentence."""
        return "a list of six whole numbers from 0 to 100"

    def schema(self) -> dict[str, Any]:
        """Give it as a JSON Schema."""
        share = {"type": "integer", "minimum": 0, "maximum": 100}
        return {"type": "array", "items": share, "minItems": 6, "maxItems": 6}


Kind: TypeAlias = Whole | Flag | Word | Sides | Roles | Percents

MONEY = Whole(0, 10_000)
CAP = Whole(0, 10_000, nullable=True)
