"""What can be played, and the types of events."""

import marshmallow as ma

from service.api.schemas import fields as f
from service.api.schemas.base import Strict, flag, many, text, whole
from service.api.schemas.fields import Component

ANY_BOARD, ANY_DECK = (
    {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in names]}
    for names in (("PublicAssistanceBoard", "SocialJusticeBoard"), ("PublicAssistanceDeck", "ChangeDeck"))
)


class DataQuery(Strict):
    """Which version of a board or a deck."""

    version = f.QueryWhole(least=1, metadata={"description": "As a game pins it; that of new games without it."})


class OptionLine(Strict):
    """An option of a rulebook."""

    name = text()
    default = ma.fields.Raw(required=True, allow_none=True)
    always = flag("Every game has it; one that is not always there counts with its default until it is chosen.")
    schema = ma.fields.Dict(required=True, metadata={"description": "JSON Schema of what it may be."})
    about = text()


class Preset(Strict):
    """A set of options."""

    name = text()
    options = ma.fields.Dict(required=True)


class Rulebook(Strict):
    """A game that can be played."""

    rulebook = text()
    title = text()
    rules = whole("Version of the rules that a new game is played under.")
    supported = many(ma.fields.Integer())
    seats = ma.fields.Dict(required=True, keys=ma.fields.String(), values=ma.fields.Integer())
    options = many(OptionLine)
    pins = many(Component("DataPin", metadata={"description": "Boards and decks of new games."}))
    presets = many(Preset)


class RulebookListAnswer(Strict):
    """What can be played."""

    rulebooks = many(Rulebook)


class EventType(Strict):
    """A type of event."""

    type = text()
    schema = whole("Number of its shape.")
    about = text()
    json_schema = ma.fields.Dict(
        required=True, metadata={"description": "Of an entry's `data`; `example` is a whole entry."}
    )
    example = Component("Event", required=True)


class EventTypesAnswer(Strict):
    """Every type of event."""

    types = many(EventType)
