"""What a demo needs to know of each rulebook: how long a game is, who plays it, and how its result reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from events.base import Rulebook
from projections.timeline.words import counted
from service.bots import Bot, RandomBot, SensibleBot
from service.cli import display
from service.cli.reading import plain
from service.settings import OperatorError

Report = dict[str, Any]


@dataclass(frozen=True)
class Demonstrated:
    """One rulebook.

    Attributes:
        rulebook: Its name on the wire.
        title: Its name for people.
        unit: What its length is counted in, and the option of the demo that gives it.
        option: The game's option that it sets.
        length: How long a demo is unless told.
        most: How long it may be.
        done: How much of it is behind a state.
        bot: Makes who plays a seat, from the seat and a seed.
        standings: Draws the result.
    """

    rulebook: Rulebook
    title: str
    unit: str
    option: str
    length: int
    most: int
    done: Callable[[dict[str, Any]], int]
    bot: Callable[[int, int], Bot]
    standings: Callable[[Report], Table]

    def length_of(self, given: Mapping[str, int | None]) -> int:
        """Choose how long the game is: as asked for, in this rulebook's unit.

        Raises:
            OperatorError: It was asked for in another rulebook's unit, or is too long.
        """
        strange = [unit for unit, asked in given.items() if asked is not None and unit != self.unit]
        if strange:
            raise OperatorError(f"--{strange[0]} is for another rulebook; {self.title} is played for --{self.unit}")
        length = given[self.unit] or self.length
        if length > self.most:
            raise OperatorError(f"--{self.unit} is at most {self.most}")
        return length

    def long(self, length: int) -> str:
        """Say a length: `1 month`, `6 months`."""
        return counted(length, self.unit.removesuffix("s"))


def _months(state: dict[str, Any]) -> int:
    return max(int(player["month"]) for player in state["players"].values())


def _mixed(seat: int, seed: int) -> Bot:
    """Let every other seat play with sense."""
    return SensibleBot() if seat % 2 else RandomBot(seed=seed)


def _by_track(report: Report) -> Table:
    table = display.table("rank", "seat", "track", "total", "tax", "score", title="Standings")
    for line in report["standings"]:
        table.add_row(
            f"{line['rank'] or 'left'}", _seat(report, line), line["track"],
            f"{line['total']:,}", f"{line['tax']:,}", f"{line['score']:,}",
        )  # fmt: skip
    return table


def _by_role(report: Report) -> Table:
    table = display.table("rank", "seat", "role", "net worth", title="Standings")
    for line in report["standings"]:
        table.add_row(f"{line['rank'] or 'out'}", _seat(report, line), line["track"], f"{line['score']:,}")
    return table


def _seat(report: Report, line: dict[str, Any]) -> str:
    return plain(f"{line['seat']} {report['names'].get(str(line['seat']), '')}")


DEMONSTRATED: Mapping[str, Demonstrated] = {
    "public_assistance": Demonstrated(
        rulebook="public_assistance",
        title="Public Assistance",
        unit="months",
        option="months",
        length=6,
        most=60,
        done=_months,
        bot=_mixed,
        standings=_by_track,
    ),
    "social_justice": Demonstrated(
        rulebook="social_justice",
        title="The Social Justice Game",
        unit="rounds",
        option="end.rounds",
        length=10,
        most=200,
        done=lambda state: int(state["round"]),
        bot=lambda _seat, seed: RandomBot(seed=seed),
        standings=_by_role,
    ),
}
"""By name on the wire."""
