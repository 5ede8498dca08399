"""The tally: everything that is counted about simulated games, as whole numbers that add up in any order."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from events.base import Event
from events.lobby import GameFinished, GameStarted, Standing
from events.play import CardDrawn, DiceRolled, TurnStarted
from events.public_assistance.events import PieceMoved
from service.rules.public_assistance.ending import TAX_TABLE
from service.simulation.signs import RULES_OF, Happening, happening, words_of

UNTAXED = 0


@dataclass
class Tally:
    """Counts over games.

    Attributes:
        games: Number of games, under `games`; of those with several winners, under `shared`.
        turns: Turns of a game, skipped ones too → games.
        rounds: Own turns of the seat that had most → games.
        events: Events of a game → games.
        winners: Track on which a winner ended → winners.
        money: (Track on which a seat ended, its result after tax) → seats.
        brackets: Tax in percent → seats that ended in the rut; 0 for one that owed more than it had.
        words: What happened, in the words of `signs` → times.
        rules: Rule → times that it was done.
        rule_games: Rule → games in which it was done.
        faces: (What a die was thrown for, its face) → dice.
        cards: (Deck, card) → draws.
        first_cards: The same of the first draw from a full deck of each game: the draws that do not hang together.
    """

    games: Counter[str] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    events: Counter[int] = field(default_factory=Counter)
    winners: Counter[str] = field(default_factory=Counter)
    money: Counter[tuple[str, int]] = field(default_factory=Counter)
    brackets: Counter[int] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    rule_games: Counter[str] = field(default_factory=Counter)
    faces: Counter[tuple[str, int]] = field(default_factory=Counter)
    cards: Counter[tuple[str, str]] = field(default_factory=Counter)
    first_cards: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Add another tally's counts."""
        for part in fields(self):
            getattr(self, part.name).update(getattr(other, part.name))


class GameCount:
    """Counts one game from its events, in order, into a tally.

    Args:
        tally: Gets the game's dice and cards as they come, the rest with the result.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._happened: Counter[Happening] = Counter()
        self._tracks: dict[int, str] = {}
        self._events = self._turns = self._rounds = 0
        self._counts: Mapping[type[Event], Callable[[Any], None]] = {
            CardDrawn: self._card,
            DiceRolled: self._dice,
            GameFinished: self._result,
            GameStarted: self._start,
            PieceMoved: self._move,
            TurnStarted: self._turn,
        }

    def see(self, event: Event) -> None:
        """Count an event."""
        self._events += 1
        self._happened[happening(event, self._tracks)] += 1
        count = self._counts.get(type(event))
        if count:
            count(event)

    def _start(self, event: GameStarted) -> None:
        self._tracks = dict.fromkeys(event.seats, "promenade")

    def _move(self, event: PieceMoved) -> None:
        self._tracks[event.seat] = event.to_track

    def _turn(self, event: TurnStarted) -> None:
        self._turns, self._rounds = event.turn, max(self._rounds, event.own)

    def _dice(self, event: DiceRolled) -> None:
        for face in event.faces:
            self._tally.faces[event.purpose, face] += 1

    def _card(self, event: CardDrawn) -> None:
        self._tally.cards[event.deck, event.card] += 1
        if event.draw == 1:
            self._tally.first_cards[event.deck, event.card] += 1

    def _result(self, event: GameFinished) -> None:
        tally = self._tally
        tally.games.update(games=1, shared=int(len(event.winners) > 1))
        tally.turns[self._turns] += 1
        tally.rounds[self._rounds] += 1
        tally.events[self._events] += 1
        for line in event.standings:
            tally.money[line.track, line.score] += 1
            if line.seat in event.winners:
                tally.winners[line.track] += 1
            if line.track == "rut":
                tally.brackets[bracket_of(line)] += 1
        self._rules()

    def _rules(self) -> None:
        words: Counter[str] = Counter()
        for what, times in self._happened.items():
            for word in words_of(what):
                words[word] += times
        rules: Counter[str] = Counter()
        for word, times in words.items():
            for rule in RULES_OF.get(word, ()):
                rules[rule] += times
        self._tally.words.update(words)
        self._tally.rules.update(rules)
        self._tally.rule_games.update(rules.keys())


def bracket_of(line: Standing) -> int:
    """Say which percentage a working player's result was taxed with (PA-50)."""
    return next((percent for least, percent in TAX_TABLE if line.total >= least), UNTAXED)
