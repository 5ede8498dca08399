"""How offers, loans and agreements change the state."""

from msgspec.structs import replace

from events.social_justice import deals
from projections.evolve.play import Handlers
from projections.state.deals import Agreement, Loan, Offer, Refused, Schedule, subject_of
from projections.state.social_justice import SocialJusticeState as State


def offer_made(state: State, event: deals.OfferMade) -> None:
    """Terms are on the table."""
    offer = Offer(offer=event.offer, by=event.by, to=event.to, window=event.window, terms=event.terms)
    state.deals.offers[event.offer] = offer
    state.deals.last_offer = event.offer


def offer_ended(state: State, event: deals.OfferEnded) -> None:
    """Terms are off the table; what the bank declines in a raise-funds window is kept while that is open."""
    offer = state.deals.offers.pop(event.offer)
    if event.how == "declined" and offer.to == 0 and offer.window:
        kept = [refused for refused in state.deals.refused if refused.window in state.prompts]
        state.deals.refused = (*kept, Refused(offer.window, subject_of(offer.terms)))


def loan_granted(state: State, event: deals.LoanGranted) -> None:
    """A seat owes."""
    state.deals.loans[event.loan] = Loan(
        loan=event.loan, borrower=event.borrower, lender=event.lender, principal=event.principal, pct=event.pct,
        owed=event.amount, due=event.due, rule=event.rule,
    )  # fmt: skip
    state.deals.last_loan = event.loan


def loan_paid(state: State, event: deals.LoanPaid) -> None:
    """Less is owed; a loan on which nothing is left is gone."""
    loans = state.deals.loans
    if event.left:
        loans[event.loan] = replace(loans[event.loan], owed=event.left)
    else:
        del loans[event.loan]


def loan_written_off(state: State, event: deals.LoanWrittenOff) -> None:
    """The loan is no longer owed."""
    del state.deals.loans[event.loan]


def loan_inherited(state: State, event: deals.LoanInherited) -> None:
    """The estate is the creditor from here on."""
    loans = state.deals.loans
    loans[event.loan] = replace(loans[event.loan], estate=True)


def agreement_made(state: State, event: deals.AgreementMade) -> None:
    """Two are bound; own turns count from here on."""
    state.deals.agreements[event.agreement] = Agreement(
        agreement=event.agreement,
        parties=event.parties,
        text=event.text,
        payments=tuple(Schedule(terms=terms, since=state.citizens[terms.payer].own) for terms in event.payments),
    )
    state.deals.last_agreement = event.agreement


def scheduled_paid(state: State, event: deals.ScheduledPaid) -> None:
    """A scheduled payment has run once more."""
    agreements = state.deals.agreements
    agreement = agreements[event.agreement]
    payments = list(agreement.payments)
    payments[event.payment] = replace(payments[event.payment], done=event.time)
    agreements[event.agreement] = replace(agreement, payments=tuple(payments))


def cancel_asked(state: State, event: deals.CancelAsked) -> None:
    """One of the two wants it to end."""
    agreements = state.deals.agreements
    agreements[event.agreement] = replace(agreements[event.agreement], cancels=event.seat)


def agreement_ended(state: State, event: deals.AgreementEnded) -> None:
    """The two are no longer bound."""
    del state.deals.agreements[event.agreement]


HANDLERS: Handlers = {
    deals.OfferMade: offer_made,
    deals.OfferEnded: offer_ended,
    deals.LoanGranted: loan_granted,
    deals.LoanPaid: loan_paid,
    deals.LoanWrittenOff: loan_written_off,
    deals.LoanInherited: loan_inherited,
    deals.AgreementMade: agreement_made,
    deals.ScheduledPaid: scheduled_paid,
    deals.CancelAsked: cancel_asked,
    deals.AgreementEnded: agreement_ended,
}
