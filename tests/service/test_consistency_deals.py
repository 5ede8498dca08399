"""The audit of money between people: true events repeat the state before them, changed ones betray themselves."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

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
    ScheduledPayment,
)
from projections import evolve as game
from projections.ledger.books import Books
from projections.state.social_justice import SocialJusticeState
from service.audit.verify.consistency_deals import CHECKS
from tests.scenarios.social_justice.dealers import NOW, ZERO, Step, ann, bob, cid
from tests.scenarios.social_justice.deals import Table, deals, lent, next_turn_of

CHANGES: dict[type[Event], list[dict[str, object]]] = {
    OfferMade: [{"offer": 9}, {"to": 1}, {"window": "p1"}],
    OfferEnded: [{"offer": 9}],
    LoanGranted: [{"loan": 9}, {"amount": 501}, {"principal": 401}, {"pct": 26}, {"due": 6}, {"term": 3}],
    LoanPaid: [{"amount": 499}, {"left": 1}, {"borrower": 3}, {"lender": 0}, {"estate": True}],
    LoanWrittenOff: [{"amount": 1}, {"borrower": 3}, {"lender": 0}, {"estate": True}],
    LoanInherited: [{"amount": 1}, {"borrower": 3}, {"lender": 3}],
    AgreementMade: [{"agreement": 9}, {"parties": (1, 1)}],
    ScheduledPaid: [{"time": 2}, {"due": 51}, {"paid": 60}],
    CancelAsked: [{"agreement": 9}],
    AgreementEnded: [{"agreement": 9}],
}
"""What is changed in an event, one thing at a time."""


def moments() -> Iterator[tuple[SocialJusticeState, Event]]:
    """Every event of money between people in one game, each with the state before it."""
    dues = ScheduledPayment(payer=1, payee=2, amount=50, when="own_turn", times=2)
    table = deals(ann="employee", bob="owner", cid="manager")
    yield from seen(table, ann.requests(bob, 400, 25, 2), bob.accepts(1), ann.proposes(bob, dues), bob.accepts(2))
    yield from seen(table, ann.ends_turn())
    next_turn_of(table, cid)
    yield from seen(table, cid.rolls(1), cid.buys_nothing(), cid.ends_turn())
    yield from seen(table, ann.repays(1), ann.cancels(1), bob.cancels(1), ann.requests(cid, 10, 0, 9), cid.accepts(3))
    yield from seen(table, ann.requests(bob, 900, 0, 9), bob.accepts(4), ann.pays(cid, 1300), bob.leaves())
    table = lent(deals(ann="employee", bob="owner", cid="manager")).when(ann.pays(cid, 1400))
    yield from seen(table, ann.leaves())


def seen(table: Table, *steps: Step) -> Iterator[tuple[SocialJusticeState, Event]]:
    for step in steps:
        state = table.state.copy()
        table.when(step)
        for event in table.events:
            assert isinstance(state, SocialJusticeState)
            if type(event) in CHECKS:
                yield state, event
            state = state.copy()
            game.HANDLERS[type(state)][type(event)](state, event)
            state.version += 1


def faults(state: SocialJusticeState, event: Event) -> list[str]:
    entry: Envelope[Event] = Envelope(
        version=state.version + 1, at=NOW, turn=state.turn, actor="seat:1", action=ZERO, data=event
    )  # fmt: skip
    claims = CHECKS[type(event)](state, Books(), entry)
    return [what for what, expected, found in claims if expected != found]


MOMENTS = list(moments())


def test_every_kind_is_met_and_true_events_pass() -> None:
    assert {type(event) for _, event in MOMENTS} == set(CHECKS) == set(CHANGES)
    assert [faults(state, event) for state, event in MOMENTS if faults(state, event)] == []


@pytest.mark.parametrize(
    ("kind", "change"), [(kind, change) for kind, changes in CHANGES.items() for change in changes]
)
def test_a_changed_event_betrays_itself(kind: type[Event], change: dict[str, object]) -> None:
    state, event = next((state, event) for state, event in MOMENTS if type(event) is kind)
    assert faults(state, replace(event, **change))
