"""Answers to offers, open at any time: accept, decline, counter; and taking one's own offer back (SJG-18a)."""

from msgspec.structs import replace

from events.social_justice.deals import AgreementTerms, AnyTerms, LoanTerms, SaleTerms
from projections.state.deals import Offer
from service.rules import actions_deals as a
from service.rules.bounds import Bound, OneOf, Range
from service.rules.social_justice import loans, offers
from service.rules.social_justice.dealing import conclude, why_not, why_not_accept
from service.rules.social_justice.proposing import PRICES, PRINCIPALS, TERMS
from service.rules.social_justice.table import SjPlay, State
from service.rules.violations import Refusal

NO_OFFER = Refusal("no_offer", "No offer waits for this seat's answer.")


def _numbers(found: list[Offer]) -> dict[str, Bound]:
    return {"offer": OneOf([offer.offer for offer in found])}


def why_nothing_to_answer(state: State, seat: int) -> Refusal | None:
    """Say why there is nothing to answer."""
    return None if offers.made_to(state, seat) else NO_OFFER


def answer_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the offer to those that wait for an answer."""
    return _numbers(offers.made_to(state, seat))


def objection_to_answer(state: State, seat: int, action: a.OnOffer) -> Refusal | None:
    """Say why this offer is not this seat's to answer."""
    offer = state.deals.offers.get(action.offer)
    if offer is None:
        return Refusal("offer_gone", f"Offer {action.offer} is not open (any more).", "offer")
    if offer.to not in offers.acts_for(state, seat):
        return Refusal("not_your_offer", f"Offer {action.offer} waits for somebody else's answer.", "offer")
    return None


# Accept.


def acceptable(state: State, seat: int) -> list[Offer]:
    """List the offers that a seat could accept right now."""
    return [offer for offer in offers.made_to(state, seat) if not why_not_accept(state, offer)]


def why_nothing_to_accept(state: State, seat: int) -> Refusal | None:
    """Say why there is nothing to accept; of a single offer that waits, why not that one."""
    waiting = offers.made_to(state, seat)
    if not waiting:
        return NO_OFFER
    if acceptable(state, seat):
        return None
    if len(waiting) == 1:
        return why_not_accept(state, waiting[0])
    return Refusal("none_acceptable", "None of the offers that wait can be accepted right now.")


def accept_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the offer to those that can be accepted right now."""
    return _numbers(acceptable(state, seat))


def objection_to_accept(state: State, seat: int, action: a.AcceptOffer) -> Refusal | None:
    """Say why this offer cannot be accepted right now."""
    return objection_to_answer(state, seat, action) or why_not_accept(state, state.deals.offers[action.offer])


def accept(play: SjPlay, _seat: int, action: a.AcceptOffer) -> None:
    """Agree to an offer: it is carried out at once."""
    conclude(play, play.state.deals.offers[action.offer])


# Decline, withdraw.


def decline(play: SjPlay, _seat: int, action: a.DeclineOffer) -> None:
    """Turn an offer down."""
    offers.end(play, play.state.deals.offers[action.offer], "declined")


def why_nothing_to_withdraw(state: State, seat: int) -> Refusal | None:
    """Say why there is nothing to take back."""
    return None if offers.made_by(state, seat) else Refusal("no_offer", "This seat has made no offer that is open.")


def withdraw_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the offer to one's own."""
    return _numbers(offers.made_by(state, seat))


def objection_to_withdraw(state: State, seat: int, action: a.WithdrawOffer) -> Refusal | None:
    """Say why this offer is not this seat's to take back."""
    offer = state.deals.offers.get(action.offer)
    if offer is None:
        return Refusal("offer_gone", f"Offer {action.offer} is not open (any more).", "offer")
    if offer.by not in offers.acts_for(state, seat):
        return Refusal("not_your_offer", f"Offer {action.offer} was made by somebody else.", "offer")
    return None


def withdraw(play: SjPlay, _seat: int, action: a.WithdrawOffer) -> None:
    """Take an offer back."""
    offers.end(play, play.state.deals.offers[action.offer], "withdrawn")


# Counter.


def of_kind(state: State, seat: int, kind: type[AnyTerms]) -> list[Offer]:
    """List the offers of a kind that wait for a seat's answer."""
    return [offer for offer in offers.made_to(state, seat) if isinstance(offer.terms, kind)]


def answerable(state: State, seat: int, kind: type[AnyTerms]) -> list[Offer]:
    """List the offers of a kind that a seat could answer with other terms right now."""
    return [offer for offer in of_kind(state, seat, kind) if not _why_not_answer(state, offer)]


def _why_not_answer(state: State, offer: Offer) -> Refusal | None:
    """Say why no terms at all are possible: one side is in debt, or has no room for more."""
    return why_not(state, offer.by, offer.to, _mildest(offer.terms)) or offers.why_no_room(state, offer.to)


def _mildest(terms: AnyTerms) -> AnyTerms:
    """Give the terms on the same thing that nothing could be said against if anything is possible."""
    if isinstance(terms, LoanTerms):
        return replace(terms, pct=None)
    return AgreementTerms(text="any", payments=()) if isinstance(terms, AgreementTerms) else terms


def _why_nothing(state: State, seat: int, kind: type[AnyTerms]) -> Refusal | None:
    """Say why no offer of a kind can be answered with other terms; where all have a reason, the first one's."""
    waiting = of_kind(state, seat, kind)
    if not waiting:
        return NO_OFFER
    return None if answerable(state, seat, kind) else _why_not_answer(state, waiting[0])


def why_not_counter_sale(state: State, seat: int) -> Refusal | None:
    """Say why there is no offer of a sale to answer."""
    return _why_nothing(state, seat, SaleTerms)


def why_not_counter_loan(state: State, seat: int) -> Refusal | None:
    """Say why there is no loan to answer."""
    return _why_nothing(state, seat, LoanTerms)


def why_not_counter_agreement(state: State, seat: int) -> Refusal | None:
    """Say why there is no proposed agreement to answer."""
    return _why_nothing(state, seat, AgreementTerms)


def counter_sale_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound offer and price."""
    return {**_numbers(answerable(state, seat, SaleTerms)), "price": PRICES}


def counter_loan_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound offer and terms."""
    rates = Range(0, loans.most_pct(state))
    return {**_numbers(answerable(state, seat, LoanTerms)), "principal": PRINCIPALS, "pct": rates, "term": TERMS}


def counter_agreement_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the offer."""
    return _numbers(answerable(state, seat, AgreementTerms))


def _changed(terms: AnyTerms, action: a.Counter) -> AnyTerms | None:
    """Put an answer's terms in place of an offer's; None when they are of another kind."""
    if isinstance(action, a.CounterSale) and isinstance(terms, SaleTerms):
        return SaleTerms(square=terms.square, seller=terms.seller, buyer=terms.buyer, price=action.price)
    if isinstance(action, a.CounterLoan) and isinstance(terms, LoanTerms):
        return LoanTerms(
            borrower=terms.borrower, lender=terms.lender, principal=action.principal, pct=action.pct, term=action.term
        )
    if isinstance(action, a.CounterAgreement) and isinstance(terms, AgreementTerms):
        return AgreementTerms(text=action.text, payments=action.payments)
    return None


def objection_to_counter(state: State, seat: int, action: a.Counter) -> Refusal | None:
    """Say why these other terms are not possible."""
    if refusal := objection_to_answer(state, seat, action):
        return refusal
    offer = state.deals.offers[action.offer]
    terms = _changed(offer.terms, action)
    if terms is None:
        return Refusal("wrong_offer", f"Offer {action.offer} is about something else.", "offer")
    return why_not(state, offer.by, offer.to, terms) or offers.why_no_room(state, offer.to)


def counter(play: SjPlay, _seat: int, action: a.Counter) -> None:
    """Answer with other terms: another price, a lender's terms, another text (SJG-10, SJG-14, SJG-16, SJG-31)."""
    offer = play.state.deals.offers[action.offer]
    terms = _changed(offer.terms, action)
    assert terms is not None, "its objection was heard"
    offers.counter(play, offer, terms)
