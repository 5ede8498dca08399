"""By which events one knows that a rule was done: what happened, in short words, and tables from rules to such words.

A word is the wire name of an event and, after a colon, what tells its cases apart: `money_moved:PA-33`. The table of
each rulebook stands in a module of that rulebook.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

from events.base import Event
from events.play import CardReturned, PromptOpened

Happening: TypeAlias = tuple[str, ...]
"""The wire name of an event, and what tells its case apart."""

Signs: TypeAlias = Mapping[str, frozenset[str]]
"""Rule → the words that each are one firing of it."""

Cases: TypeAlias = Mapping[type[Event], Callable[[Any], Iterable[str]]]
"""Type of an event → what tells the cases of such an event apart."""

CASES: Cases = {
    CardReturned: lambda event: ("kept" if event.kept else "at_once",),
    PromptOpened: lambda event: (event.kind, *([event.why] if event.why else [])),
}
"""Cases of both games."""


def signs_from(words: Mapping[str, str]) -> Signs:
    """Read a table from rules to words with blanks between them."""
    return {rule: frozenset(text.split()) for rule, text in words.items()}


def rules_by_word(signs: Signs) -> Mapping[str, tuple[str, ...]]:
    """Return a table the other way round."""
    every = sorted({word for words in signs.values() for word in words})
    return {word: tuple(rule for rule, words in signs.items() if word in words) for word in every}


@cache
def name_of(kind: type[Event]) -> str:
    """Return the wire name of a kind of event."""
    return str(kind.__struct_config__.tag)


def words_of(what: Happening) -> Iterator[str]:
    """List the words of the table for what happened: the event's name, alone and with each of its cases."""
    name, *cases = what
    yield name
    for case in cases:
        yield f"{name}:{case}"
