"""How a fork begins: the state of its parent, with the seats of persons open."""

from msgspec.structs import replace

from events.forks import GameForked
from projections.evolve.play import Handlers
from projections.state.base import GameState


def game_forked(state: GameState, event: GameForked) -> None:
    """The seats of persons are open, and open prompts have no deadline."""
    state.forked, state.chance_of, state.paused = event.version + 1, event.chance, 0
    for number in state.alive():
        if state.seats[number].kind == "person":
            state.seats[number] = replace(state.seats[number], name="", host=False, keeper="", missed=0, reopened=True)
    for prompt in state.prompts.values():
        state.prompts[prompt.prompt] = replace(prompt, deadline=None, opened=state.at)


HANDLERS: Handlers = {GameForked: game_forked}
