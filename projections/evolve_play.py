"""How the events that both games share change the state: turns, prompts, cards and money."""

from collections.abc import Callable
from typing import Any

from events.base import Event
from events.play import (
    ActionTaken,
    BooksAttested,
    CardDrawn,
    ChainStopped,
    DebtForgiven,
    MoneyMoved,
    PromptClosed,
    PromptOpened,
    TurnEnded,
)
from projections.state import GameState, Prompt


def nothing(_state: GameState, _event: Event) -> None:
    """Some events only tell; what follows from them has events of its own."""


def action_taken(state: GameState, _event: ActionTaken) -> None:
    """One step more."""
    state.steps += 1


def turn_ended(state: GameState, _event: TurnEnded) -> None:
    """Nobody is active until the next turn starts."""
    state.active = 0


def prompt_opened(state: GameState, event: PromptOpened) -> None:
    """A decision waits."""
    state.prompts[event.prompt] = Prompt(
        prompt=event.prompt, seat=event.seat, kind=event.kind, why=event.why, deadline=event.deadline
    )


def prompt_closed(state: GameState, event: PromptClosed) -> None:
    """A decision waits no longer."""
    del state.prompts[event.prompt]


def card_drawn(state: GameState, event: CardDrawn) -> None:
    """A card left its deck."""
    deck = state.decks[event.deck]
    deck.draws = event.draw
    if event.coordinate:
        deck.unseen[event.card] -= 1
        if not deck.unseen[event.card]:
            del deck.unseen[event.card]
    else:
        deck.returned.remove(event.card)


def money_moved(state: GameState, event: MoneyMoved) -> None:
    """Cash changed hands."""
    cash = state.cash
    cash[event.payer] -= event.amount
    cash[event.payee] += event.amount


def books_attested(state: GameState, event: BooksAttested) -> None:
    """It is remembered which books were attested, so that the same are not attested twice."""
    state.attested = event.digest


HANDLERS: dict[type[Event], Callable[[Any, Any], None]] = {
    ActionTaken: action_taken,
    BooksAttested: books_attested,
    ChainStopped: nothing,
    DebtForgiven: nothing,
    TurnEnded: turn_ended,
    PromptOpened: prompt_opened,
    PromptClosed: prompt_closed,
    CardDrawn: card_drawn,
    MoneyMoved: money_moved,
}
