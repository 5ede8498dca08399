"""Politics for readers: every vote, every rule and since when, and each parameter with where its value comes from."""

import re
from dataclasses import dataclass
from typing import Any, Literal

from events import codec
from events.base import OptionValue
from events.catalogue import wire_name
from projections.evolve import AnyState
from projections.rules_in_force import HANDLERS, PoliticsOnRecord
from projections.state.social_justice import SocialJusticeState
from service.games.loading import Loader
from service.games.texts import digests_in
from service.rules.social_justice import parameters
from service.rules.social_justice.catalogue import PARAMETERS, RATES

_TYPES = "|".join(sorted(wire_name(kind) for kind in HANDLERS))
_POLITICAL = re.compile(rf'"type":"(?:{_TYPES})"'.encode())
"""Found in the bytes of every entry that the record needs: other entries are not decoded."""


@dataclass(frozen=True, slots=True)
class ParameterLine:
    """A parameter as it is.

    Attributes:
        name: Its full name.
        value: The value in force, after the cap on rates.
        source: What gave the value before that cap: the stack, the holder of a utility, the agreed start, the default.
        rule: The rule on the stack that gave it; empty for another source.
        start: Its value when play began.
        default: Its value in a game that agreed on nothing.
        schema: JSON Schema of what it may be.
        reads: The rules that read it.
    """

    name: str
    value: OptionValue
    source: Literal["rule", "holder", "option", "default"]
    rule: str
    start: OptionValue
    default: OptionValue
    schema: dict[str, Any]
    reads: str


def on_record(loader: Loader, game: str, *, upto: int) -> PoliticsOnRecord:
    """Read a game's politics up to and with a version."""
    record = PoliticsOnRecord()
    for batch in loader.stream(game, after=0, upto=upto):
        for entry in batch:
            if _POLITICAL.search(entry.data):
                record.fold(codec.decode(entry.data))
    return record


def lines(state: AnyState) -> list[ParameterLine]:
    """Return every parameter in the order of the catalogue; none in a game without votes."""
    if not isinstance(state, SocialJusticeState):
        return []
    return [_line(state, name) for name in PARAMETERS]


def _line(state: SocialJusticeState, name: str) -> ParameterLine:
    parameter = PARAMETERS[name]
    source, rule = _source(state, name)
    return ParameterLine(
        name=name,
        value=parameters.value(state, name),
        source=source,
        rule=rule,
        start=parameters.starting(state, name),
        default=parameter.default,
        schema=parameter.bound.schema(),
        reads=parameter.reads,
    )


def _source(state: SocialJusticeState, name: str) -> tuple[Literal["rule", "holder", "option", "default"], str]:
    for rule in reversed(state.politics.stack):
        if any(setting.param == name for setting in rule.settings):
            return "rule", rule.rule
    if name in RATES and RATES[name] in state.rates:
        return "holder", ""
    return ("option" if name in state.options else "default"), ""


def texts_of(loader: Loader, game: str, record: PoliticsOnRecord) -> dict[str, str]:
    """Return every typed-in text of a record by its digest; `[erased]` or `[missing]` when it is not here."""
    found = (*record.votes.values(), *record.rules.values())
    return loader.texts(game, digests_in(found))
