"""Raising money for a debt: means, the forced raise at the deadline, bankruptcy (SJG-4, SJG-9)."""

from events.social_justice.tasks import Owe
from service.rules import actions_social_justice as a
from service.rules.actions import PlayAction
from service.rules.social_justice import banking, estate, loans, sales, worth
from service.rules.social_justice.money import debt_of
from service.rules.social_justice.shorthand import SjPlay, State, cash_of
from service.rules.violations import Refusal


def _debt(state: State, seat: int) -> Owe:
    debt = debt_of(state, seat)
    assert debt, "a raise-funds window is open while there is a debt"
    return debt


def can_raise(state: State, seat: int) -> bool:
    """Return whether a debtor's means cover the debt: cash, what the bank pays for titles, a loan (SJG-9, SJG-60)."""
    return worth.means(state, seat) >= _debt(state, seat).amount


def why_not_raise(state: State, seat: int) -> Refusal | None:
    """Return why the money cannot be raised."""
    if not can_raise(state, seat):
        return Refusal("means_too_short", "Everything sold and a bank loan would not cover the debt (SJG-9).")
    return None


def why_not_bankrupt(state: State, seat: int) -> Refusal | None:
    """Return why a debtor may not give up: who could raise the money is not bankrupt."""
    if can_raise(state, seat):
        return Refusal("means_suffice", "Who could raise the money is not bankrupt (SJG-9).")
    return None


def raise_funds(play: SjPlay, seat: int, action: a.RaiseFunds) -> None:
    """Raise what is owed: titles to the bank, cheapest first, only until a bank loan covers the rest.

    What the debtor asked of a banker's seat, and what is unanswered, the automatic policy answers first.
    """
    debt = _debt(play.state, seat)
    banking.answer_for_banker(play, action.prompt, debt.amount)
    for square in worth.saleable(play.state, seat):
        if cash_of(play.state, seat) + loans.bank_loan_cap(play.state, seat) >= debt.amount:
            break
        sales.sell_to_policy(play, seat, square, rule="SJG-9")
    shortfall = debt.amount - cash_of(play.state, seat)
    if shortfall > 0:
        loans.borrow_from_policy(play, seat, shortfall)
    play.answer(action.prompt)


def declare_bankruptcy(play: SjPlay, seat: int, action: a.DeclareBankruptcy) -> None:
    """Go bankrupt: what there is goes to the creditor first (SJG-4b)."""
    debt = _debt(play.state, seat)
    play.answer(action.prompt)
    estate.settle(play, seat, why="bankrupt", rule="SJG-9", debt=debt)


def default(state: State, prompt: str) -> PlayAction:
    """Raise the money if that is possible; only else bankrupt (SJG-86)."""
    seat = state.prompts[prompt].seat
    return a.RaiseFunds(prompt=prompt) if can_raise(state, seat) else a.DeclareBankruptcy(prompt=prompt)
