"""Actions that make an offer: a sale, a bid, a request for a loan, an agreement (SJG-10, SJG-13 to SJG-16, SJG-31)."""

from events.social_justice.deals import AgreementTerms, AnyTerms, LoanTerms, SaleTerms
from service.rules import actions_deals as a
from service.rules.bounds import Bound, OneOf, OrNone, Range
from service.rules.choice import Choice
from service.rules.social_justice import agreements, loans, money, offers, sales, worth
from service.rules.social_justice.dealing import why_not
from service.rules.social_justice.shorthand import OWN_TURN, SELL_OR_BORROW, SjPlay, State
from service.rules.violations import Refusal

PRICES = Range(1, sales.MOST_PRICE)
PRINCIPALS = Range(1, loans.MOST_PRINCIPAL)
TERMS = Range(1, loans.MOST_TERM)


def _objection(state: State, seat: int, to: int, terms: AnyTerms) -> Refusal | None:
    if to == seat:
        return Refusal("not_with_oneself", "A deal takes two.")
    return why_not(state, seat, to, terms)


def _propose(play: SjPlay, seat: int, to: int, terms: AnyTerms, prompt: str) -> None:
    window = money.window_of(play.state, seat)
    offers.make(play, by=seat, to=to, terms=terms, window=prompt if window else "")


def partners(state: State, seat: int) -> list[int]:
    """List the other seats that may bind themselves right now: all in the game but a debtor (SJG-9)."""
    return [other for other in state.alive() if other != seat and not money.window_of(state, other)]


def why_nothing_to_sell(state: State, seat: int) -> Refusal | None:
    """Return why a seat has no title to sell."""
    if not worth.titles_of(state, seat):
        return Refusal("no_title", "This seat holds no title.")
    return None


# A sale by its holder.


def why_not_offer_sale(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not offer a title right now."""
    return why_nothing_to_sell(state, seat) or offers.why_no_room(state, seat) or _why_nobody(_buyers(state, seat))


def _buyers(state: State, seat: int) -> list[int]:
    return [*partners(state, seat), *([] if loans.bank_is_automatic_for(state, seat) else [0])]


def _why_nobody(others: list[int]) -> Refusal | None:
    return None if others else Refusal("nobody_to_ask", "There is nobody to make a deal with right now.")


def sale_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound title, buyer and price."""
    return {"square": OneOf(worth.titles_of(state, seat)), "buyer": OneOf(_buyers(state, seat)), "price": PRICES}


def _sale(seat: int, action: a.SellTitle) -> SaleTerms:
    return SaleTerms(square=action.square, seller=seat, buyer=action.buyer, price=action.price)


def objection_to_sale(state: State, seat: int, action: a.SellTitle) -> Refusal | None:
    """Return why these terms of a sale are not possible."""
    if not action.buyer and loans.bank_is_automatic_for(state, seat):
        return Refusal("bank_is_automatic", "The automatic bank buys at once: see sell_to_bank.", "buyer")
    return _objection(state, seat, action.buyer, _sale(seat, action))


def sell_title(play: SjPlay, seat: int, action: a.SellTitle) -> None:
    """Offer a title to a player, or to a banker's seat (SJG-10)."""
    _propose(play, seat, action.buyer, _sale(seat, action), action.prompt)


SELL_TITLE = Choice(a.SellTitle, SELL_OR_BORROW, sell_title, why_not_offer_sale, sale_bounds, objection_to_sale)

# A bid for another's title.


def _others_titles(state: State, seat: int) -> list[int]:
    return [square for other in partners(state, seat) for square in worth.titles_of(state, other)]


def why_not_bid(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not bid for a title right now."""
    if not _others_titles(state, seat):
        return Refusal("no_title", "No other player holds a title.")
    return offers.why_no_room(state, seat)


def bid_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound title and price."""
    return {"square": OneOf(sorted(_others_titles(state, seat))), "price": PRICES}


def objection_to_bid(state: State, seat: int, action: a.BidForTitle) -> Refusal | None:
    """Return why a bid is not possible."""
    title = state.titles.get(action.square)
    if title is None or title.holder in (0, seat):
        return Refusal("not_anothers_title", "No other player holds a title of this square.", "square")
    return _objection(state, seat, title.holder, _bid(state, seat, action))


def _bid(state: State, seat: int, action: a.BidForTitle) -> SaleTerms:
    holder = state.titles[action.square].holder
    return SaleTerms(square=action.square, seller=holder, buyer=seat, price=action.price)


def bid_for_title(play: SjPlay, seat: int, action: a.BidForTitle) -> None:
    """Offer to buy a title from its holder (SJG-10)."""
    terms = _bid(play.state, seat, action)
    _propose(play, seat, terms.seller, terms, action.prompt)


BID_FOR_TITLE = Choice(a.BidForTitle, OWN_TURN, bid_for_title, why_not_bid, bid_bounds, objection_to_bid)

# A request for a loan.


def _lenders(state: State, seat: int) -> list[int]:
    lenders = [other for other in partners(state, seat) if not loans.why_no_place(state, seat, other)]
    banker = not loans.bank_is_automatic_for(state, seat) and not loans.why_not_bank(state, seat)
    return [*lenders, *([0] if banker else [])]


def why_not_request(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not ask for a loan right now."""
    if not _lenders(state, seat):
        return Refusal("no_lender", "Nobody can be asked for another loan (SJG-11 to SJG-15).")
    return offers.why_no_room(state, seat)


def loan_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound lender, principal, and the terms that a borrower may wish for."""
    rates = Range(0, loans.most_pct(state))
    lenders = OneOf(_lenders(state, seat))
    return {"lender": lenders, "principal": PRINCIPALS, "pct": OrNone(rates), "term": OrNone(TERMS)}


def _request(seat: int, action: a.RequestLoan) -> LoanTerms:
    return LoanTerms(borrower=seat, lender=action.lender, principal=action.principal, pct=action.pct, term=action.term)


def objection_to_request(state: State, seat: int, action: a.RequestLoan) -> Refusal | None:
    """Return why this request is not possible; the role is tested now and never later (SJG-13, SJG-15)."""
    if not action.lender:
        if loans.bank_is_automatic_for(state, seat):
            return Refusal("bank_is_automatic", "The automatic bank lends at once: see borrow_from_bank.", "lender")
        if refusal := loans.why_not_bank(state, seat):
            return refusal
    return _objection(state, seat, action.lender, _request(seat, action))


def request_loan(play: SjPlay, seat: int, action: a.RequestLoan) -> None:
    """Ask a player, or a banker's seat, for a loan."""
    _propose(play, seat, action.lender, _request(seat, action), action.prompt)


REQUEST_LOAN = Choice(a.RequestLoan, SELL_OR_BORROW, request_loan, why_not_request, loan_bounds, objection_to_request)

# An agreement.


def why_not_propose_agreement(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not propose an agreement right now."""
    refusal = offers.why_no_room(state, seat) or agreements.why_no_party(state, seat)
    return refusal or _why_nobody(_others_to_agree(state, seat))


def _others_to_agree(state: State, seat: int) -> list[int]:
    return [other for other in partners(state, seat) if not agreements.why_no_party(state, other)]


def agreement_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the other side."""
    return {"party": OneOf(_others_to_agree(state, seat))}


def objection_to_agreement(state: State, seat: int, action: a.ProposeAgreement) -> Refusal | None:
    """Return why this agreement is not possible."""
    return _objection(state, seat, action.party, AgreementTerms(text=action.text, payments=action.payments))


def propose_agreement(play: SjPlay, seat: int, action: a.ProposeAgreement) -> None:
    """Propose an agreement to another seat."""
    terms = AgreementTerms(text=action.text, payments=action.payments)
    _propose(play, seat, action.party, terms, action.prompt)


PROPOSE_AGREEMENT = Choice(
    a.ProposeAgreement,
    OWN_TURN,
    propose_agreement,
    why_not_propose_agreement,
    agreement_bounds,
    objection_to_agreement,
    agreements.example,
)
