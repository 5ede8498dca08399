"""Moving a piece along its loop, what it collects on the way, and being placed somewhere directly.

Order of a move: the piece arrives; crossings are credited in path order; the end of the game is tested; then whoever
stands there is bumped.
"""

from functools import cache
from typing import Literal, TypeAlias

from events.public_assistance.board import PROMENADE_LENGTH, Block, public_assistance_board
from events.public_assistance.events import CheatEnded, PieceMoved, Track
from service.rules.public_assistance import bump
from service.rules.public_assistance.ending import test_end
from service.rules.public_assistance.grants import count_month, reach_first
from service.rules.public_assistance.money import collect
from service.rules.public_assistance.table import PaPlay, pinned, player_of, ref_of

How: TypeAlias = Literal["roll", "cheat", "advance", "job", "welfare", "lockup", "emergency", "bump"]
LAP = PROMENADE_LENGTH
"""Both loops have as many blocks, so a lap begun on one is finished on the other (PA-5)."""
CROSSED = frozenset({"first_of_month", "month_line", "pay_day"})
"""Kinds of block that count when they are landed on or passed."""


def place(play: PaPlay, seat: int, track: Track, block: int, *, how: How, rule: str) -> None:
    """Put a piece somewhere directly: nothing is passed, nobody is bumped."""
    player = player_of(play, seat)
    play.record(
        PieceMoved(
            seat=seat,
            from_track=player.track,
            from_block=player.block,
            to_track=track,
            to_block=block,
            how=how,
            rule=rule,
        )
    )


def travel(play: PaPlay, seat: int, steps: int, *, how: How, rule: str) -> None:
    """Move a piece forward on its loop, with crossings, the end test and the bump."""
    player = player_of(play, seat)
    start, track = player.block, player.track
    place(play, seat, track, (start + steps) % LAP, how=how, rule=rule)
    for distance, block in _crossed(pinned(play.state, "public_assistance_board"), track):
        if start < distance <= start + steps:
            credit_crossing(play, seat, block, directed=how == "advance")
    test_end(play)
    if play.state.status == "playing":
        bump.arrive(play, seat)


@cache
def _crossed(version: int, track: Track) -> tuple[tuple[int, Block], ...]:
    """List the blocks of a loop that count, each with its distance from the loop's beginning, for two laps on end."""
    line = public_assistance_board(version).track(track)
    return tuple((block.i + lap, block) for lap in (0, LAP) for block in line if block.type in CROSSED)


def credit_crossing(play: PaPlay, seat: int, block: Block, *, directed: bool) -> None:
    """Credit a block that is landed on or passed (PA-11, PA-33, PA-34; PA-5 for the rut's month line)."""
    if block.type == "first_of_month":
        reach_first(play, seat, rule="PA-11")
    elif block.type == "month_line":
        count_month(play, seat)
    else:
        assert block.type == "pay_day", block.type
        ref = ref_of(player_of(play, seat).track, block.i)
        rule = "PA-34" if directed else "PA-33"
        collect(play, seat, play.option("pay_day"), reason="pay_day", rule=rule, ref=ref)


def steps_to(play: PaPlay, seat: int, block: int) -> int:
    """Count the blocks forward to an index of the same loop; a whole lap to one's own."""
    return (block - player_of(play, seat).block) % LAP or LAP


def cancel_cheat(play: PaPlay, seat: int) -> None:
    """Take away a pending right to name one's block (PA-26)."""
    if player_of(play, seat).cheat:
        play.record(CheatEnded(seat=seat, how="cancelled"))


def go_to_lockup(play: PaPlay, seat: int) -> None:
    """Caught: directly to the lock-up; all else is kept (PA-17)."""
    cancel_cheat(play, seat)
    place(play, seat, "jail", 0, how="lockup", rule="PA-17")


def go_on_welfare(play: PaPlay, seat: int, *, rule: str) -> None:
    """Directly to the 1st of the Month, with grant and month, then the end test (PA-19, PA-56)."""
    place(play, seat, "promenade", 0, how="welfare", rule=rule)
    reach_first(play, seat, rule=rule)
    test_end(play)
