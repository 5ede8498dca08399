"""Get a Job (PA-30, PA-31): into the rut, without children and cards, unless a kept waiver cancels it."""

from events.play import CardReturned
from events.public_assistance.events import ChildrenTurnedIn, WaiverUsed
from service.rules.public_assistance.placing import cancel_cheat, place
from service.rules.public_assistance.shorthand import PaPlay, State, block_under, deck_of


def waivers(state: State, seat: int) -> list[str]:
    """List the kept cards that cancel one Get a Job, the one held longest first."""
    deck = deck_of(state, "benefit")
    return [card for card in state.players[seat].kept if deck[card].kind == "keep_exemption"]


def get_a_job(play: PaPlay, seat: int) -> None:
    """Stand on a Get a Job block in one's own turn: a holder of a waiver is asked first (PA-30)."""
    if waivers(play.state, seat):
        play.open_prompt(seat, "waiver")
    else:
        take_job(play, seat, enters=block_under(play, seat).enters)


def use_waiver(play: PaPlay, seat: int) -> None:
    """Cancel the job by the waiver held longest; the piece stays where it is."""
    card = waivers(play.state, seat)[0]
    play.record(WaiverUsed(seat=seat, card=card))
    play.record(CardReturned(seat=seat, deck="benefit", card=card, kept=True))


def take_job(play: PaPlay, seat: int, *, enters: int) -> None:
    """Move to a time clock of the rut; children and kept cards are turned in."""
    cancel_cheat(play, seat)
    place(play, seat, "rut", enters, how="job", rule="PA-30")
    turn_in(play, seat)


def turn_in(play: PaPlay, seat: int) -> None:
    """Turn in all children, and all kept cards in order of acquisition (PA-31)."""
    player = play.state.players[seat]
    if player.children:
        play.record(ChildrenTurnedIn(seat=seat, children=player.children))
    for card in player.kept:
        play.record(CardReturned(seat=seat, deck="benefit", card=card, kept=True))
