"""How a game's life around play changes its state: seats, agreement, start, end."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.base import Event
from events.lobby import (
    CredentialRenewed,
    CustodianNamed,
    GameFinished,
    NonceOpened,
    OptionsChanged,
    SeatLeft,
    SeatReady,
    SeatTaken,
    SecretRevealed,
)
from projections.evolve.play import nothing
from projections.state.base import GameState, SeatState


def seat_taken(state: GameState, event: SeatTaken) -> None:
    """Somebody sits here now."""
    state.seats[event.seat] = SeatState(
        seat=event.seat,
        kind=event.kind,
        level=event.level,
        name=event.name,
        host=event.host,
        nonce_commitment=event.nonce_commitment,
    )


def seat_left(state: GameState, event: SeatLeft) -> None:
    """A place in a lobby is free again; in play it stays listed as left."""
    if event.playing:
        state.seats[event.seat] = replace(state.seats[event.seat], left=True)
    else:
        del state.seats[event.seat]


def options_changed(state: GameState, event: OptionsChanged) -> None:
    """A new edition of the options: nobody has agreed to it yet."""
    state.options = dict(event.options)
    state.edition = event.number


def seat_ready(state: GameState, event: SeatReady) -> None:
    """The seat agrees to an edition of the options."""
    state.seats[event.seat] = replace(state.seats[event.seat], ready=event.number)


def nonce_opened(state: GameState, event: NonceOpened) -> None:
    """The seat's share of chance is known."""
    state.seats[event.seat] = replace(state.seats[event.seat], nonce_input=event.input)


def custodian_named(state: GameState, event: CustodianNamed) -> None:
    """The public purse has a name."""
    state.custodian = event.seat


def game_finished(state: GameState, event: GameFinished) -> None:
    """The result stands; nobody is to move."""
    state.status = "finished"
    state.reason = event.reason
    state.standings = event.standings
    state.winners = event.winners
    state.active = 0


def secret_revealed(state: GameState, event: SecretRevealed) -> None:
    """Chance can be checked."""
    state.secret = event.secret


HANDLERS: dict[type[Event], Callable[[Any, Any], None]] = {
    CredentialRenewed: nothing,
    SeatTaken: seat_taken,
    SeatLeft: seat_left,
    OptionsChanged: options_changed,
    SeatReady: seat_ready,
    NonceOpened: nonce_opened,
    CustodianNamed: custodian_named,
    GameFinished: game_finished,
    SecretRevealed: secret_revealed,
}
