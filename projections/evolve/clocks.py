"""How pauses, credited outages and bots in a person's seat change the state."""

from collections.abc import Mapping

from msgspec.structs import replace

from events import clocks
from projections.evolve.play import Handlers
from projections.state.base import GameState


def game_paused(state: GameState, _event: clocks.GamePaused) -> None:
    """The clocks stand still; deadlines are read against this moment."""
    state.paused = state.at


def game_resumed(state: GameState, event: clocks.GameResumed) -> None:
    """The clocks run on."""
    # Times before the pause move with it: they are as long ago as they were then.
    state.paused, state.credited = 0, state.at
    for prompt in state.prompts.values():
        state.prompts[prompt.prompt] = replace(prompt, opened=prompt.opened + event.paused_for)
    for number, seat in state.seats.items():
        if seat.acted:
            state.seats[number] = replace(seat, acted=seat.acted + event.paused_for)
    _move(state, event.deadlines)


def outage_credited(state: GameState, event: clocks.OutageCredited) -> None:
    """Deadlines are later, and this outage is not credited again."""
    state.credited = event.until
    _move(state, event.deadlines)


def _move(state: GameState, deadlines: Mapping[str, int]) -> None:
    for prompt, deadline in deadlines.items():
        state.prompts[prompt] = replace(state.prompts[prompt], deadline=deadline)


def bot_took_over(state: GameState, event: clocks.BotTookOver) -> None:
    """A bot plays here for now."""
    state.seats[event.seat] = replace(state.seats[event.seat], keeper=event.level)


def seat_handed_back(state: GameState, event: clocks.SeatHandedBack) -> None:
    """The person is back; missed deadlines are counted again from zero."""
    state.seats[event.seat] = replace(state.seats[event.seat], keeper="", missed=0)


def seat_reopened(state: GameState, event: clocks.SeatReopened) -> None:
    """Anyone who has the new code may take the seat."""
    state.seats[event.seat] = replace(state.seats[event.seat], reopened=True)


def seat_retaken(state: GameState, event: clocks.SeatRetaken) -> None:
    """Another person plays here, under another name."""
    state.seats[event.seat] = replace(state.seats[event.seat], name=event.name, keeper="", missed=0, reopened=False)


HANDLERS: Handlers = {
    clocks.GamePaused: game_paused,
    clocks.GameResumed: game_resumed,
    clocks.OutageCredited: outage_credited,
    clocks.BotTookOver: bot_took_over,
    clocks.SeatHandedBack: seat_handed_back,
    clocks.SeatReopened: seat_reopened,
    clocks.SeatRetaken: seat_retaken,
}
