"""Out of money on the promenade (PA-28, PA-29): to the 1st with an emergency grant, and a turn is missed."""

from events.public_assistance.events import SkipAdded
from service.rules.public_assistance import movement
from service.rules.public_assistance.money import collect
from service.rules.public_assistance.table import PaPlay, cash_of, player_of


def run_out_of_money(play: PaPlay, seat: int) -> bool:
    """Send a promenade player whose cash is exactly 0 to the 1st; true when it happened.

    That trip is no time around: no month, no grant, nobody is bumped (PA-29). Whoever's turn it is decides what else
    is void.
    """
    player = player_of(play, seat)
    if player.track != "promenade" or cash_of(play.state, seat) > 0:
        return False
    movement.cancel_cheat(play, seat)
    if player.block:
        movement.place(play, seat, "promenade", 0, how="emergency", rule="PA-28")
    collect(play, seat, play.option("emergency"), reason="emergency_grant", rule="PA-28", ref="promenade:0")
    play.record(SkipAdded(seat=seat, skips=player.skips + 1, rule="PA-28"))
    return True
