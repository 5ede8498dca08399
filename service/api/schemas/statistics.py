"""Statistics over games."""

import marshmallow as ma

from service.api.schemas import fields as f
from service.api.schemas.base import Strict, many, mapping, text, whole

MOST_DAYS = 92


class StatisticsQuery(Strict):
    """Which days to show."""

    days = f.QueryWhole(
        least=1, most=MOST_DAYS, load_default=30, metadata={"description": "The last so many, today among them (UTC)."}
    )


def counts(about: str) -> ma.fields.Dict:
    """Words with how often each was counted."""
    return mapping(about, ma.fields.Integer)


def mean(about: str) -> ma.fields.Integer:
    """A mean, null without games that are over."""
    return ma.fields.Integer(required=True, allow_none=True, metadata={"description": about})


class Fairness(Strict):
    """How far counts lie from what is expected."""

    count = whole("Things counted.")
    value = ma.fields.Float(
        required=True, metadata={"description": "Chi-square: the sum of (observed - expected)² / expected."}
    )
    freedom = whole("Degrees of freedom.")
    p = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata={
            "description": "Chance of a value as large from fair dice or cards; null with too few for a verdict."
        },
    )


class RulebookFigures(Strict):
    """Games of a rulebook under one version of its rules."""

    rulebook = text()
    rules = whole("Version of the rules.")
    games = whole("Games opened.")
    finished = whole("Games that are over, with their secret revealed.")
    reasons = counts("Why they ended → games.")
    known_secret = whole("Of those, games whose secret was known before: their chance is not counted.")
    events = mean("Events of a game that is over, in the mean.")
    lasted_ms = mean("Milliseconds from start to result, in the mean.")


class DayFigures(Strict):
    """One day, UTC."""

    day = ma.fields.Date(required=True)
    games = whole("Games opened.")
    finished = whole("Games that ended.")
    events = whole("Events of all games.")


class Die(Strict):
    """All dice of so many sides."""

    sides = whole()
    faces = many(ma.fields.Integer(metadata={"description": "How often each face came up, from 1 on."}))
    fair = ma.fields.Nested(Fairness, required=True, metadata={"description": "These faces against equal ones."})


class Deck(Strict):
    """What was drawn of a deck."""

    deck = text("Name of its data file.")
    version = whole("Version of that.")
    drawn = counts("Card id → draws.")
    first = counts("Card id → first draws of a game.")
    fair = ma.fields.Nested(
        Fairness,
        required=True,
        metadata={"description": "First draws against the copies in the full deck; later draws depend on these."},
    )


class StatisticsAnswer(Strict):
    """Statistics over all games; chance is counted of those that are over, and no single game is shown."""

    as_of = whole("When the newest append that is counted was made (UTC, ms); 0 for none.")
    behind = whole("Buckets in which something waits to be counted; 0 when everything is.")
    positions = mapping("Bucket → position in its feed of appends up to which all is counted.")
    games = many(RulebookFigures)
    days = many(DayFigures)
    dice = many(Die)
    decks = many(Deck)
