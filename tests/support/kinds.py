"""Which of the two games a state is of, for tests that know, and what may happen in each."""

from events import clocks, forks
from events.base import Event
from events.catalogue import TYPES
from events.lobby import GameCreated
from projections.evolve import HANDLERS, AnyState
from projections.state.public_assistance import PublicAssistanceState
from projections.state.social_justice import SocialJusticeState

OF_PUBLIC_ASSISTANCE: set[type[Event]] = {GameCreated, *HANDLERS[PublicAssistanceState]}
OF_SOCIAL_JUSTICE: set[type[Event]] = {GameCreated, *HANDLERS[SocialJusticeState]}
OUTSIDE = {kind for kind in TYPES.values() if kind.__module__ in {clocks.__name__, forks.__name__}}
"""Time, presence and forks: what no rule of either game gives."""


def pa(state: AnyState) -> PublicAssistanceState:
    """Return a state of Public Assistance."""
    assert isinstance(state, PublicAssistanceState)
    return state


def sjg(state: AnyState) -> SocialJusticeState:
    """Return a state of The Social Justice Game."""
    assert isinstance(state, SocialJusticeState)
    return state
