"""Scripted chance: what comes up is listed in order, and every question must be the one that was expected."""

from collections.abc import Iterable
from typing import TypeAlias

from projections.state.public_assistance import PublicAssistanceState

Draw: TypeAlias = tuple[str, tuple[int, ...] | str]
"""(purpose, faces) for dice, (`card`, id) for an unseen card."""


class ScriptedDice:
    """Chance by a script; fails on a draw that it does not expect, and on one that is left over.

    Cards are named by id: their place among the unseen copies is found here, apart from the rules.
    """

    def __init__(self, draws: Iterable[Draw], state: PublicAssistanceState) -> None:
        self.left = list(draws)
        self.used = 0
        self._unseen = {name: dict(deck.unseen) for name, deck in state.decks.items()}

    def _next(self, coordinate: str) -> Draw:
        assert self.left, f"nothing was scripted for {coordinate}"
        self.used += 1
        return self.left.pop(0)

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        purpose, faces = self._next(coordinate)
        assert purpose == coordinate.split("/", maxsplit=1)[0], f"scripted {purpose} {faces}, asked for {coordinate}"
        assert isinstance(faces, tuple)
        assert (len(faces), sides) == (count, 6), f"{coordinate}: {count} dice of {sides} for {faces}"
        return faces

    def pick(self, coordinate: str, *, among: int) -> int:
        purpose, card = self._next(coordinate)
        deck = self._unseen[coordinate.split("/", maxsplit=1)[0]]
        copies = sorted(card for card, count in deck.items() for _ in range(count))
        assert purpose == "card", f"scripted {purpose}, asked for {coordinate}"
        assert isinstance(card, str)
        assert among == len(copies), f"{coordinate}: {among} cards instead of {len(copies)}"
        deck[card] -= 1
        return copies.index(card)

    def check_used_up(self) -> None:
        assert not self.left, f"never asked for: {self.left}"


def side(*faces: int) -> list[Draw]:
    """Script the dice of a side track, one at a time."""
    return [("side_track", (face,)) for face in faces]


def card(card_id: str) -> list[Draw]:
    """Script the unseen card that is drawn."""
    return [("card", card_id)]


def partner(face: int) -> list[Draw]:
    """Script a roll for the partner."""
    return [("partner", (face,))]
