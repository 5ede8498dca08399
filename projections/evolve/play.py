"""How the events that both games share change the state: turns, prompts, cards and money."""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec.structs import replace

from events import play
from events.base import Event
from projections.state.base import GameState, Prompt, SeatState

Handlers: TypeAlias = dict[type[Event], Callable[[Any, Any], None]]
"""What each event does to a state, in place."""


def nothing(_state: GameState, _event: Event) -> None:
    """Change nothing: what follows from this event has events of its own."""


def action_taken(state: GameState, event: play.ActionTaken) -> None:
    """One step more; a person who acts is present."""
    state.steps += 1
    seat = state.seats.get(event.seat)
    if seat is not None and state.keeps_presence():
        missed = seat.missed if seat.bot else 0
        state.seats[event.seat] = replace(seat, moves=seat.moves + 1, acted=state.paused or state.at, missed=missed)


def turn_ended(state: GameState, _event: play.TurnEnded) -> None:
    """No seat is active until the next turn starts."""
    state.active = 0


def order_decided(state: GameState, event: play.OrderDecided) -> None:
    """The order of turns is known."""
    state.order = event.order


def prompt_opened(state: GameState, event: play.PromptOpened) -> None:
    """A decision waits."""
    state.prompts[event.prompt] = Prompt(
        prompt=event.prompt,
        seat=event.seat,
        kind=event.kind,
        why=event.why,
        deadline=event.deadline,
        opened=state.paused or state.at,
    )


def prompt_closed(state: GameState, event: play.PromptClosed) -> None:
    """A decision waits no longer; a person whose deadline passed has missed a turn, or a vote."""
    prompt = state.prompts.pop(event.prompt)
    if event.how == "defaulted" and state.keeps_presence():
        seat = state.seats[prompt.seat]
        seat = replace(seat, expired=prompt.prompt)
        # After the result nobody is missed.
        if state.status == "playing" and not seat.bot:
            seat = _missed(seat, state.turn, vote=prompt.kind == "ballot")
        state.seats[prompt.seat] = seat


def _missed(seat: SeatState, turn: int, *, vote: bool) -> SeatState:
    """Count a default of an absent person: a ballot for itself, and all else that is asked in one turn once."""
    if vote:
        return replace(seat, missed=seat.missed + 1)
    again = seat.missed and seat.missed_in == turn
    return seat if again else replace(seat, missed=seat.missed + 1, missed_in=turn)


def card_drawn(state: GameState, event: play.CardDrawn) -> None:
    """A card left its deck."""
    deck = state.decks[event.deck]
    unseen, returned = deck.unseen, deck.returned
    if event.coordinate:
        unseen = {**unseen, event.card: unseen[event.card] - 1}
        if not unseen[event.card]:
            del unseen[event.card]
    else:
        returned = without(returned, event.card)
    state.decks[event.deck] = replace(deck, unseen=unseen, returned=returned, draws=event.draw)


def put_back(state: GameState, event: play.CardReturned) -> None:
    """A card lies at the bottom of its deck."""
    deck = state.decks[event.deck]
    state.decks[event.deck] = replace(deck, returned=(*deck.returned, event.card))


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return a row of cards without the first copy of a card."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def money_moved(state: GameState, event: play.MoneyMoved) -> None:
    """Cash changed hands."""
    cash = state.cash
    cash[event.payer] -= event.amount
    cash[event.payee] += event.amount


def books_attested(state: GameState, event: play.BooksAttested) -> None:
    """Keep which books were attested, so that the same are not attested twice."""
    state.attested = event.digest


HANDLERS: Handlers = {
    play.ActionTaken: action_taken,
    play.BooksAttested: books_attested,
    play.ChainStopped: nothing,
    play.DebtForgiven: nothing,
    play.OrderDecided: order_decided,
    play.TurnEnded: turn_ended,
    play.PromptOpened: prompt_opened,
    play.PromptClosed: prompt_closed,
    play.CardDrawn: card_drawn,
    play.MoneyMoved: money_moved,
}
