"""The Jail Jaunt (PA-17 to PA-19): one die a turn from the lock-up, until a block lets the player out."""

from events.public_assistance.board import Block
from service.rules.public_assistance import job
from service.rules.public_assistance.money import obey
from service.rules.public_assistance.placing import go_on_welfare, place
from service.rules.public_assistance.shorthand import PaPlay, board_of, ref_of


def jail_turn(play: PaPlay, seat: int) -> None:
    """Roll one die along the jail; past the last block counts as the last (PA-18)."""
    player, line = play.state.players[seat], board_of(play.state).jail
    (face,) = play.roll(seat, "jail", seat, player.own, count=1)
    block = line[min(player.block + face, len(line) - 1)]
    place(play, seat, "jail", block.i, how="roll", rule="PA-18")
    _leave(play, seat, block)


def _leave(play: PaPlay, seat: int, block: Block) -> None:
    obey(play, seat, block, reason="block", rule="PA-18", ref=ref_of("jail", block.i))
    if block.type == "lockup_return":
        place(play, seat, "jail", 0, how="lockup", rule="PA-18")
    elif block.type == "back_on_welfare":
        go_on_welfare(play, seat, rule="PA-19")
    elif block.type == "get_a_job":
        job.get_a_job(play, seat)
