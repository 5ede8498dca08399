"""The board in the terminal: one small cell for each place, with the seats that stand there."""

from collections.abc import Mapping

from rich.text import Text

from projections.game import AnyState
from projections.state_social_justice import SocialJusticeState
from projections.timeline import board_of
from service.replay.layout import places, spots

CELL = 3
EMPTY = " · "
STYLES = ("red", "blue", "green", "yellow", "magenta", "cyan", "bright_red", "bright_blue")


def style_of(seat: int) -> str:
    """Give the colour of a seat."""
    return f"bold {STYLES[(seat - 1) % len(STYLES)]}"


def picture(state: AnyState) -> Text:
    """Draw the board: each place is a dot, or the numbers of those who stand there; a holder's places are coloured."""
    board = spots(board_of(state.pins))
    standing: dict[str, list[int]] = {}
    for seat, spot in sorted(places(state).items()):
        standing.setdefault(spot, []).append(seat)
    cells = {(spot.x, spot.y): _cell(standing.get(spot.id, []), _holder(state, spot.id)) for spot in board}
    wide, high = max(x for x, _ in cells) + 1, max(y for _, y in cells) + 1
    drawn = Text()
    for y in range(high):
        for x in range(wide):
            drawn.append_text(cells.get((x, y), Text(" " * CELL)))
        drawn.append("\n")
    return drawn


def whereabouts(state: AnyState, names: Mapping[int, str]) -> list[tuple[int, str, str, int]]:
    """List each seat on the board: its number, its name, the place where it stands, and its cash."""
    board = {spot.id: spot.name for spot in spots(board_of(state.pins))}
    return [
        (seat, names.get(seat, "") or f"Seat {seat}", f"{board[spot]} ({spot})", state.cash.get(f"seat:{seat}", 0))
        for seat, spot in sorted(places(state).items())
    ]


def _cell(seats: list[int], holder: int) -> Text:
    if not seats:
        return Text(EMPTY, style=style_of(holder) if holder else "dim")
    if len(seats) > CELL:
        return Text(f"{len(seats)}x".center(CELL), style="bold")
    cell = Text()
    for seat in seats:
        cell.append(str(seat), style=f"{style_of(seat)} reverse")
    cell.append(" " * (CELL - len(seats)))
    return cell


def _holder(state: AnyState, spot: str) -> int:
    if not isinstance(state, SocialJusticeState) or not spot.startswith("square:"):
        return 0
    title = state.titles.get(int(spot.partition(":")[2]))
    return title.holder if title else 0
