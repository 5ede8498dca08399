"""A seat leaves during play: the estate is settled, and the game goes on without it."""

from events.lobby import SeatLeft
from service.rules.social_justice import estate
from service.rules.social_justice.money import debt_of
from service.rules.social_justice.shorthand import SjPlay


def leave(play: SjPlay, seat: int) -> None:
    """Take a seat out; a debt that it was to pay is paid first, as far as cash goes."""
    if play.state.citizens[seat].out:
        raise play.refusal("seat_out", "This seat is out of the game.")
    debt = debt_of(play.state, seat)
    play.record(SeatLeft(seat=seat, playing=True))
    estate.settle(play, seat, why="left", rule="SJG-4b", debt=debt)
