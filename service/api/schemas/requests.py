"""What bodies and queries look like. Nothing that is not named here is taken."""

from typing import Any, get_args

import marshmallow as ma
from marshmallow.validate import Length, OneOf

from events.catalogue import TYPES
from projections.ledger.chart import AccountKind
from service.api.http.parser import EmptyBody
from service.api.schemas import fields as f
from service.ledger.exports import FORMATS
from service.rules.lobby import LEAST_SEATS
from service.rules.options import BOT_LEVELS
from service.rules.rulebooks import RULES

RULEBOOKS = tuple(RULES)
STATUSES = ("lobby", "playing", "finished")
MOST_PLACES = max(rules.places for rules in RULES.values())
MOST_EVENTS = 1000
MOST_WAIT = 30
MOST_DAYS = 92
BOT_LEVEL = "sensible"


def _nothing() -> None:
    """Stand for a field that was left out; a function, so that the document shows no default that would be refused."""


class Strict(ma.Schema):
    """Refuses what it does not name."""

    class Meta:
        """Fields that are not known are refused."""

        unknown = ma.RAISE


class NoQuery(Strict):
    """A route without parameters."""


class NoBody(EmptyBody):
    """A route without fields."""


class NewGameBody(Strict):
    """A game to be opened."""

    rulebook = ma.fields.String(required=True, validate=OneOf(RULEBOOKS))
    preset = ma.fields.String(
        load_default=str,
        validate=ma.validate.Length(min=1, error="Must name a preset; leave it out for the rulebook's own."),
        metadata={"description": "Set of options to begin with."},
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
        load_default=_nothing,
        metadata={"description": "A secret that everybody may know, for tests of clients; the game says so."},
    )

    @ma.validates_schema
    def check_places(self, body: dict[str, Any], **_options: Any) -> None:
        """Refuse more places than the rulebook has; which one it is stands in another field."""
        most = RULES[body["rulebook"]].places
        if body["places"] > most:
            raise ma.ValidationError(f"Must be at most {most} with this rulebook.", "places")


class ForkBody(Strict):
    """From where a game goes on."""

    step = f.Whole(least=1, required=True, metadata={"description": "Step behind which it goes on."})
    same_chance = f.Flag(
        load_default=False, metadata={"description": "What comes up is what would have: once the secret is revealed."}
    )


class OptionsBody(Strict):
    """Options to be changed; the others stay."""

    options = f.Options(required=True)


class NewSeatBody(Strict):
    """Who sits down."""

    kind = ma.fields.String(load_default="person", validate=OneOf(("person", "bot")))
    level = ma.fields.String(
        load_default=str, validate=OneOf(BOT_LEVELS), metadata={"description": "How a bot plays; not for a person."}
    )

    name = f.Name(load_default=str, metadata={"description": "Lies beside the stream, and can be erased."})
    nonce_commitment = f.Hex(
        least=32, most=32, load_default=str, metadata={"description": "SHA-256 of the nonce that the seat will open."}
    )

    @ma.post_load
    def fill_level(self, body: dict[str, Any], **_options: Any) -> dict[str, Any]:
        """Let a bot play with sense where nothing was said."""
        return {**body, "level": body["level"] or BOT_LEVEL} if body["kind"] == "bot" else body

    @ma.validates_schema
    def check_kind(self, body: dict[str, Any], **_options: Any) -> None:
        """Refuse what only the other kind of sitter has."""
        if body["kind"] == "person" and body["level"]:
            raise ma.ValidationError("Only a bot has a level.", "level")
        if body["kind"] == "bot" and body["nonce_commitment"]:
            raise ma.ValidationError("A bot opens no nonce.", "nonce_commitment")


class BotBody(Strict):
    """Which bot keeps a seat."""

    level = ma.fields.String(load_default=BOT_LEVEL, validate=OneOf(BOT_LEVELS))


class ReadyBody(Strict):
    """What a seat agrees to."""

    edition = f.Whole(least=1, required=True, metadata={"description": "Edition of the options agreed to."})
    nonce = f.Hex(
        least=16, most=64, load_default=_nothing, metadata={"description": "The nonce committed to, 16 to 64 bytes."}
    )


class GamesQuery(Strict):
    """Which games to list."""

    rulebook = ma.fields.String(validate=OneOf(RULEBOOKS))
    status = ma.fields.String(validate=OneOf(STATUSES))
    limit = f.QueryWhole(least=1, most=100, load_default=50)
    cursor = ma.fields.String(validate=Length(1, 400), metadata={"description": "`next` of the page before."})


class AtQuery(Strict):
    """Which version to tell of."""

    at = f.QueryWhole(least=1, metadata={"description": "Version; the newest without it."})


class ActionsQuery(Strict):
    """Whose actions to list."""

    seat = f.QueryWhole(least=1, most=8, metadata={"description": "Must be the token's own."})


class ActQuery(Strict):
    """Whether to try only."""

    dry_run = f.QueryFlag(
        load_default=False, metadata={"description": "Try it: nothing is written, and it stops at the first draw."}
    )


class EventsQuery(Strict):
    """Which events to give."""

    after = f.QueryWhole(least=0, metadata={"description": "Version that they come after; 0 without it."})
    limit = f.QueryWhole(
        least=1, most=MOST_EVENTS, metadata={"description": "Most events; 100 without it, all as NDJSON and live."}
    )
    wait = f.QueryWhole(
        least=0, most=MOST_WAIT, load_default=0, metadata={"description": "Seconds to wait while there is none."}
    )
    ticket = ma.fields.String(
        validate=Length(1, 100), metadata={"description": "Opens a live stream in place of a token."}
    )


class StepsQuery(Strict):
    """Which steps to give."""

    after = f.QueryWhole(least=0, load_default=0, metadata={"description": "Version that they come after."})
    before = f.QueryWhole(
        least=1, metadata={"description": "Version that they end before: newest first, down to `after`."}
    )
    limit = f.QueryWhole(least=1, most=100, load_default=50)
    turn = f.QueryWhole(least=0, metadata={"description": "With an event of this turn."})
    seat = f.QueryWhole(least=1, most=8, metadata={"description": "Of this seat, or by default for it."})
    kind = ma.fields.String(validate=OneOf(TYPES), metadata={"description": "With an event of this type."})


class StepQuery(Strict):
    """What a step is compared with."""

    since = f.QueryWhole(
        least=0,
        metadata={"description": "Step that the changes count from, before or behind; 0 for nothing."},
    )


CURSOR = {"description": "`next` of the page before."}


class AccountsQuery(AtQuery):
    """Which accounts to list."""

    kind = ma.fields.String(validate=OneOf(get_args(AccountKind)))
    seat = f.QueryWhole(least=1, most=8, metadata={"description": "Its cash, what it owes, or what it lent."})
    limit = f.QueryWhole(least=1, most=500, load_default=500)
    cursor = ma.fields.String(validate=Length(1, 400), metadata=CURSOR)


class EntriesQuery(AtQuery):
    """Which entries of the ledger to give."""

    account = ma.fields.String(validate=Length(1, 40))
    seat = f.QueryWhole(least=1, most=8)
    reason = ma.fields.String(validate=Length(1, 80))
    rule = ma.fields.String(validate=Length(1, 40))
    turn = f.QueryWhole(least=0, metadata={"description": "Number of the turn; 0 is before the first."})
    least = f.QueryWhole(least=0, metadata={"description": "Smallest amount."})
    most = f.QueryWhole(least=0, metadata={"description": "Largest amount."})
    limit = f.QueryWhole(least=1, most=500, load_default=100)
    cursor = ma.fields.String(validate=Length(1, 400), metadata=CURSOR)


class PeriodQuery(AtQuery):
    """Between which versions."""

    after = f.QueryWhole(least=0, load_default=0, metadata={"description": "Version that it begins behind."})


class StatementQuery(PeriodQuery):
    """Whose statement, from when to when."""

    account = ma.fields.String(required=True, validate=Length(1, 40))
    limit = f.QueryWhole(least=1, most=500, load_default=100)
    cursor = ma.fields.String(validate=Length(1, 400), metadata=CURSOR)


class ExplainQuery(AtQuery):
    """Which balance to explain."""

    account = ma.fields.String(required=True, validate=Length(1, 40))
    limit = f.QueryWhole(least=1, most=100, load_default=50)
    cursor = ma.fields.String(validate=Length(1, 400), metadata=CURSOR)


class ExportQuery(AtQuery):
    """Which file to make."""

    format = ma.fields.String(required=True, validate=OneOf(tuple(FORMATS)))


class StatisticsQuery(Strict):
    """Of which days to tell."""

    days = f.QueryWhole(
        least=1, most=MOST_DAYS, load_default=30, metadata={"description": "The last so many, today among them (UTC)."}
    )
