"""Landing: what each kind of block of the two loops does to the piece that arrives on it."""

from collections.abc import Callable, Mapping

from events.base import CUSTODIAN, seat_account
from events.play import ChainStopped
from events.public_assistance.board import Block
from events.public_assistance.events import CheatGranted, ChildGained
from service.rules.public_assistance import cards, job, movement, partner, side_tracks
from service.rules.public_assistance.grants import pay_grant
from service.rules.public_assistance.money import collect, pay
from service.rules.public_assistance.placing import go_on_welfare
from service.rules.public_assistance.shorthand import PaPlay, block_under, ref_of, stopped

MOST_CHAINED = 8
"""Cap on directed moves in a chain; what would come after is left out, and an event records that."""


def land(play: PaPlay, seat: int, *, chained: int = 0) -> None:
    """Do what the block under the piece says, once, unless the move has stopped the turn."""
    if stopped(play):
        return
    block = block_under(play, seat)
    if block.type == "advance":
        advance(play, seat, block.to, rule="PA-34", chained=chained)
    elif block.type in ("benefit", "burden"):
        _card(play, seat, block, chained)
    else:
        BLOCKS[block.type](play, seat, block)


def advance(play: PaPlay, seat: int, to: int, *, rule: str, chained: int) -> None:
    """Move on to another block of the same loop, forward and with all crossings, and land there (PA-34)."""
    if chained >= MOST_CHAINED:
        play.record(ChainStopped(seat=seat, moves=chained))
        return
    movement.travel(play, seat, movement.steps_to(play, seat, to), how="advance", rule=rule)
    land(play, seat, chained=chained + 1)


def _card(play: PaPlay, seat: int, block: Block, chained: int) -> None:
    card = cards.draw(play, seat, block.type)
    if card.kind == "advance":
        advance(play, seat, card.to, rule="PA-34" if block.type == "burden" else "PA-42", chained=chained)
    else:
        cards.EFFECTS[card.kind](play, seat, card)


def _nothing(_play: PaPlay, _seat: int, _block: Block) -> None:
    """A block that only stands there, or whose whole effect was the crossing."""


def _collect(play: PaPlay, seat: int, block: Block) -> None:
    collect(play, seat, block.amount, reason="block", rule="PA-10", ref=_ref(play, seat))


def _pay(play: PaPlay, seat: int, block: Block) -> None:
    pay(play, seat, block.amount, reason="block", rule="PA-10", ref=_ref(play, seat))


def _collect_grant(play: PaPlay, seat: int, block: Block) -> None:
    """Several monthly grants at once; no month is counted."""
    pay_grant(play, seat, rule="PA-13", ref=_ref(play, seat), times=block.multiplier)


def _child(play: PaPlay, seat: int, _block: Block) -> None:
    """One child more; each working player pays for it (PA-15)."""
    play.record(ChildGained(seat=seat, children=play.state.players[seat].children + 1))
    payee = seat_account(seat) if play.state.options["child_levy_to"] == "player" else CUSTODIAN
    levy, ref = play.option("child_levy"), _ref(play, seat)
    for payer in play.seats_from_left_of(seat):
        if play.state.players[payer].track == "rut":
            pay(play, payer, levy, payee=payee, reason="child_levy", rule="PA-15", ref=ref)


def _ref(play: PaPlay, seat: int) -> str:
    player = play.state.players[seat]
    return ref_of(player.track, player.block)


BLOCKS: Mapping[str, Callable[[PaPlay, int, Block], None]] = {
    "first_of_month": _nothing,
    "month_line": _nothing,
    "pay_day": _nothing,
    "rest": _nothing,
    "time_clock": _nothing,
    "collect": _collect,
    "pay": _pay,
    "collect_grant": _collect_grant,
    "child": _child,
    "saturday": lambda play, seat, block: side_tracks.run(play, seat, block.track),
    "union_job": lambda play, seat, block: side_tracks.run(play, seat, block.type),
    "business": lambda play, seat, block: side_tracks.run(play, seat, block.type),
    "get_a_job": lambda play, seat, _block: job.get_a_job(play, seat),
    "govt_job": lambda play, seat, _block: partner.govt_job(play, seat),
    "go_on_welfare": lambda play, seat, _block: go_on_welfare(play, seat, rule="PA-56"),
    "cheat": lambda play, seat, _block: play.record(CheatGranted(seat=seat)),
}
"""What each kind of block does, but for `advance` and the cards."""
