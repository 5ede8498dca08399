"""Around play: sitting down, agreeing on options, nonces, the start, leaving."""

from collections.abc import Callable, Mapping
from typing import Any

from events.lobby import (
    CredentialRenewed,
    CustodianNamed,
    GameStarted,
    NonceOpened,
    OptionsChanged,
    SeatLeft,
    SeatReady,
    SeatTaken,
)
from service.rules import actions as a
from service.rules import options as agreed
from service.rules.play import Play
from service.rules.rulebooks import RULES_OF

AnyPlay = Play[Any]
LEAST_SEATS = 2


def _in_lobby(play: AnyPlay) -> None:
    if play.state.status != "lobby":
        raise play.refusal("game_started", "The game has started: seats and options are final.")


def take_seat(play: AnyPlay, _seat: int, action: a.TakeSeat) -> None:
    """Sit down on the lowest free place (PA-1)."""
    _in_lobby(play)
    seats = play.state.seats
    free = [place for place in range(1, play.state.places + 1) if place not in seats]
    if not free:
        raise play.refusal("table_full", f"All {play.state.places} seats are taken.")
    if action.nonce_commitment and any(s.nonce_commitment == action.nonce_commitment for s in seats.values()):
        raise play.refusal("nonce_repeated", "Another seat has the same nonce commitment.", "nonce_commitment")
    if action.host and any(seat.host for seat in seats.values()):
        raise play.refusal("host_seated", "The host has a seat already.")
    play.record(
        SeatTaken(
            seat=free[0],
            kind=action.kind,
            level=action.level,
            name=action.name,
            nonce_commitment=action.nonce_commitment,
            host=action.host,
        )
    )
    _ask_again(play)


def leave(play: AnyPlay, seat: int, _action: a.Leave) -> None:
    """Leave a seat, in the lobby or in play; after the result only while the custodian is asked to attest it."""
    if play.state.status == "finished":
        if all(prompt.seat != seat for prompt in play.state.prompts.values()):
            raise play.refusal("game_over", "The game is over.")
        RULES_OF[type(play.state)].leave_result(play, seat)
        return
    if play.state.seats[seat].left:
        raise play.refusal("seat_left", "This seat has left the game.")
    if play.state.status == "lobby":
        play.record(SeatLeft(seat=seat, playing=False))
        _ask_again(play)
    else:
        RULES_OF[type(play.state)].leave(play, seat)


def _ask_again(play: AnyPlay) -> None:
    """Ask all to agree again where an option goes by the number of seats, which has changed (PA-3, PA-4)."""
    state, settle = play.state, RULES_OF[type(play.state)].settle_options
    goes_by_seats = settle(state.options, 2) != settle(state.options, 3)
    if goes_by_seats and any(seat.ready == state.edition for seat in state.seats.values()):
        play.record(OptionsChanged(number=state.edition + 1, options=state.options))


def renew(play: AnyPlay, _seat: int, action: a.Renew) -> None:
    """Issue a new token for a seat; the service hands it out, and does so by itself once the stream is sealed."""
    if play.state.over():
        raise play.refusal("game_over", "The game is over.")
    if action.seat not in play.state.seats:
        raise play.refusal("no_such_seat", f"Nobody sits at {action.seat}.")
    # After the result it is good for erasing what was typed in.
    if play.state.seats[action.seat].left and play.state.status != "finished":
        raise play.refusal("seat_left", "This seat has left the game.")
    play.record(CredentialRenewed(credential=f"seat:{action.seat}"))


def set_options(play: AnyPlay, _seat: int, action: a.SetOptions) -> None:
    """Change options before the start; all must agree again (PA-4)."""
    _in_lobby(play)
    options = agreed.agree(action.options, play.state.options, RULES_OF[type(play.state)].options)
    play.record(OptionsChanged(number=play.state.edition + 1, options=options))


def ready(play: AnyPlay, seat: int, action: a.Ready) -> None:
    """Agree to the current edition of the options, and perhaps open the nonce."""
    _in_lobby(play)
    mine = play.state.seats[seat]
    if action.edition != play.state.edition:
        raise play.refusal("options_changed", f"The options are at edition {play.state.edition} now.", "edition")
    if action.nonce_input and action.nonce_hash != mine.nonce_commitment:
        raise play.refusal("wrong_nonce", "The nonce is not the one that this seat committed to.", "nonce")
    if mine.ready == action.edition and not action.nonce_input:
        raise play.refusal("already_ready", "This seat is ready already.")
    if action.nonce_input and mine.nonce_input:
        raise play.refusal("nonce_open", "This seat's nonce is open already.", "nonce")
    if action.nonce_input:
        play.record(NonceOpened(seat=seat, input=action.nonce_input))
    play.record(SeatReady(seat=seat, number=action.edition))


def start(play: AnyPlay, _seat: int, _action: a.Start) -> None:
    """Begin to play: every person is ready for the current options."""
    _in_lobby(play)
    state = play.state
    if len(state.seats) < LEAST_SEATS:
        raise play.refusal("too_few_seats", f"A game needs at least {LEAST_SEATS} seats.")
    waiting = [n for n, seat in sorted(state.seats.items()) if seat.kind == "person" and seat.ready != state.edition]
    if waiting:
        raise play.refusal("not_ready", f"Not ready for these options yet: seat {', '.join(map(str, waiting))}.")
    rules = RULES_OF[type(state)]
    custodian = rules.custodian(play)
    seats = tuple(sorted(state.seats))
    inputs = tuple(state.seats[s].nonce_input or state.seats[s].nonce_commitment for s in seats)
    play.record(GameStarted(seats=seats, inputs=inputs, options=rules.settle_options(state.options, len(seats))))
    if custodian:
        play.record(CustodianNamed(seat=custodian, why="start"))
    rules.begin(play)


HANDLERS: Mapping[type[a.Open], Callable[[AnyPlay, int, Any], None]] = {
    a.TakeSeat: take_seat,
    a.Leave: leave,
    a.Renew: renew,
    a.SetOptions: set_options,
    a.Ready: ready,
    a.Start: start,
}
