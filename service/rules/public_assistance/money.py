"""The one way to move cash, and what happens when there is not enough of it.

A payment is made in full, through notes in the rut (PA-40), or as far as cash goes with the rest forgiven on the
promenade and in jail (PA-28). No other code records `money_moved`.
"""

from events.base import CUSTODIAN, Account, seat_account
from events.play import DebtForgiven, MoneyMoved, Part
from events.public_assistance.events import LoanRepaid, NotesWritten
from service.rules.public_assistance.table import PaPlay, cash_of, player_of


def transfer(
    play: PaPlay,
    *,
    payer: Account,
    payee: Account,
    amount: int,
    reason: str,
    rule: str,
    ref: str = "",
    breakdown: tuple[Part, ...] = (),
) -> None:
    """Move cash that is there. An amount of 0 makes no posting."""
    assert amount >= 0, "an amount is never negative"
    assert payer != payee, "nobody pays himself"
    if amount:
        play.record(
            MoneyMoved(payer=payer, payee=payee, amount=amount, reason=reason, rule=rule, ref=ref, breakdown=breakdown)
        )


def collect(
    play: PaPlay, seat: int, amount: int, *, reason: str, rule: str, ref: str = "", breakdown: tuple[Part, ...] = ()
) -> None:
    """Let the custodian pay a seat."""
    transfer(
        play,
        payer=CUSTODIAN,
        payee=seat_account(seat),
        amount=amount,
        reason=reason,
        rule=rule,
        ref=ref,
        breakdown=breakdown,
    )


def pay(
    play: PaPlay, seat: int, amount: int, *, reason: str, rule: str, ref: str = "", payee: Account = CUSTODIAN
) -> None:
    """Let a seat pay what it owes, whoever's turn it is.

    Rule: PA-28 (the rest is forgiven), PA-40 (in the rut notes are written).
    """
    shortfall = amount - cash_of(play.state, seat)
    if shortfall > 0 and player_of(play, seat).track == "rut":
        write_notes(play, seat, fewest_notes(play, shortfall))
        shortfall = 0
    paid = amount - max(shortfall, 0)
    transfer(play, payer=seat_account(seat), payee=payee, amount=paid, reason=reason, rule=rule, ref=ref)
    if shortfall > 0:
        play.record(
            DebtForgiven(payer=seat_account(seat), payee=payee, amount=shortfall, reason=reason, rule="PA-28", ref=ref)
        )


def fewest_notes(play: PaPlay, shortfall: int) -> int:
    """Count the notes that cover a shortfall."""
    return -(-shortfall // play.option("loan_unit"))


def note_price(unit: int, pct: int) -> int:
    """Say what redeeming one note costs: principal and flat interest, once."""
    return unit * (100 + pct) // 100


def price_of_note(play: PaPlay) -> int:
    """Say what redeeming one note of this game costs."""
    return note_price(play.option("loan_unit"), play.option("loan_pct"))


def write_notes(play: PaPlay, seat: int, notes: int) -> None:
    """Let a seat borrow whole notes from the custodian (PA-40)."""
    principal = notes * play.option("loan_unit")
    play.record(
        NotesWritten(seat=seat, notes=notes, principal=principal, due=notes * price_of_note(play), rule="PA-40")
    )
    collect(play, seat, principal, reason="loan", rule="PA-40", ref=f"loan:{seat}")


def redeem(play: PaPlay, seat: int, amount: int, *, rule: str) -> None:
    """Let a seat pay off what it owes on notes; the end of the game may redeem a last note in part."""
    account, notes = seat_account(seat), amount // price_of_note(play)
    transfer(
        play, payer=account, payee=CUSTODIAN, amount=amount, reason="notes_redeemed", rule=rule, ref=f"loan:{seat}"
    )
    play.record(LoanRepaid(seat=seat, notes=notes, amount=amount, rule=rule))
