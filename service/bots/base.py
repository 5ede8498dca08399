"""What a bot is, and what it sees."""

from typing import Any, Protocol, TypeAlias

import msgspec

from projections.evolve import AnyState
from service.rules.legal import open_actions

Json: TypeAlias = dict[str, Any]
"""A JSON object as Python reads it."""


class Bot(Protocol):
    """Somebody who chooses among legal actions."""

    def considers(self, rulebook: str) -> frozenset[str] | None:
        """Name the only actions of a rulebook that it may ever choose; None for all. The rest need not be shown."""

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


def menu_of(state: AnyState, seat: int, among: frozenset[str] | None = None) -> list[Json]:
    """Give what is open to a seat, as the API lists it; where `among` is given, of these actions alone."""
    menu: list[Json] = msgspec.to_builtins(open_actions(state, seat, among))
    return menu


def view_of(state: AnyState) -> Json:
    """Give the state as the API shows it: keys of objects are strings there."""
    view: Json = msgspec.to_builtins(state, str_keys=True)
    return view


def prompt_of(actions: list[Json], state: Json) -> Json:
    """Give the prompt that the actions are about."""
    prompt: Json = state["prompts"][next(action["prompt"] for action in actions if action["prompt"])]
    return prompt
