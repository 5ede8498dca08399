"""Executing a recorded game again: the same actions must give the same events.

Pure: envelopes in, a difference out. Each action is decided on the state that the recorded events before it give, so
that one difference does not make a hundred. The dice are those recorded, unless other dice are given.
The result for a whole game, by which a change to the rules is judged, is one of four words (`classify`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal, TypeAlias, Union

import msgspec

from events import codec
from events.base import Envelope, Event
from events.forks import GameForked
from events.lobby import GameFinished, SecretRevealed
from events.play import ActionTaken, CardDrawn, DiceRolled
from projections.evolve import AnyState
from service.games.chance import NotRecorded, RecordedDice
from service.rules import actions as a
from service.rules.decide import Command, decide, parse
from service.rules.dice import Dice
from service.rules.violations import RuleViolation

Recorded: TypeAlias = Sequence[Envelope[Event]]
DiceOf: TypeAlias = Callable[[AnyState, Recorded], Dice]
"""Returns the dice of one action, from the state before it and what was recorded of it."""

Ending: TypeAlias = Literal["", "now ends", "no longer ends"]
"""What an action does to the game's end that it did not do when it was recorded."""

NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Difference:
    """An action that leads to other events than those recorded.

    Attributes:
        version: Version of the first event that differs; one after the action's last when there should be more.
        action: The action's name.
        recorded: The event that stands there, as canonical JSON; `nothing` where none does.
        executed: The event that the action gives there, as canonical JSON; or in words why it gives none.
        ending: Whether the game ends by this action where it did not, or the other way round.
    """

    version: int
    action: str
    recorded: str
    executed: str
    ending: Ending = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What executing a whole game again comes to.

    Attributes:
        outcome: The one word for it; an end that is gained or lost says more than that something differs.
        version: The first event that differs; 0 when none does.
    """

    outcome: Literal["same", "differs", "now ends", "no longer ends"]
    version: int = 0

    def __str__(self) -> str:
        return f"{self.outcome} at event {self.version}" if self.version else self.outcome


def recorded_dice(state: AnyState, recorded: Recorded) -> Dice:
    """Collect an action's outcomes: faces by coordinate, and the place of each card among those unseen then."""
    faces, picks = {}, {}
    unseen = {name: dict(deck.unseen) for name, deck in state.decks.items()}
    for event in (envelope.data for envelope in recorded):
        if isinstance(event, DiceRolled):
            faces[event.coordinate] = event.faces
        elif isinstance(event, CardDrawn) and event.coordinate:
            left = unseen[event.deck]
            picks[event.coordinate] = sum(count for card, count in left.items() if card < event.card)
            left[event.card] -= 1
    return RecordedDice(faces, picks)


def classify(differences: Iterable[Difference]) -> Verdict:
    """Sum up the differences of a game."""
    first = 0
    for difference in differences:
        if difference.ending:
            return Verdict(difference.ending, difference.version)
        first = first or difference.version
    return Verdict("differs", first) if first else Verdict("same")


def differs(state: AnyState, recorded: Recorded, dice_of: DiceOf = recorded_dice) -> Difference | None:
    """Decide one recorded action again; return the first difference. Never raises, even for bad data.

    Args:
        state: The game right before it, which is left as it is.
        recorded: The action and all that came of it.
        dice_of: Its dice.
    """
    first = recorded[0]
    if isinstance(first.data, GameForked):  # not an action: there is nothing to decide
        return None
    if not isinstance(first.data, ActionTaken):
        return Difference(first.version, "", _words(first), "no action that it could come of")
    expected = [envelope for envelope in recorded if not isinstance(envelope.data, SecretRevealed)]
    executed, why = _executed(state, recorded, first.data, dice_of)
    for version, (was, is_now) in enumerate(zip_longest(expected, executed), first.version):
        if was != is_now and _words(was) != _words(is_now):  # a list that was read is one, decided on it is a tuple
            executed_words = _words(is_now) if is_now else why
            return Difference(version, first.data.name, _words(was), executed_words, _ending(expected, executed))
    return None


def _ending(expected: Recorded, executed: Recorded) -> Ending:
    ended, ends = (any(isinstance(e.data, GameFinished) for e in events) for events in (expected, executed))
    return "" if ended == ends else "now ends" if ends else "no longer ends"


def _executed(
    state: AnyState, recorded: Recorded, taken: ActionTaken, dice_of: DiceOf
) -> tuple[list[Envelope[Event]], str]:
    """Decide an action again; return its events, or none and why. Never raises, even for bad data."""
    first = recorded[0]
    try:
        command = Command(action_of(taken), taken.seat, first.actor, first.action, taken.received)
        return decide(state, command, dice_of(state, recorded), at=first.at).envelopes, NOTHING
    except RuleViolation as violation:
        return [], f"a refusal: {violation.refusal.code}"
    except NotRecorded as missing:
        return [], f"an outcome at {missing.coordinate}, where none is recorded"
    except Exception:  # bad data may raise anything
        return [], "nothing that could be decided: the action does not fit the game before it"


def action_of(taken: ActionTaken) -> a.AnyAction:
    """Read an action back from the stream; typed-in text is its digest there, and in the action.

    Raises:
        msgspec.ValidationError: It is no action of any rulebook.
    """
    body: dict[str, Any] = {key: value for key, value in taken.params.items() if not key.startswith(OPTION)}
    if taken.name == "set_options":
        options = ((key, value) for key, value in taken.params.items() if key.startswith(OPTION))
        body["options"] = {key.removeprefix(OPTION): value for key, value in options}  # a value may be a list
    if taken.prompt:
        body["prompt"] = taken.prompt
    read = _open.decode if taken.name in OPEN else parse
    return read(msgspec.json.encode({"action": taken.name, **body}))  # `convert` takes a hundred times longer


OPTION = "options."
OPEN = frozenset(a.name_of(kind) for kind in a.Open.__subclasses__())
_open: msgspec.json.Decoder[a.AnyAction] = msgspec.json.Decoder(Union[tuple(a.Open.__subclasses__())])  # noqa: UP007 # of what is found


def _words(envelope: Envelope[Event] | None) -> str:
    return codec.encode(envelope).decode() if envelope else NOTHING
