"""The tally of Public Assistance: tracks, money and taxes."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from events.base import Event
from events.lobby import GameFinished, Standing
from events.play import TurnStarted
from projections.state.public_assistance import PublicAssistanceState
from service.rules.public_assistance.ending import TAX_TABLE
from service.simulation.matches import Plan
from service.simulation.public_assistance.rule_signs import CASES, RULES_OF
from service.simulation.tally import GameCount, Tally, play_counted

UNTAXED = 0


@dataclass
class PublicAssistanceTally(Tally):
    """Counts over games; a round is an own turn of the seat that had most.

    Attributes:
        winners: Track on which a winner ended → winners.
        money: (Track on which a seat ended, its result after tax) → seats.
        brackets: Tax in percent → seats that ended in the rut; 0 for one that owed more than it had.
    """

    winners: Counter[str] = field(default_factory=Counter)
    money: Counter[tuple[str, int]] = field(default_factory=Counter)
    brackets: Counter[int] = field(default_factory=Counter)


class PublicAssistanceCount(GameCount[PublicAssistanceTally, PublicAssistanceState]):
    """Counts one game of Public Assistance."""

    rules_of = RULES_OF

    def cases(self, event: Event, state: PublicAssistanceState) -> Iterable[str]:
        """List what tells the case of an event apart: of the start of a turn, the track that the piece is on."""
        if cases := CASES.get(type(event)):
            return cases(event)
        return (state.players[event.seat].track,) if isinstance(event, TurnStarted) else ()

    def rounds(self, state: PublicAssistanceState) -> int:
        """Return how many own turns the seat had that had most."""
        return max(player.own for player in state.players.values())

    def result(self, event: GameFinished, _state: PublicAssistanceState) -> None:
        """Count where seats ended, with how much, and how they were taxed."""
        for line in event.standings:
            self.tally.money[line.track, line.score] += 1
            if line.seat in event.winners:
                self.tally.winners[line.track] += 1
            if line.track == "rut":
                self.tally.brackets[bracket_of(line)] += 1


def bracket_of(line: Standing) -> int:
    """Return which percentage a working player's result was taxed with (PA-50)."""
    return next((percent for least, percent in TAX_TABLE if line.total >= least), UNTAXED)


def play_some(plan: Plan, numbers: Iterable[int]) -> PublicAssistanceTally:
    """Play the games of these numbers to their ends, and count."""
    tally = PublicAssistanceTally()
    for number in numbers:
        play_counted(plan, number, PublicAssistanceCount(tally))
    return tally
