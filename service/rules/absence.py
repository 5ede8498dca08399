"""Who is there: deadlines missed, bots that keep a seat, persons who come back or take over, and a table left alone.

The ladder: a prompt's default; after so many in a row (`absent_after`) a bot keeps the seat (`absent_play`), or the
defaults go on; once no person at the table is there any more, the game is ended by rule.
"""

from collections.abc import Callable, Mapping
from typing import Any

from events.clocks import BotTookOver, SeatHandedBack, SeatReopened, SeatRetaken
from projections.evolve import AnyState
from service.rules import actions as a
from service.rules.pauses import in_play
from service.rules.play import Play, option_of
from service.rules.rulebooks import RULES_OF
from service.rules.violations import Refusal

AnyPlay = Play[Any]

KEPT = Refusal("kept_by_bot", "A bot keeps this seat; hand it back first.")
"""Why a person may not play a seat that was not handed back."""


def missed_one(play: AnyPlay, seat: int) -> None:
    """Act on a deadline that a seat has missed, once its default is done with all that follows."""
    state = play.state
    if not state.keeps_presence() or state.status != "playing" or not is_absent(state, seat):
        return
    if _nobody_is_there(state):
        RULES_OF[type(state)].finish(play, "abandoned")
    elif state.options["absent_play"] != "default" and seat in state.persons() and not state.seats[seat].bot:
        play.record(BotTookOver(seat=seat, level=str(state.options["absent_play"]), why="absent"))


def left_alone(play: AnyPlay) -> None:
    """End the game when the last person who was there has left, and bots alone would play on."""
    if play.state.status == "playing" and _nobody_is_there(play.state):
        RULES_OF[type(play.state)].finish(play, "abandoned")


def _nobody_is_there(state: AnyState) -> bool:
    """Return whether every person who still has a seat is missed, or none has one; bots alone have nobody to miss.

    A person whose seat was handed to a bot on purpose may come back.
    """
    if all(seat.kind == "bot" for seat in state.seats.values()):
        return False
    persons = state.persons()
    return not persons or (state.keeps_presence() and all(_is_missed(state, person) for person in persons))


def _is_missed(state: AnyState, seat: int) -> bool:
    """Return whether a person has let too many turns pass."""
    return 0 < option_of(state, "absent_after") <= state.seats[seat].missed


def is_absent(state: AnyState, seat: int) -> bool:
    """Return whether a person's seat is played without it: by a bot, or by defaults for too long."""
    person = state.seats[seat]
    return person.kind == "person" and (bool(person.keeper) or _is_missed(state, seat))


def hand_over(play: AnyPlay, seat: int, action: a.HandOver) -> None:
    """Hand a seat to a bot."""
    _person_in_play(play, seat)
    if play.state.seats[seat].bot:
        raise play.refusal("kept_by_bot", "A bot keeps this seat already.")
    play.record(BotTookOver(seat=seat, level=action.level, why="asked"))


def hand_back(play: AnyPlay, seat: int, _action: a.HandBack) -> None:
    """Hand a seat back to its person."""
    _person_in_play(play, seat)
    if not play.state.seats[seat].bot:
        raise play.refusal("not_kept", "No bot keeps this seat.")
    play.record(SeatHandedBack(seat=seat))


def reopen(play: AnyPlay, _seat: int, action: a.Reopen) -> None:
    """Open the seat of a person who is away to others; a bot keeps it until then."""
    seat = action.seat
    _person_in_play(play, seat)
    sitter = play.state.seats[seat]
    if not (sitter.bot or is_absent(play.state, seat)):
        raise play.refusal("not_away", "Only the seat of a person who is away can be opened: a bot keeps it.")
    if not sitter.bot:
        play.record(BotTookOver(seat=seat, level=action.level, why="reopened"))
    play.record(SeatReopened(seat=seat))


def retake(play: AnyPlay, _seat: int, action: a.Retake) -> None:
    """Take an open seat, with all that belongs to it."""
    _person_in_play(play, action.seat)
    if not play.state.seats[action.seat].reopened:
        raise play.refusal("seat_not_open", "This seat is not open.")
    play.record(SeatRetaken(seat=action.seat, name=action.name))


def _person_in_play(play: AnyPlay, seat: int) -> None:
    in_play(play)
    state = play.state
    if not (state.keeps_presence() or state.forked):
        raise play.refusal("option_off", "This game began before bots could keep a seat.")
    if state.seats[seat].left:
        raise play.refusal("seat_left", "This seat has left the game.")
    if state.seats[seat].kind == "bot":
        raise play.refusal("bot_seat", "This is a bot's own seat.")
    if seat not in state.alive():
        raise play.refusal("seat_out", "This seat is out of the game.")


HANDLERS: Mapping[type[a.Open], Callable[[AnyPlay, int, Any], None]] = {
    a.HandOver: hand_over,
    a.HandBack: hand_back,
    a.Reopen: reopen,
    a.Retake: retake,
}
