"""Payday: salary, utilities, adopted transfers, scheduled payments, the end of a tour, in this order (SJG-47)."""

from events.base import BANK, seat_account
from events.social_justice.board import UTILITIES
from events.social_justice.tasks import AnyTask, Charge, EndTour, PayUtility, Scheduled, Transfers
from service.rules.social_justice.money import collect, owe
from service.rules.social_justice.shorthand import SjPlay, board_of, citizen_of, limit, number, ref_of

RULES = {
    ("enron", "payday"): "SJG-67",
    ("enron", "landing"): "SJG-68",
    ("flint", "payday"): "SJG-70",
    ("flint", "landing"): "SJG-71",
    ("froogle", "payday"): "SJG-73",
    ("froogle", "landing"): "SJG-74",
}
"""Rule under which a utility is charged."""


def reach(play: SjPlay, seat: int) -> None:
    """Land on Payday or pass it; it pays once. A tour ends even where Payday is switched off (SJG-58)."""
    if not number(play.state, "payday.enabled"):
        play.push(EndTour(seat=seat))
        return
    play.push(*_charges(seat), *_after(seat))
    _salary(play, seat)


def reach_by_back_taxes(play: SjPlay, seat: int) -> None:
    """Get the salary in full and owe a part of it at once; everything else is as at any Payday (SJG-65)."""
    if not number(play.state, "payday.enabled"):
        play.push(EndTour(seat=seat))
        return
    charges = _charges(seat) if number(play.state, "backtax.utilities") else ()
    salary = _salary(play, seat)
    tax = salary * number(play.state, f"backtax.pct.{citizen_of(play, seat).held()}") // 100
    due = (Charge(seat=seat, payee=BANK, amount=tax, reason="back_taxes", rule="SJG-65", ref="square:28"),)
    play.push(*(due if tax else ()), *charges, *_after(seat))


def salary_of(play: SjPlay, seat: int) -> int:
    """Return the salary of the role that a seat holds now (SJG-39 to SJG-42)."""
    return number(play.state, f"payday.salary.{citizen_of(play, seat).held()}")


def _salary(play: SjPlay, seat: int) -> int:
    salary = salary_of(play, seat)
    collect(play, seat, salary, reason="salary", rule="SJG-47", ref="square:0")
    return salary


def _charges(seat: int) -> tuple[AnyTask, ...]:
    return tuple(PayUtility(seat=seat, utility=utility) for utility in UTILITIES)


def _after(seat: int) -> tuple[AnyTask, ...]:
    return (
        Transfers(trigger="each_payday", actor=seat),
        Scheduled(seat=seat, when="payday"),
        EndTour(seat=seat),
    )


def pay_utility(play: SjPlay, task: PayUtility) -> None:
    """Charge a seat at Payday for a utility (SJG-67, SJG-70, SJG-73)."""
    charge_utility(play, task.seat, task.utility, at="payday")


def charge_utility(play: SjPlay, seat: int, utility: str, *, at: str) -> None:
    """Charge a utility at `payday` or `landing`; nobody pays for what the bank or the seat itself holds (SJG-66)."""
    square = board_of(play.state).utility(utility)
    holder = play.state.titles[square.i].holder
    if holder in (0, seat):
        return
    cap = limit(play.state, f"utility.{utility}.{at}_cap.{citizen_of(play, seat).held()}")
    rate = number(play.state, f"utility.{utility}.{at}_rate")
    payee = BANK if number(play.state, f"utility.{utility}.public") else seat_account(holder)
    amount = rate if cap is None else min(rate, cap)
    if amount:
        owe(play, seat, payee, amount, reason="utility", rule=RULES[utility, at], ref=ref_of(square.i))
