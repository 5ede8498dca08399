"""Actions: what may be done, and what it led to."""

import marshmallow as ma
from marshmallow.validate import OneOf

from service.api.schemas import fields as f
from service.api.schemas.base import Strict, flag, many, text, whole
from service.api.schemas.fields import Component

STATUSES = ("lobby", "playing", "finished")


class ActionsQuery(Strict):
    """Whose actions to list."""

    seat = f.QueryWhole(least=1, most=8, metadata={"description": "Must be the token's own."})


class ActQuery(Strict):
    """Whether to try only."""

    dry_run = f.QueryFlag(
        load_default=False, metadata={"description": "Try it: nothing is written, and it stops at the first draw."}
    )


class ActionBody(ma.Schema):
    """Any object: `service.api.http.parser.read_action` checks it, so that there is one validator and not two.

    Attributes:
        component: Name of its schema in the document, which is made from the rules' own records.
    """

    component = "PlayAction"

    class Meta:
        """Any field passes."""

        unknown = ma.INCLUDE


class EntryAnswer(Strict):
    """An entry of the stream."""

    event = Component("Event", required=True, metadata={"description": "The stored bytes, as they are."})
    link = text("Chain link over them, in hex.")


class ActedAnswer(Strict):
    """What a request led to; the same when it is sent again."""

    game = text()
    first = whole("Version of the first event.")
    version = whole("Version of the last event.")
    head = text("Chain link of the last event, in hex.")
    etag = text("Tag of the state after it.")
    action = text("Action id: the same in each of its events.")
    events = many(EntryAnswer)


class TriedAnswer(Strict):
    """What an action would lead to."""

    game = text()
    first = whole("Version that its first event would have.")
    events = many(Component("Event"))
    stopped_at = text("Coordinate of the draw that it stopped at; empty when it needs none.")


class OpenAction(Strict):
    """An action that would be accepted now."""

    name = text()
    about = text()
    prompt = text("Empty for one that is open at any time.")
    body = Component("PlayAction", required=True, metadata={"description": "Accepted as it stands."})
    schema = ma.fields.Dict(required=True, metadata={"description": "JSON Schema of the bodies accepted now."})
    default = flag("It is what happens at the prompt's deadline.")


class ClosedAction(Strict):
    """An action that would be refused now, and why."""

    name = text()
    about = text()
    prompt = text()
    code = text()
    reason = text()


class MenuAnswer(Strict):
    """What a seat may do now."""

    game = text()
    version = whole()
    etag = text()
    seat = whole()
    status = ma.fields.String(
        required=True, validate=OneOf(STATUSES), metadata={"description": "`finished` when the result stands."}
    )
    prompts = many(Component("Prompt"))
    open = many(OpenAction)
    closed = many(ClosedAction)
