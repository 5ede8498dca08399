"""The bump (PA-52, PA-53): a piece that stands where another arrives by its own movement is sent on.

It goes to the nearest Get a Job (promenade) or Go On Welfare (rut) block, the fewest blocks either way and forward on a
tie; that block's effect applies at once. Nothing is passed on the way, and a piece that was bumped bumps no other.
"""

from events.public_assistance.events import Bumped
from service.rules.public_assistance import broke, job
from service.rules.public_assistance.placing import cancel_cheat, go_on_welfare, place
from service.rules.public_assistance.shorthand import PaPlay, State, block_under, board_of, player_of

TARGET = {"promenade": "get_a_job", "rut": "go_on_welfare"}


def arrive(play: PaPlay, mover: int) -> None:
    """Bump every occupant, from the mover's left; a bump that ends the game leaves the others."""
    player = player_of(play, mover)
    if not play.option("bump") or player.block == 0 or player.track not in TARGET:
        return
    for seat in play.seats_from_left_of(mover):
        other = player_of(play, seat)
        if seat != mover and (other.track, other.block) == (player.track, player.block):
            _bump(play, seat, by=mover)
            if play.state.status != "playing":
                return


def nearest(state: State, track: str, block: int) -> int:
    """Find the index that a bump from this block leads to."""
    loop = board_of(state).track(track)
    targets = [b.i for b in loop if b.type == TARGET[track]]
    size = len(loop)
    return min(targets, key=lambda i: (min((i - block) % size, (block - i) % size), (i - block) % size))


def _bump(play: PaPlay, seat: int, *, by: int) -> None:
    player = player_of(play, seat)
    play.record(Bumped(seat=seat, by=by))
    cancel_cheat(play, seat)
    target = nearest(play.state, player.track, player.block)
    if target != player.block:
        place(play, seat, player.track, target, how="bump", rule="PA-52")
    if player.track == "rut":
        go_on_welfare(play, seat, rule="PA-56")
        if play.state.status == "playing":
            # A seat can be out of money here only where a grant of $0 was agreed on (PA-28).
            broke.run_out_of_money(play, seat)
    elif job.waivers(play.state, seat):
        job.use_waiver(play, seat)
    else:
        job.take_job(play, seat, enters=block_under(play, seat).enters)
