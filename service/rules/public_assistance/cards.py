"""Benefit and Burden cards (PA-41 to PA-43): drawing one, and what each kind does.

`advance` is a movement and lives with the blocks in `landing`.
"""

from collections.abc import Callable, Mapping

from events.base import seat_account
from events.play import CardKept, CardReturned
from events.public_assistance.board import Card
from events.public_assistance.events import ChildGained, SkipAdded
from service.rules.public_assistance import partner, side_tracks
from service.rules.public_assistance.money import collect, pay
from service.rules.public_assistance.placing import go_on_welfare
from service.rules.public_assistance.shorthand import PaPlay, cash_of, deck_of

Effect = Callable[[PaPlay, int, Card], None]
REASON = "card"


def draw(play: PaPlay, seat: int, deck: str) -> Card:
    """Draw a card; an immediate one is at the bottom again before it is obeyed (PA-41, PA-42)."""
    card = play.draw(seat, deck, deck_of(play.state, deck))
    if card.kind in ("keep_monthly", "keep_exemption"):
        play.record(CardKept(seat=seat, deck=deck, card=card.id))
    else:
        play.record(CardReturned(seat=seat, deck=deck, card=card.id, kept=False))
    return card


def _keep(_play: PaPlay, _seat: int, _card: Card) -> None:
    """A kept card does nothing when it is drawn; it pays at each 1st or waives a job later (PA-43)."""


def _collect(play: PaPlay, seat: int, card: Card) -> None:
    collect(play, seat, card.amount, reason=REASON, rule="PA-42", ref=card.id)


def _collect_per_child(play: PaPlay, seat: int, card: Card) -> None:
    collect(play, seat, card.amount * play.state.players[seat].children, reason=REASON, rule="PA-42", ref=card.id)


def _pay(play: PaPlay, seat: int, card: Card) -> None:
    pay(play, seat, card.amount, reason=REASON, rule="PA-42", ref=card.id)


def _pay_pct(play: PaPlay, seat: int, card: Card) -> None:
    pay(play, seat, cash_of(play.state, seat) * card.pct // 100, reason=REASON, rule="PA-42", ref=card.id)


def _gain_child(play: PaPlay, seat: int, _card: Card) -> None:
    """A child by a card: nobody pays for it (PA-15)."""
    play.record(ChildGained(seat=seat, children=play.state.players[seat].children + 1))


def _rut_pays_you(play: PaPlay, seat: int, card: Card) -> None:
    for payer in play.seats_from_left_of(seat):
        if play.state.players[payer].track == "rut":
            pay(play, payer, card.amount, payee=seat_account(seat), reason=REASON, rule="PA-42", ref=card.id)


def _pay_each_promenade(play: PaPlay, seat: int, card: Card) -> None:
    for payee in play.seats_from_left_of(seat):
        if play.state.players[payee].track == "promenade":
            pay(play, seat, card.amount, payee=seat_account(payee), reason=REASON, rule="PA-42", ref=card.id)


def _rut_collect_each(play: PaPlay, seat: int, card: Card) -> None:
    for payee in play.seats_from_left_of(seat):
        if play.state.players[payee].track == "rut":
            collect(play, payee, card.amount, reason=REASON, rule="PA-42", ref=card.id)


def _lose_turn(play: PaPlay, seat: int, _card: Card) -> None:
    play.record(SkipAdded(seat=seat, skips=play.state.players[seat].skips + 1, rule="PA-57"))


EFFECTS: Mapping[str, Effect] = {
    "collect": _collect,
    "collect_per_child": _collect_per_child,
    "pay": _pay,
    "pay_pct": _pay_pct,
    "gain_child": _gain_child,
    "govt_job": lambda play, seat, _card: partner.govt_job(play, seat),
    "go_track": lambda play, seat, card: side_tracks.run(play, seat, card.track),
    "union_job": lambda play, seat, card: side_tracks.run(play, seat, card.kind),
    "business": lambda play, seat, card: side_tracks.run(play, seat, card.kind),
    "keep_exemption": _keep,
    "keep_monthly": _keep,
    "rut_pays_you": _rut_pays_you,
    "pay_each_promenade": _pay_each_promenade,
    "rut_collect_each": _rut_collect_each,
    "lose_turn": _lose_turn,
    "go_on_welfare": lambda play, seat, _card: go_on_welfare(play, seat, rule="PA-56"),
}
"""What each kind of card does, but for `advance`."""
