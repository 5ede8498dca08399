"""Moving a piece along its loop, and what it collects on the way.

Order of a move: the piece arrives; crossings are credited in path order; the end of the game is tested; then the pieces
that stand there are bumped.

The bump (PA-52, PA-53): a piece that stands where another arrives by its own movement is sent on. It goes to the
nearest Get a Job (promenade) or Go On Welfare (rut) block, the fewest blocks either way and forward on a tie; that
block's effect applies at once. Nothing is passed on the way, and a piece that was bumped bumps no other.
"""

from functools import cache

from events.public_assistance.board import PROMENADE_LENGTH, Block, public_assistance_board
from events.public_assistance.events import Bumped, Track
from service.rules.public_assistance import job
from service.rules.public_assistance.ending import test_end
from service.rules.public_assistance.grants import count_month, reach_first
from service.rules.public_assistance.money import collect
from service.rules.public_assistance.placing import How, cancel_cheat, go_on_welfare, place, run_out_of_money
from service.rules.public_assistance.shorthand import BOARD, PaPlay, State, block_under, board_of, ref_of

LAP = PROMENADE_LENGTH
"""Both loops have as many blocks, so a lap begun on one is finished on the other (PA-5)."""
CROSSED = frozenset({"first_of_month", "month_line", "pay_day"})
"""Kinds of block that count when they are landed on or passed."""

TARGET = {"promenade": "get_a_job", "rut": "go_on_welfare"}
"""Kind of block that a piece is bumped to, by its track."""


def travel(play: PaPlay, seat: int, steps: int, *, how: How, rule: str) -> None:
    """Move a piece forward on its loop, with crossings, the end test and the bump."""
    player = play.state.players[seat]
    start, track = player.block, player.track
    place(play, seat, track, (start + steps) % LAP, how=how, rule=rule)
    for distance, block in _crossed(play.pins[BOARD], track):
        if start < distance <= start + steps:
            credit_crossing(play, seat, block, directed=how == "advance")
    test_end(play)
    if play.state.status == "playing" and play.option("bump"):
        bump_those_there(play, seat)


@cache
def _crossed(version: int, track: Track) -> tuple[tuple[int, Block], ...]:
    """List the blocks of a loop that count, each with its distance from the loop's beginning, for two laps on end."""
    line = public_assistance_board(version).tracks[track]
    return tuple((block.i + lap, block) for lap in (0, LAP) for block in line if block.type in CROSSED)


def credit_crossing(play: PaPlay, seat: int, block: Block, *, directed: bool) -> None:
    """Credit a block that is landed on or passed (PA-11, PA-33, PA-34; PA-5 for the rut's month line)."""
    if block.type == "first_of_month":
        reach_first(play, seat, rule="PA-11")
    elif block.type == "month_line":
        count_month(play, seat)
    else:
        assert block.type == "pay_day", block.type
        ref = ref_of(play.state.players[seat].track, block.i)
        rule = "PA-34" if directed else "PA-33"
        collect(play, seat, play.option("pay_day"), reason="pay_day", rule=rule, ref=ref)


def steps_to(play: PaPlay, seat: int, block: int) -> int:
    """Count the blocks forward to an index of the same loop; a whole lap to one's own."""
    return (block - play.state.players[seat].block) % LAP or LAP


def bump_those_there(play: PaPlay, mover: int) -> None:
    """Bump every occupant, from the mover's left; a bump that ends the game leaves the others."""
    player = play.state.players[mover]
    if player.block == 0 or player.track not in TARGET:
        return
    for seat in play.seats_from_left_of(mover):
        other = play.state.players[seat]
        if seat != mover and (other.track, other.block) == (player.track, player.block):
            _bump(play, seat, by=mover)
            if play.state.status != "playing":
                return


def nearest(state: State, track: str, block: int) -> int:
    """Find the index that a bump from this block leads to."""
    loop = board_of(state).tracks[track]
    targets = [b.i for b in loop if b.type == TARGET[track]]
    size = len(loop)
    return min(targets, key=lambda i: (min((i - block) % size, (block - i) % size), (i - block) % size))


def _bump(play: PaPlay, seat: int, *, by: int) -> None:
    player = play.state.players[seat]
    play.record(Bumped(seat=seat, by=by))
    cancel_cheat(play, seat)
    target = nearest(play.state, player.track, player.block)
    if target != player.block:
        place(play, seat, player.track, target, how="bump", rule="PA-52")
    if player.track == "rut":
        go_on_welfare(play, seat, rule="PA-56")
        if play.state.status == "playing":
            # A seat can be out of money here only where a grant of $0 was agreed on (PA-28).
            run_out_of_money(play, seat)
    elif job.waivers(play.state, seat):
        job.use_waiver(play, seat)
    else:
        job.take_job(play, seat, enters=block_under(play, seat).enters)
