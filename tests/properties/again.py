"""Executing a recorded game again: the same actions on the recorded outcomes must give the same events."""

from collections.abc import Iterator
from itertools import groupby

import msgspec

from events.base import Envelope, Event
from events.play import ActionTaken, CardDrawn, DiceRolled
from projections import game as folding
from projections.state import PublicAssistanceState
from service.chance import RecordedDice
from service.rules import actions as a
from service.rules.decide import Command, decide


def differences(envelopes: list[Envelope[Event]]) -> Iterator[str]:
    """Find actions that lead to other events than those recorded."""
    state = folding.fold(envelopes[:1])
    for recorded in steps(envelopes[1:]):
        taken = recorded[0].data
        assert isinstance(taken, ActionTaken)
        command = Command(action_of(taken), taken.seat, recorded[0].actor, recorded[0].action, taken.received)
        decision = decide(state, command, recorded_dice(state, recorded), at=recorded[0].at)
        if decision.envelopes != recorded:
            yield f"{taken} at {recorded[0].version}"
        state = folding.fold(recorded, state)


def steps(envelopes: list[Envelope[Event]]) -> Iterator[list[Envelope[Event]]]:
    """Cut a stream into actions, each with what came of it."""
    number = 0

    def step(envelope: Envelope[Event]) -> int:
        nonlocal number
        number += isinstance(envelope.data, ActionTaken)
        return number

    for _, group in groupby(envelopes, key=step):
        yield list(group)


def action_of(taken: ActionTaken) -> a.AnyAction:
    """Read an action back from the stream."""
    params = {key: value for key, value in taken.params.items() if not key.startswith("options.")}
    options = {key.removeprefix("options."): value for key, value in taken.params.items() if key not in params}
    body = {"action": taken.name, **params}
    if taken.name == "set_options":
        body["options"] = options  # type: ignore[assignment] # the one parameter that is a table
    if taken.prompt:
        body["prompt"] = taken.prompt
    action: a.AnyAction = msgspec.convert(body, a.OpenAction if taken.name in OPEN else a.PlayAction)
    return action


OPEN = {"take_seat", "leave", "renew", "set_options", "ready", "start", "expire"}


def recorded_dice(state: PublicAssistanceState, recorded: list[Envelope[Event]]) -> RecordedDice:
    """Collect an action's outcomes: faces by coordinate, and the place of each card drawn among the unseen ones."""
    faces, picks = {}, {}
    for envelope in recorded:
        event = envelope.data
        if isinstance(event, DiceRolled):
            faces[event.coordinate] = event.faces
        elif isinstance(event, CardDrawn) and event.coordinate:
            unseen = state.decks[event.deck].unseen
            picks[event.coordinate] = sum(count for card, count in unseen.items() if card < event.card)
    return RecordedDice(faces, picks)
