"""The rules in force and the votes."""

import marshmallow as ma

from service.api.schemas.base import Strict, many, text, texts, whole
from service.api.schemas.fields import Component


class ParameterLine(Strict):
    """What can be voted on, and its value."""

    name = text()
    value = ma.fields.Raw(required=True, allow_none=True, metadata={"description": "After the cap on rates."})
    source = text("What gave the value: rule, holder (of a utility), option, default.")
    rule = text("The rule that gave it; empty for another source.")
    start = ma.fields.Raw(required=True, allow_none=True, metadata={"description": "When play began."})
    default = ma.fields.Raw(required=True, allow_none=True)
    schema = ma.fields.Dict(required=True, metadata={"description": "JSON Schema of what it may be."})
    reads = text("What obeys it.")


class RuleListAnswer(Strict):
    """Rules that were voted on or declared, newest first, and what every parameter is."""

    game = text()
    version = whole()
    rules = many(Component("RuleOnRecord"))
    parameters = many(ParameterLine)
    presidencies = many(Component("TermOnRecord"))
    texts = texts()


class VoteListAnswer(Strict):
    """Every vote with each ballot, oldest first."""

    game = text()
    version = whole()
    votes = many(Component("VoteOnRecord"))
    texts = texts()
