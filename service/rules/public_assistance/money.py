"""What is paid, and what happens when there is not enough cash for it.

A payment is made in full, through notes in the rut (PA-40), or as far as cash goes with the rest forgiven on the
promenade and in jail (PA-28).
"""

from events.base import CUSTODIAN, Account, seat_account
from events.play import DebtForgiven, Part
from events.public_assistance.board import Block
from events.public_assistance.events import LoanRepaid, NotesWritten
from service.rules.play import option_of
from service.rules.public_assistance.shorthand import PaPlay, State, cash_of


def collect(
    play: PaPlay, seat: int, amount: int, *, reason: str, rule: str, ref: str = "", breakdown: tuple[Part, ...] = ()
) -> None:
    """Pay a seat by the custodian."""
    payee = seat_account(seat)
    play.move_cash(CUSTODIAN, payee, amount, reason=reason, rule=rule, ref=ref, breakdown=breakdown)


def pay(
    play: PaPlay, seat: int, amount: int, *, reason: str, rule: str, ref: str = "", payee: Account = CUSTODIAN
) -> None:
    """Pay what a seat owes, in any turn.

    Rule: PA-28 (the rest is forgiven), PA-40 (in the rut notes are written).
    """
    shortfall = amount - cash_of(play.state, seat)
    if shortfall > 0 and play.state.players[seat].track == "rut":
        write_notes(play, seat, fewest_notes(play, shortfall))
        shortfall = 0
    paid = amount - max(shortfall, 0)
    play.move_cash(seat_account(seat), payee, paid, reason=reason, rule=rule, ref=ref)
    if shortfall > 0:
        play.record(
            DebtForgiven(payer=seat_account(seat), payee=payee, amount=shortfall, reason=reason, rule="PA-28", ref=ref)
        )


def obey(play: PaPlay, seat: int, block: Block, *, reason: str, rule: str, ref: str) -> None:
    """Collect or pay what a block says; every other kind of block moves no cash."""
    if block.type == "collect":
        collect(play, seat, block.amount, reason=reason, rule=rule, ref=ref)
    elif block.type == "pay":
        pay(play, seat, block.amount, reason=reason, rule=rule, ref=ref)


def fewest_notes(play: PaPlay, shortfall: int) -> int:
    """Count the notes that cover a shortfall."""
    return -(-shortfall // play.option("loan_unit"))


def note_price(unit: int, pct: int) -> int:
    """Return what redeeming one note costs: principal and flat interest, once."""
    return unit * (100 + pct) // 100


def price_of_note(state: State) -> int:
    """Return what redeeming one note of this game costs."""
    return note_price(option_of(state, "loan_unit"), option_of(state, "loan_pct"))


def write_notes(play: PaPlay, seat: int, notes: int) -> None:
    """Lend a seat whole notes of the custodian (PA-40)."""
    principal = notes * play.option("loan_unit")
    play.record(
        NotesWritten(seat=seat, notes=notes, principal=principal, due=notes * price_of_note(play.state), rule="PA-40")
    )
    collect(play, seat, principal, reason="loan", rule="PA-40", ref=f"loan:{seat}")


def redeem(play: PaPlay, seat: int, amount: int, *, rule: str) -> None:
    """Pay off what a seat owes on notes; the end of the game may redeem a last note in part."""
    account, notes = seat_account(seat), amount // price_of_note(play.state)
    play.move_cash(account, CUSTODIAN, amount, reason="notes_redeemed", rule=rule, ref=f"loan:{seat}")
    play.record(LoanRepaid(seat=seat, notes=notes, amount=amount, rule=rule))
