"""How events before and after play change the state: seats, agreement, start, end."""

from typing import Any

from msgspec.structs import asdict, replace

from events import lobby
from events.base import seat_account
from projections.evolve.play import Handlers, nothing
from projections.state.base import GameState, Result, SeatState

_PINNED = ("game", "rules", "code", "pins", "places", "private", "commitment", "known_secret", "parent")


def pinned(created: lobby.GameCreated) -> dict[str, Any]:
    """Return what a state takes over from the first event as it stands, by name of field."""
    return {name: getattr(created, name) for name in _PINNED} | {"options": dict(created.options)}


def seat_taken(state: GameState, event: lobby.SeatTaken) -> None:
    """The seat is taken."""
    state.seats[event.seat] = SeatState(
        seat=event.seat,
        kind=event.kind,
        level=event.level,
        name=event.name,
        host=event.host,
        nonce_commitment=event.nonce_commitment,
    )


def seat_left(state: GameState, event: lobby.SeatLeft) -> None:
    """A place in a lobby is free again; in play it stays listed as left."""
    if event.playing:
        state.seats[event.seat] = replace(state.seats[event.seat], left=True)
    else:
        del state.seats[event.seat]


def options_changed(state: GameState, event: lobby.OptionsChanged) -> None:
    """A new edition of the options, to which no seat has agreed yet."""
    state.options = dict(event.options)
    state.edition = event.number


def seat_ready(state: GameState, event: lobby.SeatReady) -> None:
    """The seat agrees to an edition of the options."""
    state.seats[event.seat] = replace(state.seats[event.seat], ready=event.number)


def nonce_opened(state: GameState, event: lobby.NonceOpened) -> None:
    """The seat's share of chance is known."""
    state.seats[event.seat] = replace(state.seats[event.seat], nonce_input=event.input)


def game_started(state: GameState, event: lobby.GameStarted) -> None:
    """Options are final, and each seat has an account without money."""
    state.status = "playing"
    state.options = dict(event.options)
    state.inputs = event.inputs
    for seat in event.seats:
        state.cash[seat_account(seat)] = 0


def custodian_named(state: GameState, event: lobby.CustodianNamed) -> None:
    """The seat answers for the public purse."""
    state.custodian = event.seat


def game_finished(state: GameState, event: lobby.GameFinished) -> None:
    """The result stands; no seat is active, and no clock stands still any more."""
    state.status = "finished"
    state.paused = 0
    state.reason = event.reason
    state.standings = tuple(Result(**asdict(line)) for line in event.standings)
    # Not those of the event: The Social Justice Game names none there (SJG-3), and here the word means one thing.
    state.winners = tuple(line.seat for line in event.standings if line.rank == 1)
    state.active = 0


def secret_revealed(state: GameState, event: lobby.SecretRevealed) -> None:
    """Chance can be checked."""
    state.secret = event.secret


HANDLERS: Handlers = {
    lobby.CredentialRenewed: nothing,
    lobby.SeatTaken: seat_taken,
    lobby.SeatLeft: seat_left,
    lobby.OptionsChanged: options_changed,
    lobby.SeatReady: seat_ready,
    lobby.NonceOpened: nonce_opened,
    lobby.CustodianNamed: custodian_named,
    lobby.GameFinished: game_finished,
    lobby.SecretRevealed: secret_revealed,
}
