"""Statistics for readers: the stored figures of all buckets, added up; no game is read.

How far dice and cards are from what is expected is reported as by `rollbook simulate`: a chi-square value and its p,
or that there are too few for a verdict.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cache

from msgspec import Struct

from events.public_assistance.board import public_assistance_deck
from events.social_justice.board import change_deck
from events.store import Figures, Offset, StoredFigures
from projections import statistics as s
from projections.likelihood import ChiSquare, chi_square


class RulebookFigures(Struct, frozen=True, kw_only=True):
    """Games of a rulebook under one version of its rules.

    Attributes:
        rulebook: The game.
        rules: Version of its rules.
        games: How many were opened.
        finished: How many are over: the result stands and the secret is revealed.
        reasons: Why they ended → games.
        known_secret: Of those, games whose secret was known before: their chance is not counted.
        events: Events of a game that is over, in the mean; None without any.
        lasted_ms: Milliseconds from start to result, in the mean; None without any.
    """

    rulebook: str
    rules: int
    games: int
    finished: int
    reasons: dict[str, int]
    known_secret: int
    events: int | None
    lasted_ms: int | None


class DieFigures(Struct, frozen=True, kw_only=True):
    """All dice of so many sides.

    Attributes:
        sides: Sides of each.
        faces: How often each face, from 1.
        fair: These faces against equal ones.
    """

    sides: int
    faces: list[int]
    fair: ChiSquare


class DeckFigures(Struct, frozen=True, kw_only=True):
    """What was drawn of a deck.

    Attributes:
        deck: Name of its data file.
        version: Version of that.
        drawn: Card id → draws.
        first: The same of the first draw of each game.
        fair: Those against the copies in the full deck; later draws hang on earlier ones.
    """

    deck: str
    version: int
    drawn: dict[str, int]
    first: dict[str, int]
    fair: ChiSquare


class DayFigures(Struct, frozen=True, kw_only=True):
    """One day, UTC: games opened, games that ended, events."""

    day: str
    games: int
    finished: int
    events: int


class Statistics(Struct, frozen=True, kw_only=True):
    """Statistics over all games.

    Attributes:
        as_of: When the newest append that is counted was made (UTC, ms); 0 for none.
        behind: Buckets in which something waits to be counted.
        positions: Bucket → position in its feed up to which all is counted, of those with games.
        games: By rulebook and rules.
        days: The last so many days, today among them, the earliest first.
        dice: By number of sides, over all games that are over.
        decks: By deck, over all games that are over.
    """

    as_of: int
    behind: int
    positions: dict[str, str]
    games: list[RulebookFigures]
    days: list[DayFigures]
    dice: list[DieFigures]
    decks: list[DeckFigures]


def statistics_of(figures: Figures, *, now: int, days: int) -> Statistics:
    """Return what was counted.

    Args:
        figures: Where it is kept.
        now: UTC, ms.
        days: How many days, today among them.

    Raises:
        StoreError: The store does not answer.
    """
    today = now // s.DAY_MS
    period = range(today - days + 1, today + 1)
    stored = list(figures.stored([f"{word}/{day}" for day in period for word in s.BY_DAY]))
    counts, by_day = _sum(one.figures for one in stored), _sum(one.days for one in stored)
    return Statistics(
        as_of=max((_moment(one) for one in stored), default=0),
        behind=sum(waits(one.offset) for one in stored),
        positions={str(bucket): one.offset.position for bucket, one in enumerate(stored) if _moment(one)},
        games=[_rulebook(counts, *kind) for kind in _kinds(counts)],
        days=[_day(by_day, day) for day in period],
        dice=[_die(counts, sides) for sides in _sides(counts)],
        decks=[_deck(counts, *deck) for deck in _decks(counts)],
    )


def _sum(parts: Iterable[Mapping[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for part in parts:
        found.update(part)
    return found


def waits(offset: Offset) -> bool:
    """Return whether anything is to be counted: new appends, or all of it, when it was counted in an older way."""
    return offset.position != offset.newest or 0 < offset.edition < s.EDITION


def _moment(stored: StoredFigures) -> int:
    """Return when the last append that is counted was made (UTC, ms): the feed's positions begin with that."""
    return int(stored.offset.position.partition("-")[0])


def _words(counts: Mapping[str, int], first: str) -> list[list[str]]:
    """Split the words that begin with one, which is left out."""
    return sorted(rest for word in counts for head, *rest in [word.split("/")] if head == first)


def _kinds(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted((rulebook, int(rules)) for rulebook, rules in _words(counts, s.CREATED))


def _rulebook(counts: Counter[str], rulebook: str, rules: int) -> RulebookFigures:
    kind = f"{rulebook}/{rules}"
    start = f"{s.ENDED}/{kind}/"
    reasons = {word.removeprefix(start): times for word, times in sorted(counts.items()) if word.startswith(start)}
    finished = sum(reasons.values())
    return RulebookFigures(
        rulebook=rulebook,
        rules=rules,
        games=counts[f"{s.CREATED}/{kind}"],
        finished=finished,
        reasons=reasons,
        known_secret=counts[f"{s.KNOWN}/{kind}"],
        events=counts[f"{s.LENGTH}/{kind}"] // finished if finished else None,
        lasted_ms=counts[f"{s.LASTED}/{kind}"] // finished if finished else None,
    )


def _day(by_day: Counter[str], day: int) -> DayFigures:
    return DayFigures(
        day=datetime.fromtimestamp(day * s.DAY_MS // 1000, UTC).date().isoformat(),
        games=by_day[f"{s.GAMES}/{day}"],
        finished=by_day[f"{s.FINISHED}/{day}"],
        events=by_day[f"{s.EVENTS}/{day}"],
    )


def _sides(counts: Mapping[str, int]) -> list[int]:
    return sorted({int(sides) for sides, _ in _words(counts, s.DIE)})


def _die(counts: Counter[str], sides: int) -> DieFigures:
    faces = Counter({face: counts[f"{s.DIE}/{sides}/{face}"] for face in range(1, sides + 1)})
    return DieFigures(
        sides=sides, faces=[*faces.values()], fair=chi_square(faces, dict.fromkeys(range(1, sides + 1), 1))
    )


def _decks(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """List the decks that were drawn from, as far as this release has them."""
    drawn = {(deck, int(version)) for deck, version, _ in _words(counts, s.CARD)}
    return sorted(deck for deck in drawn if copies(*deck))


def _deck(counts: Counter[str], deck: str, version: int) -> DeckFigures:
    weights = copies(deck, version)
    drawn, first = (
        Counter({card: counts[f"{word}/{deck}/{version}/{card}"] for card in weights}) for word in (s.CARD, s.FIRST)
    )
    return DeckFigures(deck=deck, version=version, drawn=drawn, first=first, fair=chi_square(first, weights))


@cache
def copies(deck: str, version: int) -> dict[str, int]:
    """Return how many copies of each card a deck has; empty for one that this release does not know."""
    try:
        if deck == "social_justice_change":
            return {card.id: card.count for card in change_deck(version).values()}
        name = deck.removeprefix("public_assistance_")
        return {card.id: card.count for card in public_assistance_deck(name, version).values()}
    except FileNotFoundError:
        return {}
