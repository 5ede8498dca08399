"""Whether the recorded actions lead to the recorded events: each is decided again, under the rules of its game.

The recorded outcomes are the dice; that those follow from the secret is checked in `fairness`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from events.base import Envelope, Event
from projections.evolve import AnyState
from service.audit.execution import Difference, Verdict, classify, differs
from service.audit.verify.report import Findings
from service.rules import versions


class Reexecution:
    """Executes the actions of one game in order.

    Args:
        findings: Where findings go.
        wanted: Whether to execute; what must answer soon does not.
    """

    def __init__(self, findings: Findings, *, wanted: bool) -> None:
        self._findings = findings
        self._wanted = wanted
        self._lacks = ""
        self._other_code = False
        self._otherwise = ""
        self._actions = 0
        self._differed = -1
        self._noted: list[Difference] = []

    def lack(self, what: str) -> None:
        """Note what this release does not hold, and without which nothing can be executed."""
        self._lacks = self._lacks or what

    def opened_by(self, code: str) -> None:
        """Note the fingerprint of the code that opened the game: what other code decides, this one cannot judge."""
        self._other_code = code != versions.fingerprint()

    def holds(self, state: AnyState) -> bool:
        """Return whether this release holds the rules and the data files that the game is played by."""
        if state.rules not in versions.SUPPORTED:
            self.lack(f"rules {state.rules}")
        return not self._lacks

    def check(self, state: AnyState, recorded: Sequence[Envelope[Event]]) -> None:
        """Decide an action again on the state right before it, which is not changed."""
        if not self._wanted or not self.holds(state):
            return
        self._actions += 1
        difference = differs(state, recorded)
        if difference is None:
            return
        if not self._noted or (difference.ending and not self._noted[-1].ending):
            self._noted.append(difference)  # a verdict needs the first of all, and the first that changes the end
        expected, found = brief_difference(difference.executed, difference.recorded)
        expected = f"of {difference.action or 'nothing'}: {expected}"
        if self._other_code:
            self._otherwise = self._otherwise or f"event {difference.version}: expected {expected}, found {found}"
            return
        again, self._differed = self._differed == self._actions - 1, self._actions
        self._findings.add(difference.version, "execution", expected, found, again=again)

    def verdict(self) -> Verdict | None:
        """Return the verdict on the game; None when it was not executed."""
        return classify(self._noted) if self._wanted and not self._lacks else None

    def checked(self) -> str:
        """Return the sentence about what was checked; empty for nothing."""
        if self.verdict() is None:
            return ""
        return f"execution: {self._actions:,} actions were decided again on the recorded outcomes: {self.verdict()}"

    def unchecked(self) -> str:
        """Return the sentence about what is promised and was not checked, and why; empty when all was."""
        if self._wanted and self._lacks:
            held = ", ".join(map(str, sorted(versions.SUPPORTED)))
            return (
                f"execution: not done, since the game is played by {self._lacks} and this release holds rules {held};"
                f" a release that holds {self._lacks} does it"
            )
        if self._wanted and self._other_code:
            here = f"decides otherwise: {self._otherwise}" if self._otherwise else "decides the same"
            return (
                "execution: the game was opened by other code under the same number of the rules; only the release that"
                f" it was played with can judge it (this one {here})"
            )
        return ""


def brief_difference(executed: str, recorded: str) -> tuple[str, str]:
    """Return only what differs in two events, so that it fits a line; each is canonical JSON, or words."""
    if not (executed.startswith("{") and recorded.startswith("{")):
        return _brief(executed), _brief(recorded)
    one, other = (dict(_fields(msgspec.json.decode(text))) for text in (executed, recorded))
    if one["data.type"] != other["data.type"]:
        return _brief(executed), _brief(recorded)
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return tuple(_list(one["data.type"], fields, names) for fields in (one, other))  # type: ignore[return-value] # they are two


def _fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(value, dict):
        yield path, value
        return
    for name, inner in value.items():
        yield from _fields(inner, f"{path}.{name}" if path else name)


def _list(kind: str, fields: dict[str, Any], names: list[str]) -> str:
    return f"{kind} with " + ", ".join(f"{name} {fields.get(name, 'missing')}" for name in names)


def _brief(text: str) -> str:
    """Return the data of an event without its envelope, which is the same for a whole action."""
    return msgspec.json.encode(msgspec.json.decode(text)["data"]).decode() if text.startswith("{") else text
