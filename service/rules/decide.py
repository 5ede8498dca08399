"""`decide`: from a state and an action to events, or to a refusal that leaves no trace.

This module checks who may act on what; the rules themselves stand in the modules of their subjects.
"""

from collections.abc import Callable, Mapping
from typing import Any, Union

import msgspec
from msgspec import Struct, field

from events.base import Envelope, Event
from events.play import ActionTaken
from projections.evolve import AnyState
from service.rules import absence, lobby, pauses
from service.rules import actions as a
from service.rules.choice import AnyChoice
from service.rules.dice import Dice, FirstDraw
from service.rules.play import Play
from service.rules.rulebooks import ACTIONS, Rules, rules_of
from service.rules.timing import last_moment
from service.rules.violations import Refusal, refuse

OPEN: Mapping[type[a.Open], Callable[[Play[Any], int, Any], None]] = {
    **lobby.HANDLERS,
    **pauses.HANDLERS,
    **absence.HANDLERS,
}
"""Everything around play but the clock's own action."""


class Command(Struct, frozen=True):
    """What is to be done, for a known caller.

    Attributes:
        action: What is to be done.
        seat: Who does it; 0 for the host, the clock or the system.
        actor: Who it is in the envelope, such as `seat:2` or `clock`.
        id: Action id: SHA-256 of scope and idempotency key, in hex.
        received: When the service received it (UTC, ms).
        texts: Typed-in text for the sidecar, by digest; nothing is decided by it.
    """

    action: a.AnyAction
    seat: int
    actor: str
    id: str
    received: int
    texts: Mapping[str, bytes] = field(default_factory=dict)


class Decision(Struct, frozen=True):
    """What a command leads to.

    Attributes:
        envelopes: Events ready for the stream.
        state: The state after them.
        stopped_at: Of a dry run: the draw that it stopped at; empty when it needed none.
    """

    envelopes: list[Envelope[Event]]
    state: AnyState
    stopped_at: str = ""


def decide(state: AnyState, command: Command, dice: Dice, *, at: int) -> Decision:
    """Decide an action on a copy of the state; the one given is untouched.

    Args:
        state: The game as it is.
        command: Who wants what.
        dice: Answers for chance.
        at: When it is recorded (UTC, ms); never before the state's own time.

    Raises:
        RuleViolation: It is not allowed; nothing happened, and no die was asked.
    """
    at = max(at, state.at)
    play = rules_of(state).play(state.copy(), dice, at=at, actor=command.actor, action=command.id)
    stopped_at = ""
    try:
        carry_out(play, command)
    except FirstDraw as draw:
        stopped_at = str(draw)
    return Decision(play.envelopes, play.state, stopped_at)


def carry_out(play: Play[Any], command: Command) -> None:
    """Carry an action out on a state that the caller gives away, and that keeps no stream.

    Raises:
        RuleViolation: It is not allowed; the play's state is spoilt.
    """
    rules, action = rules_of(play.state), command.action
    play.record(
        ActionTaken(
            seat=command.seat,
            name=a.name_of(action),
            prompt=getattr(action, "prompt", ""),
            params=a.params_of(action),
            received=command.received,
        )
    )
    if isinstance(action, a.Expire):
        expired = expire(play, action)
    elif isinstance(action, a.Open):
        OPEN[type(action)](play, command.seat, action)
    else:
        choice = choice_of(rules, action)
        if refusal := absence.why_not_kept(play.state, command.seat, command.actor):
            raise refuse(refusal.code, refusal.detail)
        check(play.state, command.seat, action, choice)
        _check_in_time(play.state, action, command.received)
        choice.act(play, command.seat, action)
    rules.conclude(play)
    if isinstance(action, a.Expire):
        absence.missed_one(play, expired)
    elif isinstance(action, a.Leave):
        absence.left_alone(play)


def choice_of(rules: Rules, action: a.PlayAction) -> AnyChoice:
    """Find what an action is in the rulebook that is played.

    Raises:
        RuleViolation: It is an action of the other rulebook.
    """
    choice = rules.choices.get(type(action))
    if choice is None:
        raise refuse("other_rulebook", f"There is no {a.name_of(action)} in this rulebook.", "action")
    return choice


def check(state: AnyState, seat: int, action: a.PlayAction, choice: AnyChoice) -> None:
    """Check that a seat may do this right now.

    Raises:
        RuleViolation: With the first reason why not.
    """
    refusal = (
        why_not_at_all(state, seat, choice)
        or _why_not_prompt(state, seat, action, choice)
        or choice.why_not(state, seat)
        or (choice.objection(state, seat, action) if choice.objection else None)
    )
    if refusal:
        raise refuse(refusal.code, refusal.detail, refusal.field)
    for name, bound in choice.bounds(state, seat).items():
        if not bound.allows(getattr(action, name)):
            raise refuse("out_of_bounds", f"{name} must be {bound.words()} right now.", name)


def why_not_at_all(state: AnyState, seat: int, choice: AnyChoice) -> Refusal | None:
    """Return why a seat may not do this whatever is asked: the game has not started, is over, or was left.

    After the result only what is still asked of the seat may be answered.
    """
    if state.status == "lobby":
        return Refusal("not_started", "The game has not started yet.")
    if state.status == "finished" and not _is_asked(state, seat, choice):
        return Refusal("game_over", "The game is over.")
    if state.seats[seat].left:
        return Refusal("seat_left", "This seat has left the game.")
    if state.paused:
        return Refusal("game_paused", "The game is paused.")
    return rules_of(state).why_not(state, seat, choice)


def _is_asked(state: AnyState, seat: int, choice: AnyChoice) -> bool:
    return any(prompt.seat == seat and prompt.kind in choice.prompts for prompt in state.prompts.values())


def _why_not_prompt(state: AnyState, seat: int, action: a.PlayAction, choice: AnyChoice) -> Refusal | None:
    if not isinstance(action, a.Prompted):
        return None
    prompt = state.prompts.get(action.prompt)
    if prompt is None and state.seats[seat].expired == action.prompt:
        return Refusal("too_late", "The deadline of this prompt has passed, and its default was taken.", "prompt")
    if prompt is None:
        return Refusal("prompt_gone", f"The prompt {action.prompt} is not open (any more).", "prompt")
    if prompt.seat != seat:
        return Refusal("not_your_prompt", f"The prompt {action.prompt} is for seat {prompt.seat}.", "prompt")
    if prompt.kind not in choice.prompts:
        return Refusal("wrong_prompt", f"A {prompt.kind} prompt is not answered by {a.name_of(action)}.", "prompt")
    return None


def _check_in_time(state: AnyState, action: a.PlayAction, received: int) -> None:
    last = last_moment(state, state.prompts[action.prompt]) if isinstance(action, a.Prompted) else None
    if last is not None and received > last:
        raise refuse("too_late", "The deadline of this prompt has passed.", "prompt")


def expire(play: Play[Any], action: a.Expire) -> int:
    """Take a prompt's default, unless the game has moved past it; gives the seat that let it pass."""
    prompt = play.state.prompts.get(action.prompt)
    if prompt is None or prompt.deadline != action.deadline or play.state.paused:
        raise play.refusal("prompt_gone", f"The prompt {action.prompt} is not open (any more).", "prompt")
    default = default_of(play.state, action.prompt)
    play.by_default = True
    choice_of(rules_of(play.state), default).act(play, prompt.seat, default)
    seat: int = prompt.seat
    return seat


def default_of(state: AnyState, prompt: str) -> a.PlayAction:
    """Return the action that is taken for a seat that does not answer."""
    return rules_of(state).defaults[state.prompts[prompt].kind](state, prompt)


def parse(body: bytes) -> a.PlayAction:
    """Read an action from its JSON.

    Raises:
        msgspec.ValidationError: It is no action of any rulebook; the message names the field.
    """
    return _actions.decode(body)


_actions: msgspec.json.Decoder[a.PlayAction] = msgspec.json.Decoder(Union[tuple(ACTIONS.values())])  # noqa: UP007 # of what is found
