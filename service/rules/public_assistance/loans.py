"""Notes: borrowing more of them by choice, and redeeming them during play (PA-40).

What a shortfall writes by itself stands in `money`; what the end of the game redeems, in `ending`.
"""

from service.rules.actions import Borrow, Repay
from service.rules.bounds import Bound, Range
from service.rules.play import option_of
from service.rules.public_assistance.money import price_of_note, redeem, write_notes
from service.rules.public_assistance.shorthand import PaPlay, State, cash_of
from service.rules.violations import Refusal

MOST_OUTSTANDING = 1_000_000
"""Technical cap on the principal outstanding of one seat; the rulebook sets none."""


def room(state: State, seat: int) -> int:
    """Count the notes that may still be written by choice."""
    return MOST_OUTSTANDING // option_of(state, "loan_unit") - state.players[seat].notes


def why_not_borrow(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not write more notes right now."""
    player = state.players[seat]
    if player.track != "rut":
        return Refusal("only_in_rut", "Only a working player may borrow (PA-40).")
    if cash_of(state, seat) > 0 and player.note_age not in (0, 1):
        return Refusal("not_out_of_money", "Notes are written at $0, or after a note since the last turn (PA-40).")
    if room(state, seat) < 1:
        return Refusal("loan_cap", f"At most ${MOST_OUTSTANDING:,} may be outstanding (PA-40).")
    return None


def borrow_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the amount: whole notes, up to the cap."""
    unit = option_of(state, "loan_unit")
    return {"amount": Range(unit, unit * room(state, seat), unit)}


def borrow(play: PaPlay, seat: int, action: Borrow) -> None:
    """Write more notes; the start prompt stays open."""
    write_notes(play, seat, action.amount // play.option("loan_unit"))


def redeemable(state: State, seat: int) -> int:
    """Count the whole notes that cash can redeem; on the promenade at least $1 must remain."""
    player = state.players[seat]
    spare = cash_of(state, seat) - (player.track == "promenade")
    return min(player.notes, max(spare, 0) // price_of_note(state))


def why_not_repay(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not redeem a note right now."""
    if not state.players[seat].notes:
        return Refusal("no_notes", "There are no notes to redeem.")
    if redeemable(state, seat) < 1:
        left = " and leaves at least $1 on the promenade" if state.players[seat].track == "promenade" else ""
        return Refusal("cash_too_short", f"Redeeming a note takes ${price_of_note(state):,}{left} (PA-40).")
    return None


def repay_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the number of notes."""
    return {"notes": Range(1, redeemable(state, seat))}


def repay(play: PaPlay, seat: int, action: Repay) -> None:
    """Redeem whole notes at full price; the start prompt stays open."""
    redeem(play, seat, action.notes * price_of_note(play.state), rule="PA-40")
