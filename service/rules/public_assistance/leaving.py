"""A seat leaves during play (PA-10, PA-48)."""

from events.lobby import SeatLeft
from events.public_assistance.events import PartnerRemoved
from service.rules.public_assistance import custodian, ending, job, turn
from service.rules.public_assistance.placing import cancel_cheat
from service.rules.public_assistance.shorthand import PaPlay


def leave(play: PaPlay, seat: int) -> None:
    """Take a seat's piece, partner, children and cards off; cash and notes freeze; its prompts vanish."""
    was_active = play.state.active == seat
    play.void_prompts(seat)
    cancel_cheat(play, seat)
    job.turn_in(play, seat)
    if play.state.players[seat].partner >= 0:
        play.record(PartnerRemoved(seat=seat, how="left"))
    play.record(SeatLeft(seat=seat, playing=True))
    _go_on(play, seat, was_active=was_active)


def _go_on(play: PaPlay, seat: int, *, was_active: bool) -> None:
    custodian.succeed(play, seat)
    if len(play.state.staying()) < 2:
        ending.finish(play, "completed" if play.state.end_reached else "abandoned")
        return
    ending.test_end(play)
    if play.state.status == "playing" and was_active:
        turn.end_turn(play, seat)
