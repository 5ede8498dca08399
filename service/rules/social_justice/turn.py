"""The order of a turn, and the round that it belongs to (SJG-3, SJG-18a, SJG-22).

Due loans → scheduled payments → jail, or: transfers → start prompt → combat → movement → landing → end prompt → next.
"""

from events.play import TurnEnded, TurnStarted
from events.social_justice import tasks
from events.social_justice.events import RoundStarted, TurnMissed
from service.rules.action_base import Prompted
from service.rules.social_justice import ending, jail, offers, white_house
from service.rules.social_justice.shorthand import SjPlay, citizen_of, limit

MOST_ROUNDS = 200
"""A game that ends with the last one standing stops after this many rounds (SJG-3)."""


def next_seat(play: SjPlay, seat: int) -> int:
    """Return the seat whose turn comes after a seat's place; after 0 the first. Seats that are out are passed over."""
    order = play.state.order
    at = order.index(seat) + 1 if seat else 0
    return next(other for other in (*order[at:], *order[:at]) if not play.state.citizens[other].out)


def start_next(play: SjPlay, task: tasks.NextTurn) -> None:
    """Start the next seat's turn: its loans that are due come before anything else (SJG-14)."""
    seat = next_seat(play, task.after)
    own = citizen_of(play, seat).own + 1
    play.record(TurnStarted(seat=seat, turn=play.state.turn + 1, own=own))
    play.push(
        tasks.DueLoans(seat=seat),
        tasks.Scheduled(seat=seat, when="turn"),
        tasks.JailOrStart(seat=seat),
        tasks.CloseTurn(seat=seat),
    )


def jail_or_start(play: SjPlay, task: tasks.JailOrStart) -> None:
    """Count a turn that a prisoner misses, and release after the last one (SJG-61, SJG-62); ask all others."""
    seat, citizen = task.seat, citizen_of(play, task.seat)
    if not citizen.jailed:
        play.push(tasks.Transfers(trigger="turn_start", actor=seat), tasks.Ask(seat=seat, kind="turn_start"))
        return
    play.record(TurnMissed(seat=seat, left=citizen.jail_turns - 1))
    if not citizen.jail_turns:
        jail.release(play, seat, how="served")


def roll(play: SjPlay, seat: int, action: Prompted) -> None:
    """Throw the combat die, then the movement die, and go on to the end prompt (SJG-18, SJG-57)."""
    play.answer(action.prompt)
    play.push(tasks.Combat(seat=seat), tasks.MoveRoll(seat=seat), tasks.Ask(seat=seat, kind="turn_end"))


def end(play: SjPlay, task: tasks.CloseTurn) -> None:
    """End the turn; the round ends with it when the turn passes the first place (SJG-3)."""
    offers.lapse(play)
    white_house.leave_office(play)
    play.record(TurnEnded(seat=task.seat))
    order = play.state.order
    passes_first_place = order.index(next_seat(play, task.seat)) <= order.index(task.seat)
    if passes_first_place:
        play.push(tasks.Transfers(trigger="round_end", actor=0), tasks.CloseRound(), tasks.NextTurn(after=task.seat))
    else:
        play.push(tasks.NextTurn(after=task.seat))


def close_round(play: SjPlay, _task: tasks.CloseRound) -> None:
    """End the game after its last round, else begin the next (SJG-3)."""
    last = limit(play.state, "end.rounds") or MOST_ROUNDS
    if play.state.round >= last:
        ending.finish(play, "completed")
    else:
        play.record(RoundStarted(round=play.state.round + 1))
