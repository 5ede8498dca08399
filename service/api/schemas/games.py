"""Games: opening and listing them, and one at a version."""

from typing import Any

import marshmallow as ma
from marshmallow.validate import OneOf, Regexp

from service.api.http.converters import GameId
from service.api.schemas import fields as f
from service.api.schemas.base import Strict, flag, many, names, next_page, page_before, text, texts, whole
from service.api.schemas.fields import Component
from service.api.schemas.play import STATUSES, ActedAnswer
from service.rules.lobby import LEAST_SEATS
from service.rules.rulebooks import RULES

RULEBOOKS = tuple(RULES)
PRESETS = [preset for rules in RULES.values() for preset in rules.options.presets]
MOST_PLACES = max(rules.places for rules in RULES.values())


class NewGameBody(Strict):
    """A game to be opened."""

    rulebook = ma.fields.String(required=True, validate=OneOf(RULEBOOKS))
    preset = ma.fields.String(
        load_default=str,
        validate=ma.validate.Length(min=1, error="Must name a preset; leave it out for the rulebook's own."),
        metadata={"description": "Set of options to begin with: one of the rulebook's own.", "enum": PRESETS},
    )
    options = f.Options(load_default=dict, metadata={"description": "Options chosen over the preset."})
    places = f.Whole(
        least=LEAST_SEATS,
        most=MOST_PLACES,
        load_default=int,
        metadata={"description": "Most seats; as many as the rulebook allows without it."},
    )
    private = f.Flag(load_default=False, metadata={"description": "Hidden from all who have no token of it."})
    secret = f.Hex(
        least=32,
        most=32,
        load_default=f.left_out,
        metadata={"description": "A secret that anyone may know, for tests of clients; the game is marked as such."},
    )

    @ma.validates_schema
    def check_places(self, body: dict[str, Any], **_options: Any) -> None:
        """Refuse more places than the rulebook has; which one it is stands in another field."""
        most = RULES[body["rulebook"]].places
        if body["places"] > most:
            raise ma.ValidationError(f"Must be at most {most} with this rulebook.", "places")


class ForkBody(Strict):
    """From where a game goes on."""

    step = f.Whole(least=1, required=True, metadata={"description": "Step after which it goes on."})
    same_chance = f.Flag(
        load_default=False, metadata={"description": "What comes up is what would have: once the secret is revealed."}
    )


class GamesQuery(Strict):
    """Which games to list."""

    rulebook = ma.fields.String(validate=OneOf(RULEBOOKS))
    status = ma.fields.String(validate=OneOf(STATUSES))
    parent = ma.fields.String(
        validate=Regexp(r"^[0-9a-z]{1,40}\Z", error="Must be the id of a game."),
        metadata={"description": "Only forks and rematches of this game.", "pattern": GameId.schema["pattern"]},
    )
    seats = f.QueryWhole(least=0, most=MOST_PLACES, metadata={"description": "Only games with so many seats."})
    since = f.QueryWhole(least=0, metadata={"description": "Only games opened then or later (UTC, ms)."})
    until = f.QueryWhole(least=0, metadata={"description": "Only games opened before (UTC, ms)."})
    order = ma.fields.String(
        validate=OneOf(("newest", "oldest")), load_default="newest", metadata={"description": "Which come first."}
    )
    limit = f.QueryWhole(least=1, most=100, load_default=50)
    cursor = page_before()


class CreatedAnswer(ActedAnswer):
    """A new game. These tokens are shown here alone; a repeat with the same key shows them again."""

    host_token = text()
    join_code = text("For those who are to sit down.")
    watch_token = text("For those who are to watch a private game.")


class OpenedAnswer(Strict):
    """A game that follows from another. The tokens are shown here alone; a repeat shows them again."""

    game = text()
    parent = text()
    version = whole()
    head = text()
    etag = text()
    host_token = text()
    join_code = text("For those who are to sit down.")
    watch_token = text("For those who are to watch a private game.")


class RematchedAnswer(Strict):
    """The game after a game."""

    game = text()
    rematch = ma.fields.String(
        required=True, allow_none=True, metadata={"description": "Id of the rematch; null while there is none."}
    )
    join_code = text("For the holders of seats and for the host; else empty.")


class GameLine(Strict):
    """A game in the list."""

    game = text()
    created = whole("When it was opened: UTC, milliseconds.")
    rulebook = text()
    status = text()
    places = whole()
    seats = whole()
    private = flag()
    known_secret = flag("Anyone can know its chance: a test of clients.")
    parent = text("Game that it follows as a rematch, or game@version that it goes on from; else empty.")
    turn = whole()
    version = whole()


class GameListAnswer(Strict):
    """Games in the order asked for."""

    games = many(GameLine)
    next = next_page()


class GameAnswer(Strict):
    """A game at a version."""

    game = text()
    version = whole()
    etag = text()
    head = text("Chain link at this version, in hex.")
    names = names()
    texts = texts()
    state = Component("GameState", required=True)
