"""Statistics over games: what one game adds to the counts of all.

A count is a word and a number, and all of them add up in any order. Counts by day grow with each event; all others are
added once, when the game is over. So of a running game only is known that something happened in it. Of one in which
nothing has happened for a week the chance is added as far as it got: else a person who leaves each game that goes badly
would choose what is counted.

The beginning of a fork happened in its parent and counts there alone. The chance of a game with a known secret is not
counted: the person who chose the secret chose the dice.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from events.base import Envelope, Event
from events.lobby import GameCreated, GameFinished, GameStarted, SecretRevealed
from events.play import CardDrawn, DiceRolled

EDITION = 1
"""Raised when something is counted in another way; counts of an older edition are made again."""

DAY_MS = 86_400_000
LEFT_MS = 7 * DAY_MS
"""A game in which nothing has happened for so long counts as left."""

GAMES, FINISHED, EVENTS = BY_DAY = ("games", "finished", "events")
"""Counts by day (UTC), as `<word>/<days since 1970>`."""

CREATED, ENDED, KNOWN, LENGTH, LASTED = "created", "ended", "known", "length", "lasted"
"""Counts of games, as `<word>/<rulebook>/<rules>`; `ended` has the reason after that.

`known`: ended, with a secret that a player may have known. `length`: events. `lasted`: milliseconds from start to
result.
"""

DIE, CARD, FIRST = "die", "card", "first"
"""`die/<sides>/<face>`; `card/<deck file>/<version>/<card>`; `first` is as `card`, for the first draw of each deck."""

MOST_SIDES = 100


def copied_into(created: GameCreated) -> int:
    """Return how many events a game begins with that happened in another one."""
    _, at, version = created.parent.partition("@")
    return int(version) if at else 0


class Passing:
    """Counts entries as they come, from any version on; a fork must be seen from its first.

    Attributes:
        days: What happened by day.
        figures: Games created.
        over: The last entry of the game was among them.
    """

    def __init__(self) -> None:
        self.days: Counter[str] = Counter()
        self.figures: Counter[str] = Counter()
        self.over = False
        self._copied = 0

    def see(self, envelope: Envelope[Event]) -> None:
        """Count an entry."""
        event, day = envelope.data, envelope.at // DAY_MS
        if isinstance(event, GameCreated):
            self._copied = copied_into(event)
            self.figures[f"{CREATED}/{event.rulebook}/{event.rules}"] += 1
        if envelope.version <= self._copied:
            return
        self.days[f"{EVENTS}/{day}"] += 1
        if envelope.version == self._copied + 1:
            self.days[f"{GAMES}/{day}"] += 1
        if isinstance(event, SecretRevealed):
            self.over = True
            self.days[f"{FINISHED}/{day}"] += 1


class Whole:
    """Counts a game that is over or was left, from all its entries.

    Args:
        counted: Version up to which its chance is counted already, since it was left there.
    """

    def __init__(self, counted: int = 0) -> None:
        self._counted = counted
        self._created: GameCreated | None = None
        self._copied = 0
        self._length = 0
        self._began = 0
        self._lasted = 0
        self._reason = ""
        self._chance: Counter[str] = Counter()
        self._decks: dict[str, str] = {}

    def see(self, envelope: Envelope[Event]) -> None:
        """Count an entry."""
        event = envelope.data
        if isinstance(event, GameCreated):
            self._create(event)
        elif isinstance(event, GameStarted):
            self._began = envelope.at
        if envelope.version <= self._copied:
            return
        if self._length == 0 and self._copied:
            self._began = envelope.at
        self._length += 1
        if isinstance(event, GameFinished):
            self._reason, self._lasted = event.reason, envelope.at - (self._began or envelope.at)
        count = _CHANCE.get(type(event))
        if count and envelope.version > self._counted:
            self._chance.update(count(self._decks, event))

    def _create(self, event: GameCreated) -> None:
        self._created, self._copied = event, copied_into(event)
        prefix = f"{event.rulebook}_"
        self._decks = {pin.name.removeprefix(prefix): f"{pin.name}/{pin.version}" for pin in event.pins}

    def chance(self) -> Counter[str]:
        """Return what fell and was drawn so far; nothing where someone may have known it before."""
        known = self._created is None or self._created.known_secret
        return Counter() if known else self._chance

    def figures(self) -> Counter[str]:
        """Return the counts, after the last entry; none of a stream that does not begin as a game does."""
        created = self._created
        if created is None:
            return Counter()
        kind = f"{created.rulebook}/{created.rules}"
        about = Counter(
            {f"{ENDED}/{kind}/{self._reason}": 1, f"{LENGTH}/{kind}": self._length, f"{LASTED}/{kind}": self._lasted}
        )
        return about + self.chance() + Counter({f"{KNOWN}/{kind}": int(created.known_secret)})


def _dice(_decks: Mapping[str, str], event: DiceRolled) -> list[str]:
    """List a count for each face; a die of one side is no chance, and one of too many sides is none of ours."""
    return [f"{DIE}/{event.sides}/{face}" for face in event.faces if 1 < event.sides <= MOST_SIDES]


def _card(decks: Mapping[str, str], event: CardDrawn) -> list[str]:
    """List a count for the card; the first of a full deck has two."""
    words = (CARD, FIRST) if event.draw == 1 else (CARD,)
    return [f"{word}/{decks.get(event.deck, f'{event.deck}/0')}/{event.card}" for word in words]


_CHANCE: Mapping[type[Event], Callable[[Mapping[str, str], Any], list[str]]] = {DiceRolled: _dice, CardDrawn: _card}
