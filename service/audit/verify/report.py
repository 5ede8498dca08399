"""The report of a verification, and the findings in it."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import msgspec

from events.base import Event, Opaque
from projections.merkle import EMPTY
from service.audit.execution import Verdict

MOST_FINDINGS = 1000


Outcome: TypeAlias = Literal["verified", "failed", "not verified", "holds; actions not executed"]
"""The verdict of a verification: the last one is the best that can come of one that executes nothing."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """What else is off by the same cause.

    Attributes:
        check: The check that found it.
        version: The first event that it is about.
        count: How many findings of that check there are.
    """

    check: str
    version: int
    count: int


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact about a game's history that is not as it should be.

    Attributes:
        version: The event that it is about; 0 for the game as a whole.
        check: Stable name of the check that found it.
        expected: What should be there, in words.
        found: What is there.
        follows: What comes of the same cause, once findings are grouped.
        again: The action before it had the same check fail.
    """

    version: int
    check: str
    expected: str
    found: str
    follows: tuple[Consequence, ...] = ()
    again: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a verification.

    Attributes:
        game: Id of the game.
        version: Number of events that were read.
        head_hex: Chain link there, as computed from the bytes: compare it with what was noted elsewhere.
        sealed: The head record says that the game takes no more events.
        findings: What is wrong, in the order of the stream; empty when nothing is.
        checks: What was checked and how far, one sentence each.
        unchecked: What is open, since it cannot be known yet or here, and why; one sentence each.
        missing: What is promised and could not be checked, and why; one sentence each.
        execution: The verdict of executing every action again; None where that was not done.
        tree_hex: Root of the RFC 9162 tree over all entries.
        executes: Executing every action again is promised.
    """

    game: str
    version: int
    head_hex: str
    sealed: bool
    findings: list[Finding]
    checks: list[str]
    unchecked: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    execution: Verdict | None = None
    tree_hex: str = EMPTY.hex()
    executes: bool = True

    @property
    def verdict(self) -> Outcome:
        """Return what the verification comes to; what is open changes nothing."""
        if self.findings:
            return "failed"
        if self.missing:
            return "not verified"
        return "verified" if self.executes else "holds; actions not executed"

    @property
    def causes(self) -> list[Finding]:
        """Return the findings grouped by cause."""
        return grouped(self.findings)


@dataclass
class Findings:
    """Collects findings and keeps a limited number of them: a stream may be wrong throughout."""

    kept: list[Finding] = field(default_factory=list)
    left_out: int = 0

    def add(self, version: int, check: str, expected: object, found: object, *, again: bool = False) -> None:
        """Note a finding."""
        if len(self.kept) < MOST_FINDINGS:
            self.kept.append(Finding(version, check, short(expected), short(found), again=again))
        else:
            self.left_out += 1

    def sort(self) -> None:
        """Sort what was found so far by version: an action is executed after its bytes were read."""
        self.kept.sort(key=lambda finding: finding.version)

    def listed(self) -> list[Finding]:
        """List what is kept, and how much was left out."""
        if not self.left_out:
            return self.kept
        return [*self.kept, Finding(0, "findings", "a list of all", f"{self.left_out:,} more")]

    def compare(self, version: int, check: str, pairs: Iterable[tuple[str, object, object]]) -> None:
        """Note each (what, expected, found) whose two values differ."""
        for what, expected, found in pairs:
            if expected != found:
                self.add(version, check, f"{what} {short(expected)}", found)


def short(value: object) -> str:
    """Write a value of unknown length in a line: text as it is, anything else as JSON."""
    text = value if isinstance(value, str) else msgspec.json.encode(value, order="sorted").decode()
    return text if len(text) <= 300 else f"{text[:300]}…"


def name_of(event: Event) -> str:
    """Return an event's name on the wire."""
    return event.name if isinstance(event, Opaque) else str(event.__struct_config__.tag)


BYTES = ("gapless", "bundle", "readable", "chain", "known", "canonical")
"""Checks of the stored bytes, the one that says most about a cause first."""

ENDS = ("head", "end", "tree", "checkpoint", "pinned", "acknowledged")
"""Checks of the whole, which fail after any change."""

STATE = ("books", "fold")
"""Checks that fail at an event when one before it is off."""


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """Group findings by cause, in the order of the stream; a cause names what comes of it.

    One cause has: what is off about one event; bytes of events next to each other; the same check of actions next to
    each other; and, of whatever was found first, what is then off about the whole.
    """
    groups: list[list[Finding]] = []
    for finding in sorted(findings, key=_place):
        possible = groups[:1] if finding.check in ENDS else reversed(groups)
        group = next((group for group in possible if _is_of(group, finding)), None)
        groups.append([finding]) if group is None else group.append(finding)
    return [_with_consequences(group) for group in groups]


def shown_findings(report: Report) -> list[dict[str, Any]]:
    """Return a report's findings, grouped, in the shape of the API's answers."""
    names = ("version", "check", "expected", "found", "follows")
    return [{name: msgspec.to_builtins(getattr(finding, name)) for name in names} for finding in report.causes]


def shown(report: Report) -> dict[str, Any]:
    """Return what a report comes to, in the shape of the API's answers."""
    return {
        "verdict": report.verdict,
        "checks": report.checks,
        "unchecked": report.unchecked,
        "missing": report.missing,
        "findings": shown_findings(report),
    }


def _place(finding: Finding) -> tuple[bool, bool, int, int]:
    rank = BYTES.index(finding.check) if finding.check in BYTES else len(BYTES)
    return finding.check in ENDS, not finding.version, finding.version, rank


def _is_of(group: list[Finding], finding: Finding) -> bool:
    """Return whether a finding has the cause of earlier ones."""
    first, last = group[0], group[-1]
    if not finding.version:
        return first.check in BYTES if finding.check == "text" else first.check == finding.check
    if finding.check in ENDS:
        return bool(first.version) or first.check in ENDS
    if finding.version == last.version or (finding.check in STATE and first.check != "text"):
        return True
    if finding.check in BYTES:
        return any(one.check in BYTES and one.version >= finding.version - 1 for one in group)
    return finding.again and any(one.check == finding.check for one in group)


def _with_consequences(group: list[Finding]) -> Finding:
    first, *others = group
    checks = dict.fromkeys(one.check for one in others)
    of_check = {check: [one.version for one in others if one.check == check] for check in checks}
    follows = tuple(Consequence(check, versions[0], len(versions)) for check, versions in of_check.items())
    return replace(first, follows=follows)
