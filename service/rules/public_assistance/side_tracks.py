"""Side tracks: Saturday Night on the promenade, Union Job and Go Into Business in the rut (PA-16, PA-35 to PA-38).

Compulsory and within one turn: one die at a time from before the first block, obeying each block landed on, until the
last block is reached or passed, or the player is caught. The piece itself stays where it was.
"""

from events.public_assistance.board import Block
from events.public_assistance.events import SideTrackEntered, SideTrackLeft, SideTrackMoved
from service.rules.public_assistance.money import obey
from service.rules.public_assistance.placing import go_to_lockup
from service.rules.public_assistance.shorthand import PaPlay, board_of, ref_of


def rule_of(track: str) -> str:
    """Return the rule under which a side track is run."""
    return {"union_job": "PA-36", "business": "PA-38"}.get(track, "PA-16")


def run(play: PaPlay, seat: int, track: str) -> None:
    """Roll all the way through a side track."""
    blocks = board_of(play.state).side_tracks[track]
    last, at, rolls = len(blocks), 0, 0
    play.record(SideTrackEntered(seat=seat, track=track))
    while at < last:
        rolls += 1
        (face,) = play.roll(seat, "side_track", seat, play.state.players[seat].own, track, rolls, count=1)
        start, at = at, min(at + face, last + 1)
        play.record(SideTrackMoved(seat=seat, track=track, from_block=start, to_block=at))
        if at <= last and not _obey(play, seat, track, blocks[at - 1]):
            play.record(SideTrackLeft(seat=seat, track=track, how="caught"))
            go_to_lockup(play, seat)
            return
    play.record(SideTrackLeft(seat=seat, track=track, how="finished"))


def _obey(play: PaPlay, seat: int, track: str, block: Block) -> bool:
    """Do what a block of a side track says; return whether the player goes on, and is not caught (PA-17)."""
    obey(play, seat, block, reason="side_track", rule=rule_of(track), ref=ref_of(track, block.i))
    return block.type != "jail"
