"""The tally: everything that is counted about simulated games, as whole numbers that add up in any order.

What both games count stands here; what one of them counts besides, in a module of that rulebook.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Generic, Self, TypeVar

from events.base import Event
from events.lobby import GameFinished
from events.play import CardDrawn, DiceRolled
from projections.state.base import GameState
from service.simulation.matches import Match, Plan
from service.simulation.rule_signs import Happening, name_of, words_of


@dataclass
class Tally:
    """Counts over games.

    Attributes:
        games: Number of games, under `games`; of those with several winners, under `shared`.
        turns: Turns of a game, missed ones too → games.
        rounds: Rounds of a game → games.
        events: Events of a game → games.
        words: What happened, in the words of `rule_signs` → times.
        rules: Rule → times that it was done.
        rule_games: Rule → games in which it was done.
        faces: (What a die was thrown for, its sides, its face) → dice.
        cards: (Deck, card) → draws.
        first_cards: The same of the first draw from a full deck of each game: later draws hang on earlier ones.
    """

    games: Counter[str] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    events: Counter[int] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    rule_games: Counter[str] = field(default_factory=Counter)
    faces: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    cards: Counter[tuple[str, str]] = field(default_factory=Counter)
    first_cards: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: Self) -> None:
        """Add another tally's counts."""
        for part in fields(self):
            getattr(self, part.name).update(getattr(other, part.name))


T = TypeVar("T", bound=Tally)
S = TypeVar("S", bound=GameState)


class GameCount(ABC, Generic[T, S]):
    """Counts one game from its events, in order, into a tally.

    Attributes:
        rules_of: What one knows a rule by → such rules.
        tally: Gets the game's dice and cards as they come, the rest with the result.
        happened: What happened → times.
        rules: Rule → times that it was done; known at the end.
        events: How many there were.
    """

    rules_of: ClassVar[Mapping[str, tuple[str, ...]]]

    def __init__(self, tally: T) -> None:
        self.tally = tally
        self.happened: Counter[Happening] = Counter()
        self.rules: Counter[str] = Counter()
        self.events = 0
        self.counts: dict[type[Event], Callable[[Any, S], None]] = {
            CardDrawn: self._card,
            DiceRolled: self._dice,
            GameFinished: self._finish,
        }

    @abstractmethod
    def cases(self, event: Event, state: S) -> Iterable[str]:
        """List what tells the case of an event apart."""

    @abstractmethod
    def rounds(self, state: S) -> int:
        """Return how many rounds a game that is over had."""

    @abstractmethod
    def result(self, event: GameFinished, state: S) -> None:
        """Count what the rulebook counts at the end."""

    def see(self, event: Event, state: S) -> None:
        """Count an event.

        Args:
            event: What happened.
            state: The game with it.
        """
        self.events += 1
        self.happened[name_of(type(event)), *self.cases(event, state)] += 1
        count = self.counts.get(type(event))
        if count:
            count(event, state)

    def _dice(self, event: DiceRolled, _state: S) -> None:
        # The last role in the bag is drawn with a die of one side: that is no luck to be counted.
        for face in event.faces if event.sides > 1 else ():
            self.tally.faces[event.purpose, event.sides, face] += 1

    def _card(self, event: CardDrawn, _state: S) -> None:
        self.tally.cards[event.deck, event.card] += 1
        if event.draw == 1:
            self.tally.first_cards[event.deck, event.card] += 1

    def _finish(self, event: GameFinished, state: S) -> None:
        tally = self.tally
        tally.games.update(games=1, shared=int(len(event.winners) > 1))
        tally.turns[state.turn] += 1
        tally.rounds[self.rounds(state)] += 1
        tally.events[self.events] += 1
        words: Counter[str] = Counter()
        for what, times in self.happened.items():
            for word in words_of(what):
                words[word] += times
        for word, times in words.items():
            for rule in self.rules_of.get(word, ()):
                self.rules[rule] += times
        tally.words.update(words)
        tally.rules.update(self.rules)
        tally.rule_games.update(self.rules.keys())
        self.result(event, state)


C = TypeVar("C", bound=GameCount[Any, Any])


def play_counted(plan: Plan, number: int, count: C) -> C:
    """Play one game of a plan and count it; return the count."""
    Match(plan, number).play(count.see)
    return count
