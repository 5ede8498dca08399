"""Executing a whole recorded game again: under its own rules, or, to judge a change to the rules, under others."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from events.base import Envelope, Event
from events.forks import GameForked
from events.play import ActionTaken
from projections import evolve as folding
from service.audit.execution import DiceOf, Difference, differs, recorded_dice
from service.errors import UnsupportedRules
from service.games.chance import SecretDice, inputs_of
from service.rules import versions


def dice_from(secret: bytes) -> DiceOf:
    """Return dice that follow from a game's secret, as they did when the game was played."""
    return lambda state, _recorded: SecretDice(secret, state.chance_of or state.game, inputs_of(state))


def execute(
    envelopes: Iterable[Envelope[Event]], dice_of: DiceOf = recorded_dice, *, rules: int | None = None
) -> Iterator[Difference]:
    """Decide every recorded action again; yield a difference for each whose events differ from those recorded.

    Args:
        envelopes: A game from its first event on; it may end after any action.
        dice_of: Dice of each action.
        rules: Version of the rules to execute under; None for the game's own.

    Raises:
        UnsupportedRules: This release does not hold that version.
        projections.evolve.UnknownEvent: The stream holds an event of a later release.
    """
    stream = iter(envelopes)
    state = folding.fold([next(stream)])
    own, rules = state.rules, rules or state.rules
    if rules not in versions.SUPPORTED:
        raise UnsupportedRules(f"This release does not hold rules {rules}, under which it is to be executed.")
    for recorded in steps(stream):
        state.rules = rules
        if (difference := differs(state, recorded, dice_of)) is not None:
            yield difference
        state.rules = own
        state = folding.fold(recorded, state)


def steps(envelopes: Iterable[Envelope[Event]]) -> Iterator[list[Envelope[Event]]]:
    """Cut a stream after its creation into actions, each with all its events."""
    number = 0

    def step(envelope: Envelope[Event]) -> int:
        nonlocal number
        number += isinstance(envelope.data, ActionTaken | GameForked)
        return number

    for _, group in groupby(envelopes, key=step):
        yield list(group)
