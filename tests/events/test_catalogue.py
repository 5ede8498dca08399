"""The catalogue: nothing that was once written is lost by a change of the types."""

from typing import Literal

import pytest

from events.base import Event
from events.catalogue import TYPES, CatalogueError, check, written_names


class Bumped(Event, frozen=True, tag="turn_ended"):
    """`turn_ended` in a later release."""

    seat: int
    why: str
    schema: Literal[2] = 2


WRITTEN = {*written_names()}
BUMPED: dict[str, type[Event]] = {**TYPES, "turn_ended": Bumped}


def test_the_catalogue_of_this_release_is_whole() -> None:
    check()


@pytest.mark.parametrize("name", sorted(TYPES))
def test_a_type_that_was_removed_is_named(name: str) -> None:
    types = {other: kind for other, kind in TYPES.items() if other != name}
    with pytest.raises(CatalogueError, match=f"^{name} was written once"):
        check(types=types)


def test_a_type_that_was_renamed_is_named() -> None:
    types = {("turn_over" if name == "turn_ended" else name): kind for name, kind in TYPES.items()}
    with pytest.raises(CatalogueError, match=r"^turn_over: schema 1 is not in"):
        check(types=types)
    with pytest.raises(CatalogueError, match=r"^turn_ended was written once"):
        check(WRITTEN | {("turn_over", 1)}, types=types)


def test_a_new_schema_number_needs_its_line_and_its_upcaster() -> None:
    with pytest.raises(CatalogueError, match=r"^turn_ended: schema 2 is not in"):
        check(types=BUMPED)
    with pytest.raises(CatalogueError, match=r"^turn_ended: no upcaster from schema 1 to 2"):
        check(WRITTEN | {("turn_ended", 2)}, types=BUMPED)
    check(WRITTEN | {("turn_ended", 2)}, {("turn_ended", 1): lambda data: data}, BUMPED)
