"""The matrix of planted changes, against both verifiers: docs/verifying.md says what each finds, and it is so."""

from collections.abc import Callable, Sequence
from typing import Any

from tests.matrix_page import PAGE, event_row, field_row, line_row
from tests.support.events_planted import EVENTS
from tests.support.lines_planted import LINES
from tests.support.matrix import GAMES, Found, bundle_of, found, types

Few = Callable[[Sequence[Any]], Sequence[Any]]
TOLD = set(PAGE.read_text(encoding="utf-8").splitlines())


def test_the_games_are_good() -> None:
    """Unchanged, neither verifier finds anything."""
    for game in GAMES.values():
        assert found(bundle_of(game(), game().plain())) == Found("", "")


def test_there_are_enough_kinds() -> None:
    assert len(LINES) + sum(map(len, EVENTS.values())) >= 150
    assert len(types()) > 70


def test_changed_lines(few: Few) -> None:
    """Each is found by both, or the page says by whom."""
    assert [row for row in map(line_row, few(list(LINES))) if row not in TOLD] == []


def test_changed_events(few: Few) -> None:
    """The chain is made again each time."""
    every = [(group, name) for group, changes in EVENTS.items() for name in changes]
    assert [row for row in (event_row(*one) for one in few(every)) if row not in TOLD] == []


def test_each_field_alone(few: Few) -> None:
    """A type that has no row on the page is one of the most, of which the page speaks in a sentence."""
    for kind in few(list(types())):
        told = [line for line in TOLD if line.startswith(f"| `{kind}` |")]
        assert told == list(filter(None, [field_row(kind)]))


def test_nobody_raises() -> None:
    """A change that makes a verifier fall over would have no row."""
    assert not any("Error" in line for line in TOLD)
