"""Moving a piece along its loop, and what it collects on the way.

Order of a move: the piece arrives; crossings are credited in path order; the end of the game is tested; then the pieces
that stand there are bumped.
"""

from functools import cache

from events.public_assistance.board import PROMENADE_LENGTH, Block, public_assistance_board
from events.public_assistance.events import Track
from service.rules.play import pinned
from service.rules.public_assistance import bump
from service.rules.public_assistance.ending import test_end
from service.rules.public_assistance.grants import count_month, reach_first
from service.rules.public_assistance.money import collect
from service.rules.public_assistance.placing import How, place
from service.rules.public_assistance.shorthand import PaPlay, player_of, ref_of

LAP = PROMENADE_LENGTH
"""Both loops have as many blocks, so a lap begun on one is finished on the other (PA-5)."""
CROSSED = frozenset({"first_of_month", "month_line", "pay_day"})
"""Kinds of block that count when they are landed on or passed."""


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
