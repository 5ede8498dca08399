"""The board in the terminal: one small cell for each place, with its name in short or the seats that stand there.

Cells are as wide as the terminal has room for, and no line is ever broken. In the smallest a place is a dot.
"""

from collections.abc import Iterator, Mapping

from rich.console import Console, ConsoleOptions
from rich.text import Text

from projections.evolve import AnyState
from projections.state.social_justice import SocialJusticeState
from projections.timeline.layout import places, spots
from projections.timeline.lines import board_of

WIDEST, NAMED = 8, 2
"""Columns of the widest cell, and of the smallest that has a name in it."""
SMALL = 4
"""Columns up to which a name of several words is shown by their first letters."""
EMPTY, CROWD = "·", "+"
STYLES = ("red", "blue", "green", "yellow", "magenta", "cyan", "bright_red", "bright_blue")


def style_of(seat: int) -> str:
    """Return the colour of a seat, as a style of Rich."""
    return f"bold {STYLES[(seat - 1) % len(STYLES)]}"


class BoardPicture:
    """The board of a game, drawn as wide as the console.

    Args:
        state: The game.
    """

    def __init__(self, state: AnyState) -> None:
        self._state = state

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Text]:
        yield draw_board(self._state, columns=options.max_width)


def draw_board(state: AnyState, *, columns: int) -> Text:
    """Draw the board: each place by its name in short, or the numbers of those who stand there; holders give colour.

    Args:
        state: The game.
        columns: Width; where it is too small even for the smallest cells, the board is cut on the right.
    """
    board = spots(board_of(state.pins))
    wide, high = max(spot.x for spot in board) + 1, max(spot.y for spot in board) + 1
    size = max(1, min(WIDEST, columns // wide))
    standing: dict[str, list[int]] = {}
    for seat, spot in sorted(places(state).items()):
        standing.setdefault(spot, []).append(seat)
    cells = {
        (spot.x, spot.y): _cell(standing.get(spot.id, []), _holder(state, spot.id), _short(spot.name, size))
        for spot in board
    }
    drawn = Text(no_wrap=True, overflow="crop")
    for y in range(high):
        for x in range(wide):
            drawn.append_text(cells.get((x, y), Text(" " * size)))
        drawn.append("\n" if y < high - 1 else "")
    return drawn


def whereabouts(state: AnyState, names: Mapping[int, str]) -> list[tuple[int, str, str, int]]:
    """List each seat: its number, its name, the place where it stands, if it is still in the game, and its cash."""
    board = {spot.id: spot.name for spot in spots(board_of(state.pins))}
    standing = {seat: f"{board[spot]} ({spot})" for seat, spot in places(state).items()}
    return [
        (
            seat,
            names.get(seat, "") or f"Seat {seat}",
            standing.get(seat, "out of the game"),
            state.cash.get(f"seat:{seat}", 0),
        )
        for seat in sorted(state.seats)
    ]


def _short(name: str, size: int) -> str:
    """Return a name that fills a cell but for a space: its beginning, or in small cells the letters of its words."""
    if size < NAMED:
        return EMPTY.center(size)
    letters = "".join(word[0] for word in name.split())
    return (letters if len(letters) >= 2 and size <= SMALL else name)[: size - 1].ljust(size)


def _cell(seats: list[int], holder: int, empty: str) -> Text:
    size = len(empty)
    if not seats:
        return Text(empty, style=style_of(holder) if holder else "dim")
    if len(seats) > size:
        return Text(f"{len(seats)}x".center(size) if size > 1 else CROWD, style="bold")
    cell = Text()
    for seat in seats:
        cell.append(str(seat), style=f"{style_of(seat)} reverse")
    cell.append(" " * (size - len(seats)))
    return cell


def _holder(state: AnyState, spot: str) -> int:
    if not isinstance(state, SocialJusticeState) or not spot.startswith("square:"):
        return 0
    title = state.titles.get(int(spot.partition(":")[2]))
    return title.holder if title else 0
