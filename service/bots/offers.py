"""Offers between bots: whose answer one waits for, and what an answer looks like."""

from projections.evolve import AnyState
from projections.state.social_justice import SocialJusticeState
from service.bots.base import Json
from service.rules.social_justice import offers

ANSWERS = ("accept_offer", "counter_loan", "counter_sale", "counter_agreement", "decline_offer")
"""Actions that answer an offer; they are open outside one's own turn too."""


def waiting_seats(state: AnyState) -> list[int]:
    """List the seats that an offer waits for; none while a vote is open, when only ballots are taken (SJG-33)."""
    if not isinstance(state, SocialJusticeState) or not state.deals.offers:
        return []
    if any(prompt.kind == "ballot" for prompt in state.prompts.values()):
        return []
    return [seat for seat in state.alive() if offers.made_to(state, seat)]


def answers_bot(state: AnyState, seat: int) -> bool:
    """Return whether an offer of a bot waits for a seat."""
    if not isinstance(state, SocialJusticeState) or seat not in waiting_seats(state):
        return False
    sides = set().union(*(offers.acts_for(state, number) for number, other in state.seats.items() if other.bot))
    return any(offer.by in sides for offer in offers.made_to(state, seat))


def answers_of(actions: list[Json]) -> list[Json]:
    """Return the actions that answer an offer."""
    return [action for action in actions if action["name"] in ANSWERS]
