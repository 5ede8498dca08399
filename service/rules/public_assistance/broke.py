"""Out of money on the promenade (PA-28, PA-29): to the 1st with an emergency grant, and a turn is missed."""

from events.public_assistance.events import SkipAdded
from service.rules.public_assistance.money import collect
from service.rules.public_assistance.placing import cancel_cheat, place
from service.rules.public_assistance.shorthand import PaPlay, cash_of, player_of


def run_out_of_money(play: PaPlay, seat: int) -> bool:
    """Send a promenade player whose cash is exactly 0 to the 1st; true when it happened.

    That trip is no time around: no month, no grant, nobody is bumped (PA-29). What else of the turn is void, the caller
    decides.
    """
    player = player_of(play, seat)
    if player.track != "promenade" or cash_of(play.state, seat) > 0:
        return False
    cancel_cheat(play, seat)
    if player.block:
        place(play, seat, "promenade", 0, how="emergency", rule="PA-28")
    collect(play, seat, play.option("emergency"), reason="emergency_grant", rule="PA-28", ref="promenade:0")
    play.record(SkipAdded(seat=seat, skips=player.skips + 1, rule="PA-28"))
    return True
