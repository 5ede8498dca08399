"""Dealing with the bank: its automatic policy, early repayment, and what it answers for a banker (SJG-9 to SJG-16)."""

from events.social_justice.deals import AnyTerms, LoanTerms, SaleTerms
from service.rules import actions_deals as a
from service.rules.bounds import Bound, OneOf, Range
from service.rules.choice import Choice
from service.rules.social_justice import loans, offers, sales, worth
from service.rules.social_justice.offer_actions import why_nothing_to_sell
from service.rules.social_justice.shorthand import OWN_TURN, SELL_OR_BORROW, SjPlay, State, cash_of
from service.rules.violations import Refusal


def _why_banker_answers(state: State, seat: int) -> Refusal | None:
    if loans.bank_is_automatic_for(state, seat):
        return None
    return Refusal("banker_answers", "A player keeps the bank here: ask that seat (SJG-9, SJG-14).")


def why_not_sell_to_bank(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not sell to the automatic bank right now."""
    return _why_banker_answers(state, seat) or why_nothing_to_sell(state, seat)


def sell_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the title."""
    return {"square": OneOf(worth.titles_of(state, seat))}


def objection_to_sell(state: State, seat: int, action: a.SellToBank) -> Refusal | None:
    """Return why this title is not to be sold."""
    if action.square not in worth.titles_of(state, seat):
        return Refusal("not_the_holder", f"Seat {seat} does not hold this title.", "square")
    return None


def sell_to_bank(play: SjPlay, seat: int, action: a.SellToBank) -> None:
    """Sell a title to the automatic bank at once (SJG-10)."""
    sales.sell_to_policy(play, seat, action.square)


SELL_TO_BANK = Choice(a.SellToBank, SELL_OR_BORROW, sell_to_bank, why_not_sell_to_bank, sell_bounds, objection_to_sell)


def why_not_borrow(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not borrow from the automatic bank right now."""
    refusal = _why_banker_answers(state, seat) or loans.why_not_bank(state, seat)
    if refusal is None and not loans.policy_cap(state, seat):
        return Refusal("bank_lends_nothing", "By a rule in force the bank lends nothing to this role.")
    return refusal


def borrow_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the principal by the policy."""
    return {"principal": Range(1, loans.policy_cap(state, seat))}


def borrow_from_bank(play: SjPlay, seat: int, action: a.BorrowFromBank) -> None:
    """Borrow from the automatic bank at once, on its terms (SJG-13, SJG-14)."""
    loans.borrow_from_policy(play, seat, action.principal)


BORROW_FROM_BANK = Choice(a.BorrowFromBank, SELL_OR_BORROW, borrow_from_bank, why_not_borrow, borrow_bounds)


def why_not_repay(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not repay a loan right now."""
    owed = state.deals.owed_by(seat)
    if not owed:
        return Refusal("no_loan", "This seat owes no loan.")
    if not loans.payable(state, seat):
        least = min(loan.owed for loan in owed)
        return Refusal("cash_too_short", f"A loan is repaid in full, which takes ${least:,} (SJG-14).")
    return None


def repay_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the loan to those that cash can repay."""
    return {"loan": OneOf(loans.payable(state, seat))}


def objection_to_repay(state: State, seat: int, action: a.RepayLoan) -> Refusal | None:
    """Return why this loan cannot be repaid right now."""
    loan = state.deals.loans.get(action.loan)
    if loan is None or loan.borrower != seat:
        return Refusal("not_your_loan", f"This seat owes no loan {action.loan}.", "loan")
    if loan.owed > cash_of(state, seat):
        return Refusal("cash_too_short", f"A loan is repaid in full, which takes ${loan.owed:,} (SJG-14).", "loan")
    return None


def repay_loan(play: SjPlay, _seat: int, action: a.RepayLoan) -> None:
    """Repay a loan before it is due, in full and at full price (SJG-14, SJG-16)."""
    loan = play.state.deals.loans[action.loan]
    loans.pay(play, loan.loan, loan.owed, reason="loan_repaid", rule=loan.rule)


REPAY_LOAN = Choice(a.RepayLoan, OWN_TURN, repay_loan, why_not_repay, repay_bounds, objection_to_repay)


def answer_for_banker(play: SjPlay, window: str, due: int) -> None:
    """Answer by the automatic policy what a banker's seat left open when a debt's deadline comes (SJG-9).

    A title is bought at what the policy pays, if no more is asked and the debt is not covered yet; a loan is made if
    the policy allows it and it covers the debt. The forced raise does the rest.

    Args:
        play: The play.
        window: The raise-funds prompt whose deadline has come.
        due: What the debtor owes.
    """
    debtor = play.state.prompts[window].seat
    asked = [offer for offer in play.state.deals.offers.values() if offer.window == window and offer.to == 0]
    for offer in sorted(asked, key=lambda offer: isinstance(offer.terms, LoanTerms)):
        missing = due - cash_of(play.state, debtor)
        if missing > 0 and _policy_accepts(play.state, debtor, offer.terms, missing):
            offers.end(play, offer, "accepted")
            _carry_out(play, debtor, offer.terms)


def _policy_accepts(state: State, debtor: int, terms: AnyTerms, missing: int) -> bool:
    if isinstance(terms, LoanTerms):
        return missing <= terms.principal <= loans.bank_loan_cap(state, debtor)
    assert isinstance(terms, SaleTerms)
    return terms.square in worth.saleable(state, debtor) and terms.price <= worth.resale_price(state, terms.square)


def _carry_out(play: SjPlay, debtor: int, terms: AnyTerms) -> None:
    if isinstance(terms, LoanTerms):
        loans.borrow_from_policy(play, debtor, terms.principal)
    else:
        assert isinstance(terms, SaleTerms)
        sales.sell_to_policy(play, debtor, terms.square)
