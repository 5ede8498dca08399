"""The tally of The Social Justice Game: counts as whole numbers that add up in any order."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from events.base import Event
from events.lobby import GameFinished
from events.play import CardDrawn, DiceRolled
from events.social_justice.board import ROLES
from events.social_justice.events import CitizenOut, RoundStarted
from projections.state.social_justice import SocialJusticeState
from service.rules.social_justice.turn import MOST_ROUNDS
from service.simulation.playing import Match, Plan
from service.simulation.signs import Happening, words_of
from service.simulation.social_justice.signs import RULES_OF, Teller
from service.simulation.social_justice.wealth import gini, worths_of


@dataclass
class Tally:
    """Counts over games.

    Attributes:
        games: Number of games, under `games`.
        ends: Why a game ended → games.
        turns: Turns of a game, missed ones too → games.
        rounds: Rounds of a game → games.
        events: Events of a game → games.
        words: What happened, in the words of `signs` → times.
        rules: Rule → times that it was done.
        rule_games: Rule → games in which it was done.
        faces: (What a die was thrown for, its sides, its face) → dice.
        cards: Card → draws.
        first_cards: The same of the first draw of each game: the draws that do not hang together.
        seats: Role at the start → seats.
        worth: (Role at the start, round) → net worth behind it of all such seats together; 0 is before the first. A
            game that is over stays as it ended.
        still_in: (Role at the start, round) → seats still in.
        gini: Round → Gini coefficients of all games together, in hundredths of a percent.
        final: (Role at the start, net worth at the end) → seats.
        ranks: (Role at the start, rank; 0 for out) → seats.
        mobility: (Role at the start, role at the end or why it is out) → seats.
        outs: (Why, role at the start, role held, round) → seats.
    """

    games: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    events: Counter[int] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    rule_games: Counter[str] = field(default_factory=Counter)
    faces: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    cards: Counter[str] = field(default_factory=Counter)
    first_cards: Counter[str] = field(default_factory=Counter)
    seats: Counter[str] = field(default_factory=Counter)
    worth: Counter[tuple[str, int]] = field(default_factory=Counter)
    still_in: Counter[tuple[str, int]] = field(default_factory=Counter)
    gini: Counter[int] = field(default_factory=Counter)
    final: Counter[tuple[str, int]] = field(default_factory=Counter)
    ranks: Counter[tuple[str, int]] = field(default_factory=Counter)
    mobility: Counter[tuple[str, str]] = field(default_factory=Counter)
    outs: Counter[tuple[str, str, str, int]] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Add another tally's counts."""
        for part in fields(self):
            getattr(self, part.name).update(getattr(other, part.name))


@dataclass
class Moment:
    """How things stood behind a round.

    Attributes:
        worth: Role at the start → net worth of all such seats together.
        still_in: Role at the start → seats still in.
        gini: Gini coefficient of all seats, in hundredths of a percent.
    """

    worth: Counter[str]
    still_in: Counter[str]
    gini: int


@dataclass
class Record:
    """What is counted of one game.

    Attributes:
        started: Seat → role at the start.
        moments: How things stood before the first round and behind each.
        happened: What happened → times.
        rules: Rule → times that it was done; known at the end.
        outs: Of each seat that went out: why, role at the start, role held, round.
        events: How many there were.
        end: The state that it ended in.
    """

    started: dict[int, str] = field(default_factory=dict)
    moments: list[Moment] = field(default_factory=list)
    happened: Counter[Happening] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    outs: list[tuple[str, str, str, int]] = field(default_factory=list)
    events: int = 0
    end: SocialJusticeState | None = None

    def moment(self, played: int) -> Moment:
        """Give how things stood behind a round, from 0; a game that is over stays as it ended."""
        return self.moments[min(played, len(self.moments) - 1)]


class GameCount:
    """Counts one game from its events, in order, into a tally.

    Args:
        tally: Gets the game's dice and cards as they come, the rest with the result.
    """

    def __init__(self, tally: Tally) -> None:
        self.record = Record()
        self._tally = tally
        self._teller = Teller()
        self._counts: Mapping[type[Event], Callable[[Any, SocialJusticeState], None]] = {
            CardDrawn: self._card,
            CitizenOut: self._out,
            DiceRolled: self._dice,
            GameFinished: self._result,
            RoundStarted: self._round,
        }

    def see(self, event: Event, state: SocialJusticeState) -> None:
        """Count an event, when the state has it."""
        self.record.events += 1
        self.record.happened[self._teller.happening(event, state)] += 1
        count = self._counts.get(type(event))
        if count:
            count(event, state)

    def _dice(self, event: DiceRolled, _state: SocialJusticeState) -> None:
        for face in event.faces if event.sides > 1 else ():  # the last role in the bag is nobody's luck
            self._tally.faces[event.purpose, event.sides, face] += 1

    def _card(self, event: CardDrawn, _state: SocialJusticeState) -> None:
        self._tally.cards[event.card] += 1
        if event.draw == 1:
            self._tally.first_cards[event.card] += 1

    def _out(self, event: CitizenOut, state: SocialJusticeState) -> None:
        held = state.citizens[event.seat].held()
        self.record.outs.append((event.why, self.record.started[event.seat], held, state.round))

    def _round(self, event: RoundStarted, state: SocialJusticeState) -> None:
        if event.round == 1:
            self.record.started = {seat: citizen.held() for seat, citizen in state.citizens.items()}
        self._keep_moment(state)

    def _keep_moment(self, state: SocialJusticeState) -> None:
        worths, started = worths_of(state), self.record.started
        worth: Counter[str] = Counter()
        for seat, amount in worths.items():
            worth[started[seat]] += amount
        still_in = Counter(started[seat] for seat in state.alive())
        self.record.moments.append(Moment(worth, still_in, gini(worths.values())))

    def _result(self, event: GameFinished, state: SocialJusticeState) -> None:
        self._keep_moment(state)
        self.record.end = state
        self.record.rules = self._rules()
        tally, started = self._tally, self.record.started
        tally.games["games"] += 1
        tally.ends[event.reason] += 1
        tally.turns[state.turn] += 1
        tally.rounds[state.round] += 1
        tally.events[self.record.events] += 1
        tally.seats.update(started.values())
        tally.outs.update(self.record.outs)
        for line in event.standings:
            role, out = started[line.seat], state.citizens[line.seat].out
            tally.ranks[role, line.rank] += 1
            tally.final[role, 0 if out else line.score] += 1
            tally.mobility[role, out or line.track] += 1
        self._wealth()

    def _wealth(self) -> None:
        """Count every round that a game may have: one that is over stays as it ended."""
        for played in range(MOST_ROUNDS + 1):
            moment = self.record.moment(played)
            self._tally.gini[played] += moment.gini
            for role in ROLES:
                if role in moment.worth:
                    self._tally.worth[role, played] += moment.worth[role]
                    self._tally.still_in[role, played] += moment.still_in[role]

    def _rules(self) -> Counter[str]:
        words: Counter[str] = Counter()
        for what, times in self.record.happened.items():
            for word in words_of(what):
                words[word] += times
        rules: Counter[str] = Counter()
        for word, times in words.items():
            for rule in RULES_OF.get(word, ()):
                rules[rule] += times
        self._tally.words.update(words)
        self._tally.rules.update(rules)
        self._tally.rule_games.update(rules.keys())
        return rules


def play_some(plan: Plan, numbers: Iterable[int]) -> Tally:
    """Play the games of these numbers to their ends, and count."""
    tally = Tally()
    for number in numbers:
        play_counted(plan, number, tally)
    return tally


def play_counted(plan: Plan, number: int, tally: Tally) -> Record:
    """Play one game and count it into a tally; gives what is known of this game alone."""
    match, count = Match(plan, number), GameCount(tally)

    def see(event: Event) -> None:
        assert isinstance(match.state, SocialJusticeState), "the plan is one of The Social Justice Game"
        count.see(event, match.state)

    match.play(see)
    return count.record
