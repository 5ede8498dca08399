"""Putting a piece on a block directly: nothing is passed, and nobody is bumped.

Moving, bumping, jobs and jail all need this module; it imports none of theirs, so that no circle arises.
"""

from typing import Literal, TypeAlias

from events.base import seat_account
from events.public_assistance.events import CheatEnded, PieceMoved, SkipAdded, Track
from service.rules.public_assistance.ending import test_end
from service.rules.public_assistance.grants import reach_first
from service.rules.public_assistance.money import collect
from service.rules.public_assistance.shorthand import PaPlay

How: TypeAlias = Literal["roll", "cheat", "advance", "job", "welfare", "lockup", "emergency", "bump"]


def place(play: PaPlay, seat: int, track: Track, block: int, *, how: How, rule: str) -> None:
    """Put a piece on a block of any track."""
    player = play.state.players[seat]
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
    if play.state.players[seat].cheat:
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


def run_out_of_money(play: PaPlay, seat: int) -> bool:
    """Send a promenade player whose cash is exactly 0 to the 1st; true when it happened.

    That trip is no time around: no month, no grant, nobody is bumped (PA-29). What else of the turn is void, the caller
    decides.
    """
    player = play.state.players[seat]
    if player.track != "promenade" or play.state.cash[seat_account(seat)] > 0:
        return False
    cancel_cheat(play, seat)
    if player.block:
        place(play, seat, "promenade", 0, how="emergency", rule="PA-28")
    collect(play, seat, play.option("emergency"), reason="emergency_grant", rule="PA-28", ref="promenade:0")
    play.record(SkipAdded(seat=seat, skips=player.skips + 1, rule="PA-28"))
    return True
