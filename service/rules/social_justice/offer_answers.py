"""Answers to offers, open at any time: accept, decline, counter; and taking one's own offer back (SJG-18a)."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from msgspec.structs import replace

from events.social_justice.deals import AgreementTerms, AnyTerms, LoanTerms, SaleTerms
from projections.state.deals import Offer
from service.rules import actions_deals as a
from service.rules.bounds import Bound, OneOf, Range
from service.rules.choice import ANY_TIME, Choice
from service.rules.social_justice import agreements, loans, offers
from service.rules.social_justice.dealing import conclude, why_not, why_not_accept
from service.rules.social_justice.offer_actions import PRICES, PRINCIPALS, TERMS
from service.rules.social_justice.shorthand import SjPlay, State
from service.rules.violations import Refusal

NO_OFFER = Refusal("no_offer", "No offer waits for this seat's answer.")


def _numbers(found: list[Offer]) -> dict[str, Bound]:
    return {"offer": OneOf([offer.offer for offer in found])}


def why_nothing_to_answer(state: State, seat: int) -> Refusal | None:
    """Return why there is nothing to answer."""
    return None if offers.made_to(state, seat) else NO_OFFER


def answer_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the offer to those that wait for an answer."""
    return _numbers(offers.made_to(state, seat))


def _objection(state: State, seat: int, number: int, side: Literal["to", "by"], whose: str) -> Refusal | None:
    offer = state.deals.offers.get(number)
    if offer is None:
        return Refusal("offer_gone", f"Offer {number} is not open (any more).", "offer")
    if getattr(offer, side) not in offers.acts_for(state, seat):
        return Refusal("not_your_offer", f"Offer {number} {whose}.", "offer")
    return None


def objection_to_answer(state: State, seat: int, action: a.OnOffer) -> Refusal | None:
    """Return why this offer is not this seat's to answer."""
    return _objection(state, seat, action.offer, "to", "waits for another seat's answer")


# Accept.


def acceptable(state: State, seat: int) -> list[Offer]:
    """List the offers that a seat could accept right now."""
    return [offer for offer in offers.made_to(state, seat) if not why_not_accept(state, offer)]


def why_nothing_to_accept(state: State, seat: int) -> Refusal | None:
    """Return why there is nothing to accept; of a single offer that waits, why not that one."""
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
    """Return why this offer cannot be accepted right now."""
    return objection_to_answer(state, seat, action) or why_not_accept(state, state.deals.offers[action.offer])


def accept(play: SjPlay, _seat: int, action: a.AcceptOffer) -> None:
    """Agree to an offer: it is carried out at once."""
    conclude(play, play.state.deals.offers[action.offer])


ACCEPT = Choice(a.AcceptOffer, ANY_TIME, accept, why_nothing_to_accept, accept_bounds, objection_to_accept)

# Decline, withdraw.


def decline(play: SjPlay, _seat: int, action: a.DeclineOffer) -> None:
    """Turn an offer down."""
    offers.end(play, play.state.deals.offers[action.offer], "declined")


def why_nothing_to_withdraw(state: State, seat: int) -> Refusal | None:
    """Return why there is nothing to take back."""
    return None if offers.made_by(state, seat) else Refusal("no_offer", "This seat has made no offer that is open.")


def withdraw_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the offer to one's own."""
    return _numbers(offers.made_by(state, seat))


def objection_to_withdraw(state: State, seat: int, action: a.WithdrawOffer) -> Refusal | None:
    """Return why this offer is not this seat's to take back."""
    return _objection(state, seat, action.offer, "by", "was made by another seat")


def withdraw(play: SjPlay, _seat: int, action: a.WithdrawOffer) -> None:
    """Take an offer back."""
    offers.end(play, play.state.deals.offers[action.offer], "withdrawn")


DECLINE = Choice(a.DeclineOffer, ANY_TIME, decline, why_nothing_to_answer, answer_bounds, objection_to_answer)
WITHDRAW = Choice(a.WithdrawOffer, ANY_TIME, withdraw, why_nothing_to_withdraw, withdraw_bounds, objection_to_withdraw)

# Counter.


def of_kind(state: State, seat: int, kind: type[AnyTerms]) -> list[Offer]:
    """List the offers of a kind that wait for a seat's answer."""
    return [offer for offer in offers.made_to(state, seat) if isinstance(offer.terms, kind)]


def answerable(state: State, seat: int, kind: type[AnyTerms]) -> list[Offer]:
    """List the offers of a kind that a seat could answer with other terms right now."""
    return [offer for offer in of_kind(state, seat, kind) if not _why_not_answer(state, offer)]


def _why_not_answer(state: State, offer: Offer) -> Refusal | None:
    """Return why no terms at all are possible: one side is in debt, or has no room for more."""
    return why_not(state, offer.by, offer.to, _mildest(offer.terms)) or offers.why_no_room(state, offer.to)


def _mildest(terms: AnyTerms) -> AnyTerms:
    """Return the terms on the same thing that nothing could be said against if anything is possible."""
    if isinstance(terms, LoanTerms):
        return replace(terms, pct=None)
    return AgreementTerms(text="any", payments=()) if isinstance(terms, AgreementTerms) else terms


def _why_nothing(kind: type[AnyTerms], state: State, seat: int) -> Refusal | None:
    """Return why no offer of a kind can be answered with other terms; where all have a reason, the first one's."""
    waiting = of_kind(state, seat, kind)
    if not waiting:
        return NO_OFFER
    return None if answerable(state, seat, kind) else _why_not_answer(state, waiting[0])


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
    """Return why these other terms are not possible."""
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


def _counter(
    record: type[a.Counter], kind: type[AnyTerms], bounds: Callable[[State, int], dict[str, Bound]], **more: Any
) -> Choice[State, SjPlay]:
    return Choice(record, ANY_TIME, counter, partial(_why_nothing, kind), bounds, objection_to_counter, **more)


COUNTER_SALE = _counter(a.CounterSale, SaleTerms, counter_sale_bounds)
COUNTER_LOAN = _counter(a.CounterLoan, LoanTerms, counter_loan_bounds)
COUNTER_AGREEMENT = _counter(a.CounterAgreement, AgreementTerms, counter_agreement_bounds, example=agreements.example)
