"""When a decision is too late, and when its default is taken: arithmetic that all parts of the service share.

A move counts by when it was received: it is in time up to deadline and grace. The default is taken no earlier than
deadline, grace and a time to settle, so that a move which was in time can still arrive.
"""

from collections.abc import Mapping

from projections.state.base import GameState, Prompt

GRACE_MS = 1000
"""A move counts as in time when it was received this long after the deadline, where nothing else was agreed on."""

SETTLE_MS = 500
"""A deadline's default is taken no earlier than grace and this, so that moves in time can still arrive."""


def grace_of(state: GameState) -> int:
    """Return the game's grace in milliseconds."""
    grace = state.options.get("grace_ms", GRACE_MS)
    assert isinstance(grace, int)
    return grace


def last_moment(state: GameState, prompt: Prompt) -> int | None:
    """Return when a move for a prompt is still in time (UTC, ms); None where the clock does not run."""
    if prompt.deadline is None or state.paused:
        return None
    return prompt.deadline + grace_of(state)


def expires_at(state: GameState, prompt: Prompt) -> int | None:
    """Return when a prompt's default may be taken (UTC, ms); None for never."""
    last = last_moment(state, prompt)
    return None if last is None else last + SETTLE_MS


def left_of(state: GameState, at: int) -> dict[str, int]:
    """Return the milliseconds that are left at a moment until each deadline, by prompt; 0 where only grace is left."""
    return {
        prompt.prompt: max(0, prompt.deadline - at) for prompt in state.prompts.values() if prompt.deadline is not None
    }


def credits_of(state: GameState, *, since: int, until: int) -> Mapping[str, int]:
    """Return the deadlines that an outage moves, by prompt: each by the time in which its prompt was open.

    What was over before the outage began stays over; what was asked after it lost nothing. While the game is paused,
    nobody lost anything, and what lies before the last pause or credit was dealt with.
    """
    if state.paused or until <= state.credited:
        return {}
    moved = {}
    for prompt in state.prompts.values():
        last = last_moment(state, prompt)
        if prompt.deadline is not None and last is not None and last > since and prompt.opened < until:
            moved[prompt.prompt] = prompt.deadline + until - max(since, prompt.opened)
    return moved
