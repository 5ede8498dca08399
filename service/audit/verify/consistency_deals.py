"""Whether the events of money between people repeat what is true before them; see `consistency`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from events.base import Envelope, Event
from events.social_justice.deals import (
    AgreementEnded,
    AgreementMade,
    CancelAsked,
    LoanGranted,
    LoanInherited,
    LoanPaid,
    LoanWrittenOff,
    OfferEnded,
    OfferMade,
    ScheduledPaid,
)
from projections.ledger.books import Books
from projections.state.social_justice import SocialJusticeState as State

Claims: TypeAlias = Iterator[tuple[str, object, object]]


def _offered(state: State, _books: Books, envelope: Envelope[OfferMade]) -> Claims:
    event = envelope.data
    yield "offer", state.deals.last_offer + 1, event.offer
    yield "another side, that is", True, event.by != event.to
    if event.window:
        yield f"an open prompt {event.window}, that is", True, event.window in state.prompts


def _offer_ended(state: State, _books: Books, envelope: Envelope[OfferEnded]) -> Claims:
    yield f"an open offer {envelope.data.offer}, that is", True, envelope.data.offer in state.deals.offers


def _granted(state: State, _books: Books, envelope: Envelope[LoanGranted]) -> Claims:
    event = envelope.data
    yield "loan", state.deals.last_loan + 1, event.loan
    yield "what is due", event.principal + event.principal * event.pct // 100, event.amount
    yield "the own turn it is due at", state.citizens[event.borrower].own + event.term, event.due


def _less(state: State, _books: Books, envelope: Envelope[LoanPaid] | Envelope[LoanWrittenOff]) -> Claims:
    event = envelope.data
    loan = state.deals.loans[event.loan]
    yield "borrower, lender, estate", (loan.borrower, loan.lender, loan.estate), _sides(event)
    left = event.left if isinstance(event, LoanPaid) else 0
    yield "what is owed", loan.owed, event.amount + left


def _sides(event: LoanPaid | LoanWrittenOff) -> tuple[int, int, bool]:
    return event.borrower, event.lender, event.estate


def _inherited(state: State, _books: Books, envelope: Envelope[LoanInherited]) -> Claims:
    event = envelope.data
    loan = state.deals.loans[event.loan]
    yield "borrower and lender", (loan.borrower, loan.lender), (event.borrower, event.lender)
    yield "a living lender, that is", False, loan.estate
    yield "what is owed", loan.owed, event.amount


def _agreed(state: State, _books: Books, envelope: Envelope[AgreementMade]) -> Claims:
    event = envelope.data
    yield "agreement", state.deals.last_agreement + 1, event.agreement
    yield "another side, that is", True, event.parties[0] != event.parties[1]


def _scheduled(state: State, _books: Books, envelope: Envelope[ScheduledPaid]) -> Claims:
    event = envelope.data
    schedule = state.deals.agreements[event.agreement].payments[event.payment]
    yield "time", schedule.done + 1, event.time
    yield "what was agreed on", schedule.terms.amount, event.due
    yield "no more than that, that is", True, event.paid <= event.due


def _of_agreement(state: State, _books: Books, envelope: Envelope[CancelAsked] | Envelope[AgreementEnded]) -> Claims:
    number = envelope.data.agreement
    yield f"an agreement {number} in force, that is", True, number in state.deals.agreements


CHECKS: Mapping[type[Event], Callable[[Any, Books, Any], Claims]] = {
    AgreementEnded: _of_agreement,
    AgreementMade: _agreed,
    CancelAsked: _of_agreement,
    LoanGranted: _granted,
    LoanInherited: _inherited,
    LoanPaid: _less,
    LoanWrittenOff: _less,
    OfferEnded: _offer_ended,
    OfferMade: _offered,
    ScheduledPaid: _scheduled,
}
