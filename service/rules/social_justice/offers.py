"""Offers as such: put on the table, taken off it, and whose answer they wait for (SJG-10, SJG-18a, SJG-86).

An offer is made in one's own turn or own raise-funds window and ends with it; the other side may answer at any time.
What an offer is about stands in `sales`, `loans` and `agreements`; what its acceptance does, in `dealing`.
"""

from typing import Literal, TypeAlias

from events.social_justice.deals import AnyTerms, OfferEnded, OfferMade
from projections.state.deals import Offer
from service.rules.social_justice.banker import banker_of
from service.rules.social_justice.shorthand import SjPlay, State
from service.rules.violations import Refusal

End: TypeAlias = Literal["accepted", "declined", "withdrawn", "countered", "expired", "void"]

MOST_OPEN = 20
"""Technical bound on the open offers of one side."""


def acts_for(state: State, seat: int) -> set[int]:
    """Return for whom a seat answers: itself, and the bank if it is the banker's seat."""
    return {seat, 0} if seat == banker_of(state) else {seat}


def made_to(state: State, seat: int) -> list[Offer]:
    """List the offers that wait for a seat's answer, oldest first."""
    sides = acts_for(state, seat)
    return [offer for offer in state.deals.offers.values() if offer.to in sides]


def made_by(state: State, seat: int) -> list[Offer]:
    """List the offers that a seat may withdraw, oldest first."""
    sides = acts_for(state, seat)
    return [offer for offer in state.deals.offers.values() if offer.by in sides]


def why_no_room(state: State, by: int) -> Refusal | None:
    """Return why a side may not make another offer."""
    if sum(offer.by == by for offer in state.deals.offers.values()) >= MOST_OPEN:
        return Refusal("too_many_offers", f"At most {MOST_OPEN} offers of one side may be open.")
    return None


def make(play: SjPlay, *, by: int, to: int, terms: AnyTerms, window: str) -> None:
    """Put terms on the table; they end with the raise-funds window, or with the turn where there is none."""
    _record(play, by=by, to=to, terms=terms, window=window, counters=0)


def counter(play: SjPlay, offer: Offer, terms: AnyTerms) -> None:
    """Answer an offer with other terms, which end when it would have ended."""
    end(play, offer, "countered")
    _record(play, by=offer.to, to=offer.by, terms=terms, window=offer.window, counters=offer.offer)


def _record(play: SjPlay, *, by: int, to: int, terms: AnyTerms, window: str, counters: int) -> None:
    number = play.state.deals.last_offer + 1
    play.record(OfferMade(offer=number, by=by, to=to, counters=counters, window=window, terms=terms))


def end(play: SjPlay, offer: Offer, how: End) -> None:
    """Take an offer off the table."""
    play.record(OfferEnded(offer=offer.offer, how=how))


def lapse(play: SjPlay, debtor: int = 0) -> None:
    """Expire offers (SJG-10, SJG-86).

    Args:
        play: The play.
        debtor: Whose raise-funds window has closed: what was offered under it ends. 0 at the end of a turn: all end.
    """
    for offer in list(play.state.deals.offers.values()):
        if not debtor or (offer.window and offer.window not in play.state.prompts):
            end(play, offer, "expired")


def end_all_of(play: SjPlay, seat: int) -> None:
    """End the offers and requests of a seat that is out, and those to the bank that waited for it as banker."""
    gone = acts_for(play.state, seat)
    for offer in list(play.state.deals.offers.values()):
        if gone & set(offer.parties()):
            end(play, offer, "void")
