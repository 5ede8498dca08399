"""Where the blocks and squares of a board lie in a picture of it, in cells, and where each seat's marker stands.

The tracks are rings: they begin in the lower right corner and go round as a clock does.
"""

from collections.abc import Iterator
from typing import NamedTuple

from events.public_assistance.board import PublicAssistanceBoard
from projections.evolve import AnyState
from projections.state.public_assistance import PublicAssistanceState
from projections.timeline.scene import AnyBoard

JAIL = "jail"
"""Where the jailed of The Social Justice Game are: off the track."""


class Spot(NamedTuple):
    """A place on the board.

    Attributes:
        id: `<track>:<index>`, or `jail`.
        name: As the board says.
        x: Column, from 0.
        y: Row, from 0.
        group: What it is, or belongs to: for its colour.
    """

    id: str
    name: str
    x: int
    y: int
    group: str


def spots(board: AnyBoard) -> list[Spot]:
    """List every place of a board."""
    if isinstance(board, PublicAssistanceBoard):
        return list(_public_assistance(board))
    squares = [
        Spot(f"square:{square.i}", square.name, x, y, square.group or square.type)
        for square, (x, y) in zip(board.squares, ring(len(board.squares)), strict=True)
    ]
    return [*squares, Spot(JAIL, "In jail", 5, 5, JAIL)]


def _public_assistance(board: PublicAssistanceBoard) -> Iterator[Spot]:
    side = len(board.promenade) // 4 + 1
    for block, (x, y) in zip(board.promenade, ring(len(board.promenade)), strict=True):
        yield Spot(f"promenade:{block.i}", block.name, x, y, block.type)
    for block, (x, y) in zip(board.rut, ring(len(board.rut)), strict=True):
        yield Spot(f"rut:{block.i}", block.name, x + side + 1, y, block.type)
    for block in board.jail:
        yield Spot(f"jail:{block.i}", block.name, block.i % (side - 3) + 2, 3 + block.i // (side - 3), block.type)
    for block in board.cake_walk:
        yield Spot(f"cake_walk:{block.i}", block.name, block.i % 8 + 3, 8 + block.i // 8, block.type)


def ring(count: int) -> Iterator[tuple[int, int]]:
    """Yield the cells of a square ring of so many cells, from the lower right corner on, to the left first."""
    side = count // 4
    assert count == side * 4, "a ring has four equal sides"
    yield from ((side - step, side) for step in range(side))
    yield from ((0, side - step) for step in range(side))
    yield from ((step, 0) for step in range(side))
    yield from ((side, step) for step in range(side))


def places(state: AnyState) -> dict[int, str]:
    """Return the spot of each seat's marker; a seat that is out of the game has none."""
    if isinstance(state, PublicAssistanceState):
        gone = {seat for seat, sitter in state.seats.items() if sitter.left}
        return {seat: f"{one.track}:{one.block}" for seat, one in state.players.items() if seat not in gone}
    return {
        seat: JAIL if citizen.jailed else f"square:{citizen.square}"
        for seat, citizen in state.citizens.items()
        if not citizen.out
    }
