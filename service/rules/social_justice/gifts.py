"""Gifts: payments without any offer, open to all but a debtor at any time (SJG-9, SJG-31)."""

from typing import Any

from service.rules import actions_deals as a
from service.rules.bounds import Bound, OneOf, Range
from service.rules.choice import ANY_TIME, Choice
from service.rules.social_justice import money
from service.rules.social_justice.shorthand import SjPlay, State, account_of, cash_of
from service.rules.violations import Refusal

MOST = 1_000_000


def why_not_pay(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not give money away right now."""
    if money.window_of(state, seat):
        return Refusal("in_debt", "Until a debt is met its debtor may only receive, sell and borrow (SJG-9).")
    if not cash_of(state, seat):
        return Refusal("cash_too_short", "This seat has no cash.")
    return None


def pay_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound payee and amount."""
    payees = [*(other for other in state.alive() if other != seat), 0]
    return {"to": OneOf(payees), "amount": Range(1, min(cash_of(state, seat), MOST))}


def objection_to_pay(state: State, _seat: int, action: a.Pay) -> Refusal | None:
    """Return why this is not the rule that asks for it: only one in force is cited (SJG-31)."""
    if action.cites and all(rule.rule != action.cites for rule in state.politics.stack):
        return Refusal("unknown_rule", "No rule of that id is in force.", "cites")
    return None


def pay(play: SjPlay, seat: int, action: a.Pay) -> None:
    """Pay another seat, or the bank, perhaps because a house rule asks for it (SJG-31)."""
    payer, payee = account_of(seat), account_of(action.to)
    play.move_cash(payer, payee, action.amount, reason="payment", rule="SJG-31", ref=action.cites)


def _no_citation(_state: State, _seat: int) -> dict[str, Any]:
    return {"cites": ""}


PAY = Choice(a.Pay, ANY_TIME, pay, why_not_pay, pay_bounds, objection_to_pay, _no_citation)
