"""Pauses by the host, and outages that are credited: clocks that stand still, and deadlines that move."""

from collections.abc import Callable, Mapping
from typing import Any

from events.clocks import GamePaused, GameResumed, OutageCredited
from service.rules import actions as a
from service.rules.play import Play
from service.rules.timing import credits_of, left_of

AnyPlay = Play[Any]


def in_play(play: AnyPlay) -> None:
    """Check that the game is being played.

    Raises:
        RuleViolation: It has not started, or is over.
    """
    if play.state.status == "lobby":
        raise play.refusal("not_started", "The game has not started yet.")
    if play.state.status == "finished":
        raise play.refusal("game_over", "The game is over.")


def pause(play: AnyPlay, _seat: int, _action: a.Pause) -> None:
    """Stop the clocks; what is left of each is kept to the millisecond, and of its grace, too."""
    in_play(play)
    if play.state.paused:
        raise play.refusal("game_paused", "The game is paused already.")
    play.record(GamePaused(left=left_of(play.state, play.at)))


def resume(play: AnyPlay, _seat: int, _action: a.Resume) -> None:
    """Start the clocks again: every deadline is later by as long as the game was paused."""
    in_play(play)
    if not play.state.paused:
        raise play.refusal("not_paused", "The game is not paused.")
    span = play.at - play.state.paused
    moved = {prompt.prompt: prompt.deadline + span for prompt in play.state.prompts.values() if prompt.deadline}
    play.record(GameResumed(paused_for=span, deadlines=moved))


def credit(play: AnyPlay, _seat: int, action: a.CreditOutage) -> None:
    """Move deadlines by the time in which nobody could be served."""
    moved = credits_of(play.state, since=action.since, until=action.until)
    if not moved:
        raise play.refusal("nothing_lost", "No deadline lost time by this outage.")
    play.record(OutageCredited(since=action.since, until=action.until, deadlines=moved))


HANDLERS: Mapping[type[a.Open], Callable[[AnyPlay, int, Any], None]] = {
    a.Pause: pause,
    a.Resume: resume,
    a.CreditOutage: credit,
}
