"""Agreements of two: a text without automatic effect, and payments that run by themselves (SJG-31)."""

from typing import Any

from events.base import seat_account
from events.social_justice.deals import (
    AgreementEnded,
    AgreementMade,
    AgreementTerms,
    CancelAsked,
    ScheduledPaid,
    ScheduledPayment,
)
from events.social_justice.tasks import Scheduled
from projections.state.deals import Agreement, Schedule
from service.rules import actions_deals as a
from service.rules.bounds import Bound, OneOf
from service.rules.choice import ANY_TIME, Choice
from service.rules.social_justice import money
from service.rules.social_justice.shorthand import SjPlay, State, cash_of
from service.rules.violations import Refusal

MOST_IN_FORCE = 10
"""Technical bound on the agreements of one seat."""


def why_not_agree(state: State, parties: tuple[int, int], terms: AgreementTerms) -> Refusal | None:
    """Return why two seats cannot agree on this right now."""
    if not (terms.text or terms.payments):
        return Refusal("empty_agreement", "An agreement has a text, scheduled payments, or both (SJG-31).", "payments")
    for payment in terms.payments:
        if {payment.payer, payment.payee} != set(parties):
            return Refusal("not_between_two", "A scheduled payment goes from one of the two to the other.", "payments")
        if payment.when == "payday" and payment.every > 1:
            return Refusal("each_payday", "A payment at paydays runs on each of them (SJG-31).", "payments")
    return next(filter(None, (why_no_party(state, seat) for seat in parties)), None)


def why_no_party(state: State, seat: int) -> Refusal | None:
    """Return why a seat cannot bind itself right now."""
    if seat not in state.alive():
        return Refusal("not_in_game", f"Seat {seat} is not in the game.", "party")
    if money.window_of(state, seat):
        return Refusal("in_debt", f"Seat {seat} has a debt to meet first (SJG-9).")
    if len(agreements_of(state, seat)) >= MOST_IN_FORCE:
        return Refusal("too_many_agreements", f"A seat has at most {MOST_IN_FORCE} agreements.")
    return None


def example(_state: State, _seat: int) -> dict[str, Any]:
    """Return the terms of an agreement that is possible."""
    return {"text": "We help each other.", "payments": []}


def agreements_of(state: State, seat: int) -> list[Agreement]:
    """List the agreements in force of a seat, oldest first."""
    return [agreement for agreement in state.deals.agreements.values() if seat in agreement.parties]


def agree(play: SjPlay, parties: tuple[int, int], terms: AgreementTerms) -> None:
    """Bind the two; own turns of the payers count from here on."""
    number = play.state.deals.last_agreement + 1
    play.record(AgreementMade(agreement=number, parties=parties, text=terms.text, payments=terms.payments))


def pay_scheduled(play: SjPlay, task: Scheduled) -> None:
    """Make the payments that a seat has to make now; none of them can put it in debt (SJG-31)."""
    when = "own_turn" if task.when == "turn" else "payday"
    for number, index in scheduled(play.state, task.seat, when):
        run_payment(play, number, index)


def scheduled(state: State, seat: int, when: str) -> list[tuple[int, int]]:
    """List the payments that a seat has to make now, as (agreement, payment), oldest first.

    Args:
        state: The state.
        seat: Who pays.
        when: `own_turn` at the start of the payer's own turn, after the due loans; `payday` after a payday's transfers.
    """
    own = state.citizens[seat].own
    return [
        (agreement.agreement, index)
        for agreement in agreements_of(state, seat)
        for index, schedule in enumerate(agreement.payments)
        if schedule.terms.payer == seat and schedule.terms.when == when and is_due(schedule, own)
    ]


def is_due(schedule: Schedule, own: int) -> bool:
    """Return whether a payment runs at this own turn of its payer, or at any payday."""
    in_step = schedule.terms.when == "payday" or (own - schedule.since) % schedule.terms.every == 0
    return in_step and schedule.left() > 0


def run_payment(play: SjPlay, number: int, index: int) -> None:
    """Pay what cash allows of a scheduled payment; the rest lapses (SJG-31)."""
    agreement = play.state.deals.agreements.get(number)
    if agreement is None:
        return
    schedule = agreement.payments[index]
    terms = schedule.terms
    paid = min(cash_of(play.state, terms.payer), terms.amount)
    _transfer(play, terms, paid, ref=f"agreement:{number}")
    play.record(ScheduledPaid(agreement=number, payment=index, time=schedule.done + 1, due=terms.amount, paid=paid))
    _end_if_complete(play, number)


def _transfer(play: SjPlay, terms: ScheduledPayment, amount: int, *, ref: str) -> None:
    payer, payee = seat_account(terms.payer), seat_account(terms.payee)
    play.move_cash(payer, payee, amount, reason="scheduled_payment", rule="SJG-31", ref=ref)


def _end_if_complete(play: SjPlay, number: int) -> None:
    """An agreement that was payments alone is over with the last of them; a text goes on until both cancel."""
    agreement = play.state.deals.agreements[number]
    if not agreement.text and not any(schedule.left() for schedule in agreement.payments):
        play.record(AgreementEnded(agreement=number, how="completed"))


def cancellable(state: State, seat: int) -> list[int]:
    """List the agreements that a seat has not yet asked to cancel."""
    return [agreement.agreement for agreement in agreements_of(state, seat) if agreement.cancels != seat]


def why_not_cancel(state: State, seat: int) -> Refusal | None:
    """Return why there is nothing to cancel."""
    if not agreements_of(state, seat):
        return Refusal("no_agreement", "This seat has no agreement.")
    if not cancellable(state, seat):
        return Refusal("already_asked", "The other of the two is to cancel now (SJG-31).")
    return None


def cancel_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the agreement."""
    return {"agreement": OneOf(cancellable(state, seat))}


def objection_to_cancel(state: State, seat: int, action: a.CancelAgreement) -> Refusal | None:
    """Return why this agreement is not this seat's to cancel."""
    agreement = state.deals.agreements.get(action.agreement)
    if agreement is None or seat not in agreement.parties:
        return Refusal("no_agreement", f"This seat has no agreement {action.agreement}.", "agreement")
    if agreement.cancels == seat:
        return Refusal("already_asked", "The other of the two is to cancel now (SJG-31).", "agreement")
    return None


def cancel(play: SjPlay, seat: int, action: a.CancelAgreement) -> None:
    """Ask for an agreement's end; it ends when both have (SJG-31)."""
    number = action.agreement
    asked_before = play.state.deals.agreements[number].cancels
    play.record(CancelAsked(agreement=number, seat=seat))
    if asked_before:
        play.record(AgreementEnded(agreement=number, how="cancelled"))


def end_all_of(play: SjPlay, seat: int) -> None:
    """End the agreements of a seat that is out (SJG-4b, SJG-31)."""
    for agreement in agreements_of(play.state, seat):
        play.record(AgreementEnded(agreement=agreement.agreement, how="party_out"))


CANCEL_AGREEMENT = Choice(a.CancelAgreement, ANY_TIME, cancel, why_not_cancel, cancel_bounds, objection_to_cancel)
