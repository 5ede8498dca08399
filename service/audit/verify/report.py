"""The report of a verification, and the findings in it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from projections.merkle import EMPTY
from service.audit.execution import Verdict

MOST_FINDINGS = 1000


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact about a game's history that is not as it should be.

    Attributes:
        version: The event that it is about; 0 for the game as a whole.
        check: Stable name of the check that found it.
        expected: What should be there, in words.
        found: What is there.
    """

    version: int
    check: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a verification.

    Attributes:
        game: Id of the game.
        version: Version of the last event that was read.
        head_hex: Chain link there, as computed from the bytes: compare it with what was noted elsewhere.
        sealed: The head record says that the game takes no more events.
        findings: What is wrong, in the order of the stream; empty when nothing is.
        checks: What was checked and how far, one sentence each.
        unchecked: What was not checked and why not, one sentence each.
        execution: The verdict of executing every action again; None where that was not done.
        tree_hex: Root of the RFC 9162 tree over all entries.
    """

    game: str
    version: int
    head_hex: str
    sealed: bool
    findings: list[Finding]
    checks: list[str]
    unchecked: list[str] = field(default_factory=list)
    execution: Verdict | None = None
    tree_hex: str = EMPTY.hex()


@dataclass
class Findings:
    """Collects findings and keeps a limited number of them: a stream may be wrong throughout."""

    kept: list[Finding] = field(default_factory=list)
    left_out: int = 0

    def add(self, version: int, check: str, expected: object, found: object) -> None:
        """Note a finding."""
        if len(self.kept) < MOST_FINDINGS:
            self.kept.append(Finding(version, check, short(expected), short(found)))
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
                self.add(version, check, f"{what} {expected}", found)


def short(value: object) -> str:
    """Write a value of unknown length in a line."""
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= 300 else f"{text[:300]}…"
