"""Who may do what: the words in which `Games` refuses somebody."""

from projections.evolve import AnyState
from service.errors import Forbidden, NoSuchSeat, Unauthorized
from service.games.credentials import Caller


def allow(caller: Caller, may: bool, why_not: str) -> None:
    """Let somebody through who may do something.

    Raises:
        Unauthorized: He may not, and sent no token.
        Forbidden: He may not.
    """
    if may:
        return
    raise Forbidden(why_not) if caller.given else Unauthorized(f"{why_not} Send its token as a bearer token.")


def seat_exists(state: AnyState, seat: int) -> None:
    """See that somebody sits at a place.

    Raises:
        NoSuchSeat: Nobody does.
    """
    if seat not in state.seats:
        raise NoSuchSeat(f"Nobody sits at {seat}.")


def seat_of(caller: Caller, state: AnyState) -> int:
    """Give the caller's seat.

    Raises:
        Unauthorized, Forbidden: The caller has none.
    """
    seat = caller.seat
    allow(caller, seat in state.seats, "This takes the token of a seat.")
    return seat
