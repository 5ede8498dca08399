"""What answers look like; the tests hold every answer against these."""

from typing import Any

import marshmallow as ma

from service.api.schemas.fields import Component, Flag
from service.api.schemas.requests import Strict


def text(about: str = "") -> ma.fields.String:
    """A string that is always there."""
    return ma.fields.String(required=True, metadata={"description": about} if about else {})


def whole(about: str = "") -> ma.fields.Integer:
    """A whole number that is always there."""
    return ma.fields.Integer(required=True, metadata={"description": about} if about else {})


def flag(about: str = "") -> Flag:
    """A boolean that is always there."""
    return Flag(required=True, metadata={"description": about} if about else {})


def many(inner: type[ma.Schema] | ma.fields.Field[Any]) -> ma.fields.List[Any]:
    """A list that is always there."""
    return ma.fields.List(ma.fields.Nested(inner) if isinstance(inner, type) else inner, required=True)


def texts() -> ma.fields.Dict:
    """Typed-in texts by digest."""
    return ma.fields.Dict(
        keys=ma.fields.String(),
        values=ma.fields.String(),
        required=True,
        metadata={"description": "Typed-in texts by digest; [erased] when one was erased."},
    )


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


class CreatedAnswer(ActedAnswer):
    """A new game. These tokens are shown here alone; a repeat with the same key shows them again."""

    host_token = text()
    join_code = text("For whoever is to sit down.")
    watch_token = text("For whoever is to watch a private game.")


class OpenedAnswer(Strict):
    """A game that follows from another. The tokens are shown here alone; a repeat shows them again."""

    game = text()
    parent = text()
    version = whole()
    head = text()
    etag = text()
    host_token = text()
    join_code = text("For whoever is to sit down.")
    watch_token = text("For whoever is to watch a private game.")


class SeatedAnswer(ActedAnswer):
    """A seat and its token, shown here alone."""

    seat = whole()
    token = text("Empty for a bot.")


class ReopenedAnswer(ActedAnswer):
    """A seat that somebody else may take, and the code for it, shown here alone."""

    seat = whole()
    join_code = text()


class TriedAnswer(Strict):
    """What an action would lead to."""

    game = text()
    first = whole("Version that its first event would have.")
    events = many(Component("Event"))
    stopped_at = text("Coordinate of the draw that it stopped at; empty when it needs none.")


class GameLine(Strict):
    """A game in the list."""

    game = text()
    created = whole("UTC, milliseconds.")
    rulebook = text()
    status = text()
    places = whole()
    seats = whole()
    private = flag()
    known_secret = flag("Its chance is known to everybody: a test of clients.")
    parent = text()
    turn = whole()
    version = whole()


class GamesAnswer(Strict):
    """Games, newest first."""

    games = many(GameLine)
    next = ma.fields.String(required=True, allow_none=True, metadata={"description": "Cursor of the next page."})


class GameAnswer(Strict):
    """A game at a version."""

    game = text()
    version = whole()
    etag = text()
    head = text("Chain link at this version, in hex.")
    names = ma.fields.Dict(
        keys=ma.fields.String(),
        values=ma.fields.String(),
        required=True,
        metadata={"description": "Names of the seats that have one, by seat; [erased] when it was erased."},
    )
    texts = texts()
    state = Component("GameState", required=True)


class OpenAction(Strict):
    """An action that would be accepted now."""

    name = text()
    about = text()
    prompt = text("Empty for one that is open at any time.")
    body = ma.fields.Dict(required=True, metadata={"description": "Accepted as it stands."})
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
    prompts = many(Component("Prompt"))
    open = many(OpenAction)
    closed = many(ClosedAction)


class EventsAnswer(Strict):
    """A page of the stream."""

    game = text()
    version = whole("The game's newest version.")
    after = whole("Version of the last event here: go on after it.")
    more = flag("There is more already.")
    events = many(EntryAnswer)


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


class StepsAnswer(Strict):
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


class Account(Strict):
    """An account of the ledger."""

    account = text()
    kind = text()
    balance = whole("Whole dollars; a debit is positive.")


class AccountsAnswer(Strict):
    """Every account that was ever posted to, by name."""

    game = text()
    version = whole()
    accounts = many(Account)
    next = ma.fields.String(required=True, allow_none=True, metadata={"description": "Cursor of the next page."})


class EntriesAnswer(Strict):
    """Entries of the ledger, in order."""

    game = text()
    version = whole("Version up to which they are listed.")
    entries = many(Component("LedgerEntry"))
    next = ma.fields.String(required=True, allow_none=True, metadata={"description": "Cursor of the next page."})


class TrialRow(Strict):
    """An account, in the column of its side."""

    account = text()
    debit = whole()
    credit = whole()


class TrialBalanceAnswer(Strict):
    """The trial balance; both totals are equal in right books."""

    game = text()
    version = whole()
    rows = many(TrialRow)
    debit = whole()
    credit = whole()


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


class RulesAnswer(Strict):
    """Rules that were voted on or declared, newest first, and what every parameter is."""

    game = text()
    version = whole()
    rules = many(Component("RuleOnRecord"))
    parameters = many(ParameterLine)
    presidencies = many(Component("TermOnRecord"))
    texts = texts()


class VotesAnswer(Strict):
    """Every vote with each ballot, oldest first."""

    game = text()
    version = whole()
    votes = many(Component("VoteOnRecord"))
    texts = texts()


class Finding(Strict):
    """Something that is not as it must be."""

    version = whole()
    check = text()
    expected = text()
    found = text()


class VerificationAnswer(Strict):
    """The stream as it is now, checked from the first entry on."""

    game = text()
    version = whole()
    head = text()
    sealed = flag("The game is over: nothing can follow.")
    sound = flag("There is no finding.")
    checks = many(ma.fields.String())
    unchecked = many(ma.fields.String())
    findings = many(Finding)


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
    presets = many(Preset)


class RulebooksAnswer(Strict):
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
