"""Sentences for money between people: offers, loans and agreements."""

from events.social_justice import deals
from projections.timeline.scene import Scene, Sentences
from projections.timeline.words import counted, listed, money

_OFFER_ENDED = {
    "accepted": "is accepted",
    "declined": "is declined",
    "withdrawn": "is withdrawn",
    "countered": "is answered by another",
    "expired": "has lapsed",
    "void": "falls away",
}
_AGREEMENT_ENDED = {
    "cancelled": "both have cancelled it",
    "completed": "all of it is paid",
    "party_out": "one of the two is out",
}


def _party(seat: int, scene: Scene) -> str:
    return scene.who(seat) if seat else "the bank"


def _begin(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _offered(event: deals.OfferMade, scene: Scene) -> str:
    by, to = _party(event.by, scene), _party(event.to, scene)
    verb = "proposes to" if not event.counters else f"answers offer {event.counters} of"
    return _begin(f"{by} {verb} {to}: {_terms(event, scene)} (offer {event.offer}).")


def _terms(event: deals.OfferMade, scene: Scene) -> str:
    terms = event.terms
    if isinstance(terms, deals.SaleTerms):
        seller, buyer = _party(terms.seller, scene), _party(terms.buyer, scene)
        return f"{seller} sells {scene.square(terms.square)} to {buyer} for {money(terms.price)}"
    if isinstance(terms, deals.LoanTerms):
        lender, borrower = _party(terms.lender, scene), _party(terms.borrower, scene)
        return f"{lender} lends {borrower} {money(terms.principal)}{_conditions(terms)}"
    assert isinstance(terms, deals.AgreementTerms)
    return _pact(terms.text, terms.payments, scene)


def _conditions(terms: deals.LoanTerms) -> str:
    parts = ["" if terms.pct is None else f"at {terms.pct} %", "" if terms.term is None else _for(terms.term)]
    return "".join(f" {part}" for part in parts if part) or ", on terms that the lender sets"


def _for(term: int) -> str:
    return f"for {counted(term, 'turn')}"


def _pact(text: str, payments: tuple[deals.ScheduledPayment, ...], scene: Scene) -> str:
    parts = [_payment(payment, scene) for payment in payments]
    return listed([f"the words {scene.typed(text)}", *parts] if text else parts)


def _payment(payment: deals.ScheduledPayment, scene: Scene) -> str:
    who, to = scene.who(payment.payer), scene.who(payment.payee)
    step = "payday" if payment.when == "payday" else "own turn"
    each = f"every {payment.every} own turns" if payment.every > 1 else f"each {step}"
    return f"{who} pays {to} {money(payment.amount)} {each}, {counted(payment.times, 'time')}"


def _granted(event: deals.LoanGranted, scene: Scene) -> str:
    lent = f"{_party(event.lender, scene)} lends {scene.who(event.borrower)} {money(event.principal)}"
    owed = f"{money(event.amount)} are due on own turn {event.due}"
    return _begin(f"{lent} at {event.pct} % {_for(event.term)}: {owed} (loan {event.loan}; {event.rule}).")


def _loan_paid(event: deals.LoanPaid, scene: Scene) -> str:
    paid = f"{scene.who(event.borrower)} pays {money(event.amount)} on loan {event.loan}"
    return f"{paid}; {money(event.left)} are still owed." if event.left else f"{paid}, which is settled."


def _written_off(event: deals.LoanWrittenOff, scene: Scene) -> str:
    return f"What {scene.who(event.borrower)} owed on loan {event.loan} is written off: {money(event.amount)}."


def _inherited(event: deals.LoanInherited, scene: Scene) -> str:
    return f"Loan {event.loan} is owed to the estate of {scene.who(event.lender)} now."


def _agreed(event: deals.AgreementMade, scene: Scene) -> str:
    pact = _pact(event.text, event.payments, scene)
    return f"{scene.all(event.parties)} agree on {pact} (agreement {event.agreement})."


def _scheduled(event: deals.ScheduledPaid, _scene: Scene) -> str:
    short = f"; cash allowed {money(event.paid)}" if event.paid < event.due else ""
    payment = f"Payment {event.payment + 1} of agreement {event.agreement}"
    return f"{payment} is due for the time numbered {event.time}: {money(event.due)}{short}."


def _cancels(event: deals.CancelAsked, scene: Scene) -> str:
    return f"{scene.who(event.seat)} wants agreement {event.agreement} to end."


SENTENCES: Sentences = {
    deals.OfferMade: _offered,
    deals.OfferEnded: lambda e, _: f"Offer {e.offer} {_OFFER_ENDED[e.how]}.",
    deals.LoanGranted: _granted,
    deals.LoanPaid: _loan_paid,
    deals.LoanWrittenOff: _written_off,
    deals.LoanInherited: _inherited,
    deals.AgreementMade: _agreed,
    deals.ScheduledPaid: _scheduled,
    deals.CancelAsked: _cancels,
    deals.AgreementEnded: lambda e, _: f"Agreement {e.agreement} is over: {_AGREEMENT_ENDED[e.how]}.",
}
