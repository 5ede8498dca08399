"""What a demo needs to know of each rulebook: how long a game is, who plays it, and how its result is shown."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from events.base import Rulebook
from projections.timeline.words import counted
from service.cli import display
from service.cli.display import plain
from service.settings import OperatorError

Outcome = dict[str, Any]
"""What the demo read back from the API about a game that is over."""


@dataclass(frozen=True)
class DemoRulebook:
    """One rulebook.

    Attributes:
        rulebook: Its name on the wire.
        title: Its name for people.
        unit: What its length is counted in, and the demo's option for it.
        option: The game's option for its length.
        length: Length of a demo without that option.
        most: Largest length.
        done: How much of the length is over in a state.
        standings: Draws the result.
    """

    rulebook: Rulebook
    title: str
    unit: str
    option: str
    length: int
    most: int
    done: Callable[[dict[str, Any]], int]
    standings: Callable[[Outcome], Table]

    def length_of(self, given: Mapping[str, int | None]) -> int:
        """Return the length that was given in this rulebook's unit, else its own.

        Raises:
            OperatorError: A length was given in another rulebook's unit, or is too large.
        """
        strange = [unit for unit, asked in given.items() if asked is not None and unit != self.unit]
        if strange:
            raise OperatorError(f"--{strange[0]} is for another rulebook; {self.title} is played for --{self.unit}")
        length = given[self.unit] or self.length
        if length > self.most:
            raise OperatorError(f"--{self.unit} is at most {self.most}")
        return length

    def with_unit(self, length: int) -> str:
        """Return a length with its unit: `1 month`, `6 months`."""
        return counted(length, self.unit.removesuffix("s"))


def _by_track(outcome: Outcome) -> Table:
    table = display.table("rank", "seat", "track", "total", "tax", "score", title="Standings")
    for line in outcome["standings"]:
        table.add_row(
            f"{line['rank'] or 'left'}", _seat(outcome, line), line["track"],
            f"{line['total']:,}", f"{line['tax']:,}", f"{line['score']:,}",
        )  # fmt: skip
    return table


def _by_role(outcome: Outcome) -> Table:
    table = display.table("rank", "seat", "role", "net worth", title="Standings")
    for line in outcome["standings"]:
        table.add_row(f"{line['rank'] or 'out'}", _seat(outcome, line), line["role"], f"{line['score']:,}")
    return table


def _seat(outcome: Outcome, line: dict[str, Any]) -> str:
    return plain(f"{line['seat']} {outcome['names'].get(str(line['seat']), '')}")


RULEBOOKS: Mapping[str, DemoRulebook] = {
    "public_assistance": DemoRulebook(
        rulebook="public_assistance",
        title="Public Assistance",
        unit="months",
        option="months",
        length=6,
        most=60,
        done=lambda state: max(int(player["month"]) for player in state["players"].values()),
        standings=_by_track,
    ),
    "social_justice": DemoRulebook(
        rulebook="social_justice",
        title="The Social Justice Game",
        unit="rounds",
        option="end.rounds",
        length=10,
        most=200,
        done=lambda state: int(state["round"]),
        standings=_by_role,
    ),
}
"""By name on the wire."""
