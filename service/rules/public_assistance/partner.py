"""The partner on the Government Cake Walk (PA-44 to PA-47)."""

from events.public_assistance.events import PartnerMoved, PartnerPlaced, PartnerRemoved
from service.rules.public_assistance.money import obey
from service.rules.public_assistance.shorthand import PaPlay, board_of, ref_of


def govt_job(play: PaPlay, seat: int) -> None:
    """Land on Gov't Job or draw such a card: place the partner, or offer a roll if it is there (PA-45, PA-46)."""
    if play.state.players[seat].partner >= 0:
        play.open_prompt(seat, "partner_roll", why="govt_job")
        return
    play.record(PartnerPlaced(seat=seat))
    roll(play, seat, why="placed")


def roll(play: PaPlay, seat: int, *, why: str) -> None:
    """Roll one die once for the partner, move it and obey the block; the walk is a loop."""
    player, walk = play.state.players[seat], board_of(play.state).cake_walk
    (face,) = play.roll(seat, "partner", seat, player.own, why, count=1)
    start = player.partner
    block = walk[(start + face) % len(walk)]
    play.record(PartnerMoved(seat=seat, from_block=start, to_block=block.i))
    rule = "PA-45" if why == "placed" else "PA-46"
    obey(play, seat, block, reason="partner", rule=rule, ref=ref_of("cake_walk", block.i))
    if block.type == "conscience":
        play.record(PartnerRemoved(seat=seat, how="conscience"))
