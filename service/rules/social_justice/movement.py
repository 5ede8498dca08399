"""Moving a token: the die of the role, Payday and stops on the way, directed moves (SJG-18, SJG-47, SJG-48, SJG-56).

A move is cut into legs where something happens: each leg is an event, so that the token stands where it is even while
money is being raised in the middle of it.
"""

from typing import Literal

from events.social_justice.board import LAP, PAYDAY
from events.social_justice.events import TokenMoved
from events.social_justice.tasks import Ask, Land, MoveRoll, Walk
from service.rules import actions_social_justice as a
from service.rules.social_justice import college, military, payday
from service.rules.social_justice.shorthand import SjPlay, State, board_of, citizen_of, number


def roll(play: SjPlay, task: MoveRoll) -> None:
    """Throw the die of the role held now (SJG-39 to SJG-42); a result of 0 is no movement and no landing (SJG-56)."""
    citizen = citizen_of(play, task.seat)
    role = citizen.held()
    sides = number(play.state, f"move.die.{role}")
    (face,) = play.roll(task.seat, "movement", task.seat, citizen.own, count=1, sides=sides)
    penalty = number(play.state, "military.move_penalty") if citizen.serving else 0
    steps = max(0, face + number(play.state, f"move.extra.{role}") - penalty)
    if steps:
        play.push(Walk(seat=task.seat, left=steps, how="roll"))


def walk(play: SjPlay, task: Walk) -> None:
    """Go on to the next square where something happens, and then land."""
    seat, start = task.seat, citizen_of(play, task.seat).square
    steps = next(
        (n for n in range(1, task.left) if _happens(play.state, task, (start + n) % LAP)),
        task.left,
    )
    square = (start + steps) % LAP
    place(play, seat, square, how=task.how, rule="SJG-18" if task.how == "roll" else "SJG-37")
    left = task.left - steps
    if left:
        play.push(Walk(seat=seat, left=left, how=task.how, chained=task.chained))
    else:
        play.push(Land(seat=seat, chained=task.chained))
    if square == PAYDAY:
        payday.reach(play, seat)
    elif left:
        play.push(Ask(seat=seat, kind="stop", why=board_of(play.state).squares[square].type))


def _happens(state: State, task: Walk, square: int) -> bool:
    """Return whether a square that is passed is Payday, or offers a stop: on dice moves only (SJG-48)."""
    return square == PAYDAY or (task.how == "roll" and _offers_stop(state, task.seat, square))


def _offers_stop(state: State, seat: int, square: int) -> bool:
    kind = board_of(state).squares[square].type
    return (kind == "college" and college.may_attend(state, seat)) or (
        kind == "military" and military.may_enlist(state, seat)
    )


def place(play: SjPlay, seat: int, square: int, *, how: Literal["roll", "card", "direct"], rule: str) -> None:
    """Put a token on a square: nothing on the way is credited here."""
    start = citizen_of(play, seat).square
    play.record(TokenMoved(seat=seat, from_square=start, to_square=square, how=how, rule=rule))


def stop(play: SjPlay, seat: int, action: a.Stop) -> None:
    """Stop here: the rest of the roll is lost (SJG-48, SJG-52)."""
    play.answer(action.prompt)
    assert isinstance(play.agenda[-1], Walk), "a stop is offered on the way"
    play.agenda.pop()
    play.push(Land(seat=seat))


def direct(play: SjPlay, seat: int, square: int, *, chained: int) -> None:
    """Go straight to a square: no Payday on the way, and no tour ends (SJG-58)."""
    place(play, seat, square, how="direct", rule="SJG-37")
    play.push(Land(seat=seat, chained=chained))


def advance(play: SjPlay, seat: int, square: int, *, chained: int) -> None:
    """Go forward to a square and collect on the way, without stops (SJG-48)."""
    steps = (square - citizen_of(play, seat).square) % LAP or LAP
    play.push(Walk(seat=seat, left=steps, how="card", chained=chained))
