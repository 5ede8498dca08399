"""The monthly grant and the count of months (PA-5, PA-11 to PA-13)."""

from events.play import Part
from events.public_assistance.events import MonthCounted
from service.rules.public_assistance.money import collect
from service.rules.public_assistance.shorthand import PaPlay, deck_of


def grant_parts(play: PaPlay, seat: int) -> tuple[Part, ...]:
    """Itemise a seat's monthly grant: base, first child, further children, each kept card (PA-11 to PA-13)."""
    player, deck = play.state.players[seat], deck_of(play.state, "benefit")
    parts = [Part(what="base", amount=play.option("grant"))]
    if player.children:
        parts.append(Part(what="first_child", amount=play.option("child_first")))
    if player.children > 1:
        parts.append(Part(what="more_children", amount=play.option("child_more") * (player.children - 1)))
    kept = [deck[card] for card in player.kept]
    parts += [Part(what=f"card:{card.id}", amount=card.amount) for card in kept if card.kind == "keep_monthly"]
    return tuple(part for part in parts if part.amount)


def pay_grant(play: PaPlay, seat: int, *, rule: str, ref: str, times: int = 1) -> None:
    """Pay a seat its monthly grant, perhaps several times over."""
    parts = tuple(Part(what=part.what, amount=part.amount * times) for part in grant_parts(play, seat))
    amount = sum(part.amount for part in parts)
    collect(play, seat, amount, reason="monthly_grant", rule=rule, ref=ref, breakdown=parts)


def count_month(play: PaPlay, seat: int) -> None:
    """Advance a seat's marker (PA-5)."""
    play.record(MonthCounted(seat=seat, month=play.state.players[seat].month + 1))


def reach_first(play: PaPlay, seat: int, *, rule: str) -> None:
    """Credit the 1st of the Month, reached or passed: the grant and the month."""
    pay_grant(play, seat, rule=rule, ref="promenade:0")
    count_month(play, seat)
