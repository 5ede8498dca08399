"""One action as the rules see it: when it is open, within what bounds, and what it does.

The same record answers "what may this seat do now, and why not the rest?", checks what is sent, and does it; so the
three can never disagree.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from projections.state.base import GameState
from service.rules.actions import Action
from service.rules.bounds import Bound
from service.rules.violations import Refusal

S = TypeVar("S", bound=GameState)
P = TypeVar("P")


ANY_TIME: frozenset[str] = frozenset()
"""No prompt is needed: the action is open at any time in play."""


def _elsewhere(_state: Any, _seat: int) -> Refusal:
    return Refusal("not_asked", "Another decision is open first.")


@dataclass(frozen=True)
class Choice(Generic[S, P]):
    """An action of a rulebook.

    Attributes:
        record: Its typed record.
        prompts: Kinds of prompts under which it is open; none: at any time in play.
        act: Does it, on a play whose seat, prompt and bounds were checked.
        why_not: Returns why a seat may not do it right now; None when it may.
        bounds: Bounds of its parameters right now; asked only when it is possible.
        objection: Returns why these parameters are not possible, where that hangs on several of them together.
        example: Values for its parameters that are possible together right now; a bound's least where it gives none.
        why_not_asked: Returns why none of its prompts is open, where that is not for another seat's turn.
    """

    record: type[Action]
    prompts: frozenset[str]
    act: Callable[[P, int, Any], None]
    why_not: Callable[[S, int], Refusal | None] | None = None
    bounds: Callable[[S, int], dict[str, Bound]] | None = None
    objection: Callable[[S, int, Any], Refusal | None] | None = None
    example: Callable[[S, int], dict[str, Any]] | None = None
    why_not_asked: Callable[[S, int], Refusal] = _elsewhere


AnyChoice: TypeAlias = Choice[Any, Any]
"""An action of either rulebook."""
