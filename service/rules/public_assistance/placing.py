"""Putting a piece on a block directly: nothing is passed, and nobody is bumped.

Moving, bumping, jobs and jail all need this module; it imports none of theirs, so that no circle arises.
"""

from typing import Literal, TypeAlias

from events.public_assistance.events import CheatEnded, PieceMoved, Track
from service.rules.public_assistance.ending import test_end
from service.rules.public_assistance.grants import reach_first
from service.rules.public_assistance.shorthand import PaPlay, player_of

How: TypeAlias = Literal["roll", "cheat", "advance", "job", "welfare", "lockup", "emergency", "bump"]


def place(play: PaPlay, seat: int, track: Track, block: int, *, how: How, rule: str) -> None:
    """Put a piece on a block of any track."""
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


def cancel_cheat(play: PaPlay, seat: int) -> None:
    """Take away a pending right to name one's block (PA-26)."""
    if player_of(play, seat).cheat:
        play.record(CheatEnded(seat=seat, how="cancelled"))


def go_to_lockup(play: PaPlay, seat: int) -> None:
    """Put a player who was caught in the lock-up; all else is kept (PA-17)."""
    cancel_cheat(play, seat)
    place(play, seat, "jail", 0, how="lockup", rule="PA-17")


def go_on_welfare(play: PaPlay, seat: int, *, rule: str) -> None:
    """Put a piece on the 1st of the Month, with grant and month, then test for the end (PA-19, PA-56)."""
    place(play, seat, "promenade", 0, how="welfare", rule=rule)
    reach_first(play, seat, rule=rule)
    test_end(play)
