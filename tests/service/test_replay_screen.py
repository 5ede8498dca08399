"""`rollbook replay` at a terminal: keys, the board, and what stands on the screen."""

import io
import os
import pty
import termios
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from projections.timeline.layout import JAIL, places, ring, spots
from projections.timeline.lines import board_of
from service.cli import display, replay_screen
from service.cli.board import NAMED, WIDEST, BoardPicture, draw_board, whereabouts
from service.cli.replay_screen import Screen, Walk, fitted, screen
from service.games.loading import Loader
from service.replay.steps import StepView, one
from tests.support import social
from tests.support.played import Table, empty, finished, start

HOSTILE = ["[/]", r"\[/]", r"\\[/]", r"\\\[bold]x", "[red]y[/red]", ":smile:", "[link=file:///]z[/link]", "tail\\"]
KINDS = {"public_assistance": lambda: finished(months=1), "social_justice": lambda: social.lively(empty(), events=200)}


@pytest.fixture(scope="module", params=KINDS)
def table(request: pytest.FixtureRequest) -> Table:
    made: Any = KINDS[request.param]
    return made()  # type: ignore[no-any-return] # it is a table


def shown(renderable: Any) -> str:
    console = Console(file=io.StringIO(), width=120)
    console.print(renderable)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_every_place_has_a_cell_of_its_own(table: Table) -> None:
    board = spots(board_of(table.state.pins))
    assert len({(spot.x, spot.y) for spot in board}) == len(board) == len({spot.id for spot in board})


def test_a_ring_goes_round_without_a_gap() -> None:
    for count in (40, 52):
        cells = list(ring(count))
        assert len(set(cells)) == count
        assert all(abs(x - u) + abs(y - v) == 1 for (x, y), (u, v) in zip(cells, [*cells[1:], cells[0]], strict=True))


def test_every_seat_is_somewhere_on_the_board(table: Table) -> None:
    """At every step of a whole game."""
    board = {spot.id for spot in spots(board_of(table.state.pins))}
    assert JAIL in board or any(spot.startswith("jail:") for spot in board)
    for number in range(1, table.state.steps + 1, 7):
        state = one(table.games.loader, table.game, number).state
        assert state is not None
        assert set(places(state).values()) <= board
        drawn = draw_board(state, columns=100).plain
        crowded = len(set(places(state).values())) == 1 and len(places(state)) > 3
        assert crowded or all(str(seat) in drawn for seat in places(state))


@pytest.mark.parametrize("width", [30, 40, 80, 87, 200])
def test_no_line_of_the_board_is_broken(table: Table, width: int) -> None:
    """In a terminal of 80 columns as in any other: as many lines as the board has rows, with every place on them."""
    state = one(table.games.loader, table.game, table.state.steps // 2).state
    assert state is not None
    board = spots(board_of(state.pins))
    console = Console(file=io.StringIO(), width=width)
    console.print(BoardPicture(state))
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().rstrip("\n").split("\n")
    wide = max(spot.x for spot in board) + 1
    size = max(1, min(WIDEST, width // wide))
    assert len(lines) == max(spot.y for spot in board) + 1
    taken = set(places(state).values())
    for spot in board:
        cell = lines[spot.y].ljust(wide * size)[spot.x * size : (spot.x + 1) * size]
        assert cell.strip(), spot
        if spot.id not in taken:
            assert cell.startswith(spot.name[0]) if size >= NAMED else cell == "·", spot


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (60, 20), (200, 50)])
def test_a_screen_fits_its_terminal(table: Table, size: tuple[int, int]) -> None:
    """Its first line, the whole board and the keys are there at every step; what has no room is counted."""
    width, height = size
    for number in range(1, table.state.steps + 1, 5):
        console = Console(file=io.StringIO(), width=width, height=height)
        view = one(table.games.loader, table.game, number)
        console.print(fitted(console, screen(table.games.loader, view, Walk(number, 999))), end="")
        assert isinstance(console.file, io.StringIO)
        lines = console.file.getvalue().split("\n")
        assert lines[0].startswith(f"{number} of 999"), lines
        assert lines[-1].startswith("→ ← step")
        assert len(lines) <= height
        assert max(map(len, lines)) <= width
        for seat in view.state.seats if view.state else ():
            assert any(line.startswith(f"{seat} ") or f"  {seat} " in line for line in lines)
        if len(lines) < height:
            assert "more lines" not in console.file.getvalue()


def test_a_seat_that_is_out_stays_on_the_screen(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bankrupt, dead or gone: it has no place on the board any more, and is still listed."""
    monkeypatch.setattr("service.cli.board.places", lambda state: dict(list(places(state).items())[1:]))
    listed = whereabouts(table.state, {})
    assert [seat for seat, *_ in listed] == sorted(table.state.seats)
    assert "out of the game" in [where for _, _, where, _ in listed]


def whole(table: Table, number: int) -> str:
    """A screen with room for everything."""
    view = one(table.games.loader, table.game, number)
    console = Console(file=io.StringIO(), width=120, height=200, emoji=False)
    console.print(fitted(console, screen(table.games.loader, view, Walk(number, table.state.steps))))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_screen_tells_the_step(table: Table) -> None:
    number = table.state.steps - 2
    view, text = one(table.games.loader, table.game, number), whole(table, number)
    assert f"{number} of {table.state.steps}" in text
    for line in view.step.lines:
        assert " ".join(line.split()) in " ".join(text.split())
    for entry in view.step.entries:
        assert entry.rule in text
    assert "quit" in text


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        ("nn", 3),
        ("nnp", 2),
        ("p", 1),
        ("e", -1),
        ("en", -1),
        ("e0", 1),
        (["\x1b[C", "\x1b[C", "\x1b[D"], 2),
        (["\x1b[F", "\x1b[H", " "], 2),
        ("dd", 21),
        ("ddu", 11),
        ("xz", 1),
        ("12\n", 12),
        ("13\x7f2\r", 12),
        ("12n", 2),
        ("9999999999\n", -1),
        ("\n", 2),
    ],
)
def test_keys_lead_forwards_backwards_and_anywhere(
    table: Table, keys: Any, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = table.state.steps
    assert seen_of(table, [*keys, "q"], lambda: last, monkeypatch)[-1] == (last if at < 0 else at)


def seen_of(
    table: Table, keys: list[str | None], newest: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> list[int]:
    """The steps that were shown while these keys were pressed; None is a second without one."""
    pressed, seen = iter(keys), list[int]()
    monkeypatch.setattr(display, "console", lambda: Console(file=io.StringIO(), width=100))

    def drawn(_loader: Any, _view: StepView, walk: Walk) -> Screen:
        seen.append(walk.at)
        return Screen(Text(), [], Text())

    monkeypatch.setattr(replay_screen, "screen", drawn)
    replay_screen.run(table.games.loader, table.game, first=1, newest=newest, keys=lambda _: next(pressed))
    return seen


def test_a_running_game_is_followed_while_its_last_step_is_shown(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    there = iter([3, 3, 4, 5, 5])
    assert seen_of(table, ["e", None, None, "p", None, "q"], lambda: next(there), monkeypatch) == [1, 3, 4, 3, 3]


def test_keys_are_read_from_a_terminal_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that came together; the terminal is as it was afterwards."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as terminal, os.fdopen(ours, "wb", buffering=0) as person:
        monkeypatch.setattr("sys.stdin", terminal)
        before = termios.tcgetattr(terminal)
        with replay_screen.pressed() as keys:
            assert keys(0) is None
            person.write(b"n\x1b[C\x1bOA12\n")
            assert [keys(5) for _ in range(6)] == ["n", "\x1b[C", "\x1bOA", "1", "2", "\n"]
        assert termios.tcgetattr(terminal) == before


def test_hostile_names_draw_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control characters and markup in a name are shown as text, or left out."""
    table = start(social.seated(empty(), seats=2, key="hostile"))
    view = one(table.games.loader, table.game, table.state.steps)
    monkeypatch.setattr(Loader, "names_of", lambda _loader, _state: {1: "\x1b[31m[bold]Eve[/]", 2: "B"})
    text = whole(table, view.step.number)
    assert "[bold]Eve[/]" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_shown_letter_by_letter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = start(social.seated(empty(), seats=2, key="hostile"))
    view = one(table.games.loader, table.game, table.state.steps)
    monkeypatch.setattr(Loader, "names_of", lambda _loader, _state: {1: name, 2: "B"})
    assert f" {name} " in whole(table, view.step.number)


def test_without_a_terminal_nobody_is_asked_for_keys() -> None:
    assert not replay_screen.takes_keys(Console(file=io.StringIO()))
