"""The tally of The Social Justice Game: how wealth is spread, who rises, who is out."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from events.base import Event
from events.lobby import GameFinished
from events.play import ActionTaken, DiceRolled, PromptOpened
from events.social_justice.board import ROLES
from events.social_justice.events import CitizenOut, RoleChanged, RoundStarted
from projections.state.social_justice import SocialJusticeState
from service.rules.social_justice.turn import MOST_ROUNDS
from service.simulation.matches import Plan
from service.simulation.social_justice.rule_signs import CASES, RULES_OF
from service.simulation.social_justice.wealth import gini, worths_of
from service.simulation.tally import GameCount, Tally, play_counted


@dataclass
class SocialJusticeTally(Tally):
    """Counts over games.

    Attributes:
        ends: Why a game ended → games.
        seats: Role at the start → seats.
        worth: (Role at the start, round) → net worth after it of all such seats together; 0 is before the first. A
            game that is over stays as it ended.
        still_in: (Role at the start, round) → seats still in.
        gini: Round → Gini coefficients of all games together, in hundredths of a percent.
        final: (Role at the start, net worth at the end) → seats.
        ranks: (Role at the start, rank; 0 for out) → seats.
        mobility: (Role at the start, role at the end or why it is out) → seats.
        outs: (Why, role at the start, role held, round) → seats.
    """

    ends: Counter[str] = field(default_factory=Counter)
    seats: Counter[str] = field(default_factory=Counter)
    worth: Counter[tuple[str, int]] = field(default_factory=Counter)
    still_in: Counter[tuple[str, int]] = field(default_factory=Counter)
    gini: Counter[int] = field(default_factory=Counter)
    final: Counter[tuple[str, int]] = field(default_factory=Counter)
    ranks: Counter[tuple[str, int]] = field(default_factory=Counter)
    mobility: Counter[tuple[str, str]] = field(default_factory=Counter)
    outs: Counter[tuple[str, str, str, int]] = field(default_factory=Counter)


@dataclass
class Moment:
    """How things stood after a round.

    Attributes:
        worth: Role at the start → net worth of all such seats together.
        still_in: Role at the start → seats still in.
        gini: Gini coefficient of all seats, in hundredths of a percent.
    """

    worth: Counter[str]
    still_in: Counter[str]
    gini: int


class SocialJusticeCount(GameCount[SocialJusticeTally, SocialJusticeState]):
    """Counts one game of The Social Justice Game.

    Attributes:
        started: Seat → role at the start.
        moments: How things stood before the first round and after each.
        outs: Of each seat that went out: why, role at the start, role held, round.
        end: The state that the game ended in.
    """

    rules_of = RULES_OF

    def __init__(self, tally: SocialJusticeTally) -> None:
        super().__init__(tally)
        self.started: dict[int, str] = {}
        self.moments: list[Moment] = []
        self.outs: list[tuple[str, str, str, int]] = []
        self.end: SocialJusticeState | None = None
        self.counts |= {CitizenOut: self._out, RoundStarted: self._round}
        # An answer names its prompt by id alone: what the last prompts asked is kept here.
        self._kinds: dict[str, str] = {}

    def moment(self, played: int) -> Moment:
        """Return how things stood after a round, from 0; a game that is over stays as it ended."""
        return self.moments[min(played, len(self.moments) - 1)]

    def cases(self, event: Event, state: SocialJusticeState) -> Iterator[str]:
        """List what tells the case of an event apart."""
        if isinstance(event, PromptOpened):
            self._kinds[event.prompt] = event.kind
        if isinstance(event, ActionTaken) and event.prompt:
            yield event.name
            yield f"{event.name}_{self._kinds.get(event.prompt, '')}"
        elif isinstance(event, DiceRolled):
            yield event.purpose
            if event.purpose == "movement" and state.citizens[event.seat].serving:
                yield "serving"
        elif isinstance(event, RoleChanged):
            yield from (event.why, event.rule)
            if event.why == "degree" and state.citizens[event.seat].veteran:
                yield "veteran"
        elif cases := CASES.get(type(event)):
            yield from cases(event)

    def rounds(self, state: SocialJusticeState) -> int:
        """Return the number of the last round."""
        return state.round

    def _out(self, event: CitizenOut, state: SocialJusticeState) -> None:
        held = state.citizens[event.seat].held()
        self.outs.append((event.why, self.started[event.seat], held, state.round))

    def _round(self, event: RoundStarted, state: SocialJusticeState) -> None:
        if event.round == 1:
            self.started = {seat: citizen.held() for seat, citizen in state.citizens.items()}
        self._keep_moment(state)

    def _keep_moment(self, state: SocialJusticeState) -> None:
        worths = worths_of(state)
        worth: Counter[str] = Counter()
        for seat, amount in worths.items():
            worth[self.started[seat]] += amount
        still_in = Counter(self.started[seat] for seat in state.alive())
        self.moments.append(Moment(worth, still_in, gini(worths.values())))

    def result(self, event: GameFinished, state: SocialJusticeState) -> None:
        """Count what became of every seat, and how wealth was spread."""
        self._keep_moment(state)
        self.end = state
        tally = self.tally
        tally.ends[event.reason] += 1
        tally.seats.update(self.started.values())
        tally.outs.update(self.outs)
        for line in event.standings:
            role, out = self.started[line.seat], state.citizens[line.seat].out
            tally.ranks[role, line.rank] += 1
            tally.final[role, 0 if out else line.score] += 1
            tally.mobility[role, out or line.track] += 1
        self._wealth()

    def _wealth(self) -> None:
        """Count every round that a game may have: one that is over stays as it ended."""
        for played in range(MOST_ROUNDS + 1):
            moment = self.moment(played)
            self.tally.gini[played] += moment.gini
            for role in ROLES:
                if role in moment.worth:
                    self.tally.worth[role, played] += moment.worth[role]
                    self.tally.still_in[role, played] += moment.still_in[role]


def play_some(plan: Plan, numbers: Iterable[int]) -> SocialJusticeTally:
    """Play the games of these numbers to their ends, and count."""
    tally = SocialJusticeTally()
    for number in numbers:
        play_counted(plan, number, SocialJusticeCount(tally))
    return tally
