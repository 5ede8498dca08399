"""What people do with offers: propose, accept, counter, decline, withdraw; and payments without any offer.

Each act sees once more that the deal is possible; a refusal names the parameter at fault.
"""

from events.base import BANK, seat_account
from events.deals import AgreementTerms, AnyTerms, LoanTerms, SaleTerms
from projections.state_deals import Offer
from service.rules import actions as a
from service.rules.social_justice import agreements, loans, money, offers, sales, worth
from service.rules.social_justice.table import SjPlay, State, cash_of, window_of
from service.rules.violations import Refusal


def why_not(state: State, by: int, to: int, terms: AnyTerms) -> Refusal | None:
    """Say why a deal on these terms is not possible between two sides, whatever cash there is."""
    if isinstance(terms, SaleTerms):
        return sales.why_not_sell(state, terms)
    if isinstance(terms, LoanTerms):
        return loans.why_not_lend(state, terms)
    return agreements.why_not_agree(state, (by, to), terms)


def why_not_accept(state: State, offer: Offer) -> Refusal | None:
    """Say why an offer cannot be accepted right now."""
    terms = offer.terms
    if isinstance(terms, LoanTerms) and (terms.pct is None or terms.term is None):
        return Refusal("terms_open", "The lender sets interest and period first (SJG-14, SJG-16).", "offer")
    return why_not(state, offer.by, offer.to, terms) or _why_too_short(state, terms)


def _why_too_short(state: State, terms: AnyTerms) -> Refusal | None:
    if isinstance(terms, AgreementTerms):
        return None
    payer, amount = (terms.buyer, terms.price) if isinstance(terms, SaleTerms) else (terms.lender, terms.principal)
    if payer and cash_of(state, payer) < amount:
        return Refusal("cash_too_short", f"It takes ${amount:,} in cash, which seat {payer} does not have.", "offer")
    return None


def sell_title(play: SjPlay, seat: int, action: a.SellTitle) -> None:
    """Offer a title to a player, or to a banker's seat (SJG-10)."""
    terms = SaleTerms(square=action.square, seller=seat, buyer=action.buyer, price=action.price)
    _propose(play, seat, action.buyer, terms, action.prompt)


def bid_for_title(play: SjPlay, seat: int, action: a.BidForTitle) -> None:
    """Offer to buy a title from its holder (SJG-10)."""
    holder = play.state.titles[action.square].holder
    terms = SaleTerms(square=action.square, seller=holder, buyer=seat, price=action.price)
    _propose(play, seat, holder, terms, action.prompt)


def request_loan(play: SjPlay, seat: int, action: a.RequestLoan) -> None:
    """Ask a player, or a banker's seat, for a loan (SJG-13 to SJG-16)."""
    if not action.lender and (refusal := loans.why_not_bank(play.state, seat)):
        raise play.refusal(refusal.code, refusal.detail, refusal.field)
    terms = LoanTerms(
        borrower=seat, lender=action.lender, principal=action.principal, pct=action.pct, term=action.term
    )
    _propose(play, seat, action.lender, terms, action.prompt)


def propose_agreement(play: SjPlay, seat: int, action: a.ProposeAgreement) -> None:
    """Propose an agreement to another seat (SJG-31)."""
    _propose(play, seat, action.party, AgreementTerms(text=action.text, payments=action.payments), action.prompt)


def _propose(play: SjPlay, by: int, to: int, terms: AnyTerms, prompt: str) -> None:
    _refuse(play, why_not(play.state, by, to, terms) or offers.why_no_room(play.state, by))
    window = prompt if prompt == window_of(play.state, by) else ""
    offers.make(play, by=by, to=to, terms=terms, window=window)


def _refuse(play: SjPlay, refusal: Refusal | None) -> None:
    if refusal:
        raise play.refusal(refusal.code, refusal.detail, refusal.field)


def accept(play: SjPlay, _seat: int, action: a.AcceptOffer) -> None:
    """Agree to an offer: it is carried out at once."""
    offer = play.state.deals.offers[action.offer]
    _refuse(play, why_not_accept(play.state, offer))
    offers.end(play, offer, "accepted")
    carry_out(play, offer)
    drop_moot(play)


def carry_out(play: SjPlay, offer: Offer) -> None:
    """Do what two sides agreed on."""
    terms = offer.terms
    if isinstance(terms, SaleTerms):
        sales.sell(play, terms)
    elif isinstance(terms, LoanTerms):
        loans.grant(play, terms)
    else:
        agreements.agree(play, offer.parties(), terms)


def drop_moot(play: SjPlay) -> None:
    """End offers that have become impossible for good: the title is elsewhere, the place for a loan is taken."""
    for offer in list(play.state.deals.offers.values()):
        if _is_moot(play.state, offer.terms):
            offers.end(play, offer, "void")


def _is_moot(state: State, terms: AnyTerms) -> bool:
    if isinstance(terms, SaleTerms):
        return state.titles[terms.square].holder != terms.seller
    return isinstance(terms, LoanTerms) and loans.why_no_place(state, terms.borrower, terms.lender) is not None


def decline(play: SjPlay, _seat: int, action: a.DeclineOffer) -> None:
    """Turn an offer down."""
    offers.end(play, play.state.deals.offers[action.offer], "declined")


def withdraw(play: SjPlay, _seat: int, action: a.WithdrawOffer) -> None:
    """Take an offer back."""
    offers.end(play, play.state.deals.offers[action.offer], "withdrawn")


def counter_sale(play: SjPlay, _seat: int, action: a.CounterSale) -> None:
    """Answer with another price."""
    offer = play.state.deals.offers[action.offer]
    terms = offer.terms
    assert isinstance(terms, SaleTerms)
    _counter(play, offer, SaleTerms(square=terms.square, seller=terms.seller, buyer=terms.buyer, price=action.price))


def counter_loan(play: SjPlay, _seat: int, action: a.CounterLoan) -> None:
    """Answer with other terms: a lender sets them, a borrower says what she would take (SJG-14, SJG-16)."""
    offer = play.state.deals.offers[action.offer]
    terms = offer.terms
    assert isinstance(terms, LoanTerms)
    changed = LoanTerms(
        borrower=terms.borrower, lender=terms.lender, principal=action.principal, pct=action.pct, term=action.term
    )
    _counter(play, offer, changed)


def counter_agreement(play: SjPlay, _seat: int, action: a.CounterAgreement) -> None:
    """Answer with another text or other payments."""
    offer = play.state.deals.offers[action.offer]
    _counter(play, offer, AgreementTerms(text=action.text, payments=action.payments))


def _counter(play: SjPlay, offer: Offer, terms: AnyTerms) -> None:
    _refuse(play, why_not(play.state, offer.by, offer.to, terms) or offers.why_no_room(play.state, offer.to))
    offers.counter(play, offer, terms)


def sell_to_bank(play: SjPlay, seat: int, action: a.SellToBank) -> None:
    """Sell a title to the automatic bank at once (SJG-10)."""
    sales.sell_to_policy(play, seat, action.square)
    drop_moot(play)


def borrow_from_bank(play: SjPlay, seat: int, action: a.BorrowFromBank) -> None:
    """Borrow from the automatic bank at once, on its terms (SJG-13, SJG-14)."""
    loans.borrow_from_policy(play, seat, action.principal)
    drop_moot(play)


def repay_loan(play: SjPlay, _seat: int, action: a.RepayLoan) -> None:
    """Repay a loan before it is due, in full and at full price (SJG-14, SJG-16)."""
    loan = play.state.deals.loans[action.loan]
    loans.pay(play, loan.loan, loan.owed, reason="loan_repaid", rule=loan.rule)


def pay(play: SjPlay, seat: int, action: a.Pay) -> None:
    """Give somebody money, perhaps because a house rule asks for it (SJG-31)."""
    money.transfer(
        play,
        payer=seat_account(seat),
        payee=seat_account(action.to) if action.to else BANK,
        amount=action.amount,
        reason="payment",
        rule="SJG-31",
        ref=action.cites,
    )


def cancel_agreement(play: SjPlay, seat: int, action: a.CancelAgreement) -> None:
    """Ask for the end of an agreement."""
    agreements.cancel(play, seat, action.agreement)


def answer_for_bank(play: SjPlay, window: str, due: int) -> None:
    """Let the automatic policy answer what a banker's seat left open when a debt's deadline comes (SJG-9).

    A title is bought at what the policy pays, if that is what is asked or more, while the debt is not covered; a loan is
    made if the policy allows it and it covers the debt. The forced raise does the rest.

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
            _carry_out_by_policy(play, debtor, offer.terms)
            drop_moot(play)


def _policy_accepts(state: State, debtor: int, terms: AnyTerms, missing: int) -> bool:
    if isinstance(terms, LoanTerms):
        return missing <= terms.principal <= loans.bank_loan_cap(state, debtor)
    assert isinstance(terms, SaleTerms)
    return terms.price <= worth.resale_price(state, terms.square) and terms.square in worth.saleable(state, debtor)


def _carry_out_by_policy(play: SjPlay, debtor: int, terms: AnyTerms) -> None:
    if isinstance(terms, LoanTerms):
        loans.borrow_from_policy(play, debtor, terms.principal)
    else:
        assert isinstance(terms, SaleTerms)
        sales.sell_to_policy(play, debtor, terms.square)


