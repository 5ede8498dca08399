"""What is paid, and what happens when there is not enough cash for it.

A payment above cash is owed: the raise-funds window opens and everything else waits until it is paid or its debtor is
out (SJG-9). Cash is never negative.
"""

from events.base import BANK, Account, seat_account
from events.play import Part
from events.social_justice.events import DebtArose
from events.social_justice.tasks import Owe
from projections.state.base import Prompt
from service.rules.social_justice.shorthand import SjPlay, State, cash_of


def collect(play: SjPlay, seat: int, amount: int, *, reason: str, rule: str, ref: str = "") -> None:
    """Pay a seat by the bank."""
    play.move_cash(BANK, seat_account(seat), amount, reason=reason, rule=rule, ref=ref)


def owe(
    play: SjPlay,
    debtor: int,
    creditor: Account,
    amount: int,
    *,
    reason: str,
    rule: str,
    ref: str = "",
    breakdown: tuple[Part, ...] = (),
) -> None:
    """Charge a seat what is due: paid at once if cash covers it, else when it has raised the money (SJG-9)."""
    if amount <= cash_of(play.state, debtor):
        play.move_cash(seat_account(debtor), creditor, amount, reason=reason, rule=rule, ref=ref, breakdown=breakdown)
        return
    play.push(
        Owe(seat=debtor, creditor=creditor, amount=amount, reason=reason, rule=rule, ref=ref, breakdown=breakdown)
    )
    play.record(DebtArose(seat=debtor, creditor=creditor, amount=amount, reason=reason, rule=rule, ref=ref))
    play.open_prompt(debtor, "raise_funds", why=reason)


def debt_of(state: State, seat: int) -> Owe | None:
    """Return what a seat owes and must raise the money for; None when nothing."""
    top = state.agenda[-1] if state.agenda else None
    return top if isinstance(top, Owe) and top.seat == seat else None


def window_of(state: State, seat: int) -> Prompt | None:
    """Return a seat's open raise-funds window."""
    return next((p for p in state.prompts.values() if p.seat == seat and p.kind == "raise_funds"), None)


def settle_debt(play: SjPlay, debt: Owe) -> bool:
    """Pay the debt that is asked for and close its window, if cash covers it; true when it is paid (SJG-9)."""
    if cash_of(play.state, debt.seat) < debt.amount:
        return False
    close_window(play, debt.seat, "answered")
    play.move_cash(
        seat_account(debt.seat),
        debt.creditor,
        debt.amount,
        reason=debt.reason,
        rule=debt.rule,
        ref=debt.ref,
        breakdown=debt.breakdown,
    )
    return True


def close_window(play: SjPlay, seat: int, how: str) -> None:
    """Close a seat's raise-funds window, if it is open."""
    window = window_of(play.state, seat)
    if window:
        play.close_prompt(window, how)
