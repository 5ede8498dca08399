"""Changes of a state that a test owns: what is frozen in it is replaced."""

from typing import Any

from msgspec.structs import replace

from projections.state.base import DeckState, GameState


def plant_seat(state: GameState, seat: int, **facts: Any) -> None:
    """Change facts of a seat."""
    state.seats[seat] = replace(state.seats[seat], **facts)


def plant_options(state: GameState, **values: Any) -> None:
    """Change values that were agreed on."""
    state.options = {**state.options, **values}


def plant_deck(state: GameState, deck: str, **facts: Any) -> None:
    """Change facts of a deck."""
    state.decks[deck] = replace(state.decks[deck], **facts)


def without_copy(deck: DeckState, card: str) -> dict[str, int]:
    """Return what is unseen of a deck when one copy of a card is gone."""
    left = {**deck.unseen, card: deck.unseen[card] - 1}
    return {name: count for name, count in left.items() if count}
