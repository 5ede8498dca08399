"""What a bot is, and what it sees."""

from typing import Any, Protocol, TypeAlias

import msgspec

from projections.evolve import AnyState
from service.rules.legal import open_actions

Json: TypeAlias = dict[str, Any]
"""A JSON object as Python reads it."""


class Bot(Protocol):
    """A player that chooses among legal actions."""

    @property
    def ignored(self) -> frozenset[str]:
        """Return the names of actions that it never chooses, and that need not be shown to it."""

    def choose(self, actions: list[Json], state: Json) -> Json | None:
        """Choose the body to send; None to wait for what others do, at most once in the same situation.

        Args:
            actions: What is open, as `open` of `GET …/actions` lists it; at least one of them answers a prompt.
            state: The game, as `state` of `GET …/{id}` shows it, at the same version.
        """

    def answer(self, actions: list[Json], state: Json) -> Json | None:
        """Choose the answer to an offer while nothing else is asked of the seat; None for none.

        Args:
            actions: What is open; perhaps nothing of it answers an offer.
            state: The game.
        """


def menu_of(state: AnyState, seat: int, ignored: frozenset[str] = frozenset()) -> list[Json]:
    """Return what is open to a seat but for some actions, as the API lists it."""
    menu: list[Json] = msgspec.to_builtins(open_actions(state, seat, ignored))
    return menu


def view_of(state: AnyState) -> Json:
    """Return the state as the API shows it: keys of objects are strings there."""
    view: Json = msgspec.to_builtins(state, str_keys=True)
    return view


def prompt_of(actions: list[Json], state: Json) -> Json:
    """Return the prompt that the actions are about."""
    prompt: Json = state["prompts"][next(action["prompt"] for action in actions if action["prompt"])]
    return prompt
