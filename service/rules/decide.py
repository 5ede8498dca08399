"""`decide`: from a state and an action to events, or to a refusal that leaves no trace.

This module checks who may act on what; the rules themselves stand in the modules of their subjects.
"""

from collections.abc import Callable, Mapping
from typing import Any, Union

import msgspec
from msgspec import Struct, field

from events.base import Envelope, Event, Json
from events.play import ActionTaken
from projections.evolve import AnyState
from service.rules import absence, lobby, pauses
from service.rules import actions as a
from service.rules.choice import AnyChoice
from service.rules.dice import Dice, FirstDraw
from service.rules.play import Play
from service.rules.rulebooks import ACTIONS, RULES_OF, Rules
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
    play = RULES_OF[type(state)].play(state.copy(), dice, at=at, actor=command.actor, action=command.id)
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
    rules, action = RULES_OF[type(play.state)], command.action
    play.record(
        ActionTaken(
            seat=command.seat,
            name=a.name_of(action),
            prompt=getattr(action, "prompt", ""),
            params=_params_of(action),
            received=command.received,
        )
    )
    if isinstance(action, a.Expire):
        expired = expire(play, action)
    elif isinstance(action, a.Open):
        OPEN[type(action)](play, command.seat, action)
    else:
        choice = choice_of(rules, action)
        if command.actor == f"seat:{command.seat}" and play.state.seats[command.seat].keeper:
            raise refuse(absence.KEPT.code, absence.KEPT.detail)
        check(play.state, command.seat, action, choice, command.received)
        choice.act(play, command.seat, action)
    if rules.conclude:
        rules.conclude(play)
    if isinstance(action, a.Expire):
        absence.missed_one(play, expired)
    elif isinstance(action, a.Leave):
        absence.left_alone(play)


def _params_of(action: a.AnyAction) -> dict[str, Json]:
    """Return the parameters for the stream: all but name and prompt, options flattened."""
    if isinstance(action, a.SetOptions):
        return {f"options.{key}": _as_read(value) for key, value in action.options.items()}
    return {name: _as_read(getattr(action, name)) for name in action.__struct_fields__ if name != "prompt"}


def _as_read(value: Any) -> Json:
    """Return a value as reading it back from the stream gives it: records are objects, and tuples lists."""
    read: Json = msgspec.json.decode(msgspec.json.encode(value)) if not isinstance(value, int | str | None) else value
    return read


def choice_of(rules: Rules, action: a.PlayAction) -> AnyChoice:
    """Find what an action is in the rulebook that is played.

    Raises:
        RuleViolation: It is an action of the other rulebook.
    """
    choice = rules.choices.get(type(action))
    if choice is None:
        raise refuse("other_rulebook", f"There is no {a.name_of(action)} in this rulebook.", "action")
    return choice


def check(state: AnyState, seat: int, action: a.PlayAction, choice: AnyChoice, received: int) -> None:
    """Check that a seat may do what was received at a time (UTC, ms).

    Raises:
        RuleViolation: With the first reason why not.
    """
    refusal = (
        why_not_at_all(state, seat, choice)
        or _why_not_prompt(state, seat, action, choice, received)
        or (choice.why_not(state, seat) if choice.why_not else None)
        or (choice.objection(state, seat, action) if choice.objection else None)
    )
    if refusal:
        raise refuse(refusal.code, refusal.detail, refusal.field)
    for name, bound in choice.bounds(state, seat).items() if choice.bounds else ():
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
    why_not = RULES_OF[type(state)].why_not
    return why_not(state, seat, choice) if why_not else None


def _is_asked(state: AnyState, seat: int, choice: AnyChoice) -> bool:
    return any(prompt.seat == seat and prompt.kind in choice.prompts for prompt in state.prompts.values())


def _why_not_prompt(
    state: AnyState, seat: int, action: a.PlayAction, choice: AnyChoice, received: int
) -> Refusal | None:
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
    last = last_moment(state, prompt) if prompt.deadline else None
    late = last is not None and received > last
    return Refusal("too_late", "The deadline of this prompt has passed.", "prompt") if late else None


def expire(play: Play[Any], action: a.Expire) -> int:
    """Take a prompt's default, unless the game has moved past it; gives the seat that let it pass."""
    prompt = play.state.prompts.get(action.prompt)
    if prompt is None or prompt.deadline != action.deadline or play.state.paused:
        raise play.refusal("prompt_gone", f"The prompt {action.prompt} is not open (any more).", "prompt")
    default = default_of(play.state, action.prompt)
    play.by_default = True
    choice_of(RULES_OF[type(play.state)], default).act(play, prompt.seat, default)
    seat: int = prompt.seat
    return seat


def default_of(state: AnyState, prompt: str) -> a.PlayAction:
    """Return the action that is taken for a seat that does not answer."""
    return RULES_OF[type(state)].defaults[state.prompts[prompt].kind](state, prompt)


def parse(body: bytes) -> a.PlayAction:
    """Read an action from its JSON.

    Raises:
        msgspec.ValidationError: It is no action of any rulebook; the message names the field.
    """
    return _actions.decode(body)


_actions: msgspec.json.Decoder[a.PlayAction] = msgspec.json.Decoder(Union[tuple(ACTIONS.values())])  # noqa: UP007 # of what is found
