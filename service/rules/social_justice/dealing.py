"""Deals whatever their kind: whether one is possible on given terms, and what it does when both sides agree."""

from events.social_justice.deals import AgreementTerms, AnyTerms, LoanTerms, SaleTerms
from projections.state.deals import Offer
from service.rules.social_justice import agreements, loans, offers, sales
from service.rules.social_justice.shorthand import SjPlay, State, cash_of
from service.rules.violations import Refusal


def why_not(state: State, by: int, to: int, terms: AnyTerms) -> Refusal | None:
    """Return why a deal on these terms is not possible between two sides, whatever cash there is."""
    if isinstance(terms, SaleTerms):
        return sales.why_not_sell(state, terms)
    if isinstance(terms, LoanTerms):
        return loans.why_not_lend(state, terms)
    return agreements.why_not_agree(state, (by, to), terms)


def why_not_accept(state: State, offer: Offer) -> Refusal | None:
    """Return why an offer cannot be accepted right now."""
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


def conclude(play: SjPlay, offer: Offer) -> None:
    """Carry an accepted offer out."""
    offers.end(play, offer, "accepted")
    terms = offer.terms
    if isinstance(terms, SaleTerms):
        sales.sell(play, terms)
    elif isinstance(terms, LoanTerms):
        loans.grant(play, terms)
    else:
        agreements.agree(play, offer.parties(), terms)


def drop_moot(play: SjPlay) -> None:
    """End offers that have become impossible for good: the title is elsewhere, the place for a loan is taken.

    Asked after every action, since a title is also taken over, sold for a debt or given back with an estate.
    """
    for offer in list(play.state.deals.offers.values()):
        if is_moot(play.state, offer.terms):
            offers.end(play, offer, "void")


def is_moot(state: State, terms: AnyTerms) -> bool:
    """Return whether terms cannot be agreed on any more."""
    if isinstance(terms, SaleTerms):
        return state.titles[terms.square].holder != terms.seller
    return isinstance(terms, LoanTerms) and loans.why_no_place(state, terms.borrower, terms.lender) is not None
