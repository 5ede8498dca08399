"""The banker: the seat that answers requests to the bank where that was agreed on, else nobody (SJG-14)."""

from service.rules.social_justice.shorthand import SjPlay, State


def name_first(play: SjPlay) -> int:
    """Choose the banker: the seat agreed on, else the host's, else the first; 0 where the bank is automatic."""
    seats = play.state.seats
    if play.state.options["bank"] != "player":
        return 0
    chosen = play.option("banker")
    if chosen and chosen not in seats:
        raise play.refusal("no_such_banker", f"Nobody sits at {chosen}, which is to be banker.", "options.banker")
    return chosen or next((n for n, seat in seats.items() if seat.host), min(seats))


def banker_of(state: State) -> int:
    """Return the seat that answers for the bank now; 0 when it is automatic, as it is once the banker is out."""
    seat = state.custodian
    return seat if seat and not state.citizens[seat].out else 0
