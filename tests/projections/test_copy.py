"""A copy of a state: equal to it, and nothing that changes in place is shared."""

from collections.abc import Iterator, Mapping
from typing import get_origin

from msgspec import Struct
from msgspec.structs import fields

from projections.evolve import AnyState
from tests.support.kinds import pa
from tests.support.packed import packed, state_from
from tests.support.playing import Table


def changeable(value: object) -> Iterator[object]:
    """Every part of a value that could change in place; the tuples and frozen records between them are looked into.

    What is declared a `Mapping` is read alone: the type checker holds everybody to it.
    """
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from changeable(part)
    elif isinstance(value, list | tuple):
        yield from [value] if isinstance(value, list) else []
        for part in value:
            yield from changeable(part)
    elif isinstance(value, Struct):
        yield from [] if value.__struct_config__.frozen else [value]
        for part in fields(value):
            if get_origin(part.type) is not Mapping:
                yield from changeable(getattr(value, part.name))


def states() -> Iterator[AnyState]:
    """A lobby, a game in the middle and one that is over; cards are kept and returned, prompts are open."""
    table = Table(seats=4, options={"months": 3})
    yield table.state
    yield table.play(until=lambda state: any(player.kept for player in pa(state).players.values())).state
    yield table.play().state


def test_a_copy_is_what_writing_and_reading_gives() -> None:
    for state in states():
        assert state.copy() == state
        assert packed(state.copy()) == packed(state_from(packed(state)))


def test_a_copy_shares_nothing_that_changes_in_place() -> None:
    """A field that is added to the state and forgotten in `copy` is found here."""
    for state in states():
        theirs = {id(part): part for part in changeable(state)}
        assert len(theirs) > 8
        assert [part for part in changeable(state.copy()) if id(part) in theirs] == []
