"""The stream, the steps and the verification."""

from typing import Any

import marshmallow as ma
from marshmallow.validate import Length, OneOf

from events.catalogue import TYPES
from service.api.schemas import fields as f
from service.api.schemas.base import Strict, flag, many, text, whole
from service.api.schemas.fields import Component
from service.api.schemas.play import EntryAnswer

MOST_EVENTS = 1000
MOST_WAIT = 30


class EventsQuery(Strict):
    """Which events to list."""

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
    """Which steps to list."""

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
        metadata={"description": "Step that the changes count from, earlier or later; 0 for nothing."},
    )


class EntryListAnswer(Strict):
    """A page of the stream."""

    game = text()
    version = whole("The game's newest version.")
    after = whole("Version of the last event here: go on after it.")
    more = flag("There is more already.")
    events = many(EntryAnswer)
    unreadable = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "Version of the entry before which the page ends, since it is damaged; else null."},
    )


class TicketAnswer(Strict):
    """A ticket for one live stream."""

    game = text()
    ticket = text("Send it as `?ticket=`; once.")
    seconds = whole("How long it is good.")


class VoteLine(Strict):
    """What was proposed, voted, adopted, declared or elected."""

    version = whole()
    event = ma.fields.Dict(required=True, metadata={"description": "Data of the event."})


class StepAnswer(Strict):
    """One action and what came of it."""

    number = whole("From 1; step 1 is the game's creation.")
    first = whole()
    last = whole()
    turn = whole()
    at = whole("UTC, milliseconds.")
    actor = text()
    name = text()
    seat = whole()
    prompt = text()
    params = ma.fields.Dict(required=True)
    lines = many(ma.fields.String())
    kinds = many(ma.fields.String())
    votes = many(VoteLine)
    entries = many(Component("LedgerEntry"))
    unknown_event = text("Wire name of an event that this release does not know; else empty.")


class StepListAnswer(Strict):
    """Steps in order."""

    game = text()
    version = whole("The game's newest version.")
    steps = many(StepAnswer)
    after = ma.fields.Integer(metadata={"description": "Forwards: go on after it."})
    before = ma.fields.Integer(metadata={"description": "Backwards: go on before it."})
    more = flag()


class StepViewAnswer(Strict):
    """A step and the game right after it."""

    game = text()
    step = ma.fields.Nested(StepAnswer, required=True)
    state = Component("GameState", required=True, allow_none=True)
    balances = ma.fields.Dict(required=True, allow_none=True, metadata={"description": "By account."})
    since = whole("Step that the changes count from; 0 for nothing at all.")
    changes = ma.fields.List(
        Component("Change"),
        required=True,
        allow_none=True,
        metadata={"description": "What leads to `state`, in order; a JSON Patch (RFC 6902), with the values before."},
    )


class Consequence(Strict):
    """What else is off by the same cause."""

    check = text()
    version = whole("The first event that it is about.")
    count = whole("How often.")


class Finding(Strict):
    """Something that is not as it must be, by its cause."""

    version = whole()
    check = text()
    expected = text()
    found = text()
    follows = many(Consequence)


def verdict(*words: str) -> ma.fields.String:
    """What a verification came to."""
    return ma.fields.String(required=True, validate=ma.validate.OneOf(words))


def missing() -> ma.fields.List[Any]:
    """What is promised and could not be checked."""
    return ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata={"description": "What is promised here and could not be checked, and why."},
    )


def unchecked() -> ma.fields.List[Any]:
    """What is open."""
    return ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata={"description": "What is open, since it cannot be known yet or here; it changes no verdict."},
    )


class VerificationAnswer(Strict):
    """The stream as it is now, checked from the first entry on."""

    game = text()
    version = whole()
    head = text()
    sealed = flag("The game is over: nothing can follow.")
    verdict = verdict("holds; actions not executed", "failed", "not verified")
    sound = flag("There is no finding.")
    checks = many(ma.fields.String())
    unchecked = unchecked()
    missing = missing()
    findings = many(Finding)
