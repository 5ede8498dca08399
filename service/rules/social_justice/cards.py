"""Change cards (SJG-37, SJG-38): drawing one, for whom it is, and what each kind does."""

from collections.abc import Callable, Mapping

from events.base import BANK, seat_account
from events.play import CardKept, CardReturned, ChainStopped
from events.social_justice.board import ROLES, ChangeCard
from events.social_justice.events import CardIgnored, RoleChanged
from events.social_justice.tasks import AnyTask, Arrest, Ask, Charge, Draw
from service.rules import actions_social_justice as a
from service.rules.bounds import Bound, OneOf
from service.rules.social_justice import movement, titles
from service.rules.social_justice.money import collect
from service.rules.social_justice.shorthand import (
    SjPlay,
    State,
    board_of,
    card_of,
    cash_of,
    citizen_of,
    deck_of,
    held_by,
)
from service.rules.violations import Refusal

DECK = "change"
RULE = "SJG-37"
MOST_CHAINED = 8
"""Cap on directed moves in a chain; what would come after is left out, and an event records that."""


def draw(play: SjPlay, task: Draw) -> None:
    """Draw a card and obey it; further draws lapse once the token has moved (`change.draws`)."""
    seat, citizen = task.seat, citizen_of(play, task.seat)
    if citizen.square != task.square or citizen.jailed:
        return
    if task.left > 1:
        play.push(Draw(seat=seat, left=task.left - 1, square=task.square, chained=task.chained))
    card = play.draw(seat, DECK, deck_of(play.state))
    meant = card.scope != "drawer" or citizen.role in card.roles
    if meant and card.kind == "keep_jail_pass":
        play.record(CardKept(seat=seat, deck=DECK, card=card.id))
        return
    play.record(CardReturned(seat=seat, deck=DECK, card=card.id, kept=False))
    if not meant:
        play.record(CardIgnored(seat=seat, card=card.id, why="other_role"))
    elif card.kind == "go_to":
        _go_to(play, seat, card, task.chained)
    else:
        EFFECTS[card.kind](play, seat, card)


def _go_to(play: SjPlay, seat: int, card: ChangeCard, chained: int) -> None:
    if chained >= MOST_CHAINED:
        play.record(ChainStopped(seat=seat, moves=chained))
    elif card.collect_payday:
        movement.advance(play, seat, card.to, chained=chained + 1)
    else:
        movement.direct(play, seat, card.to, chained=chained + 1)


def _collect(play: SjPlay, seat: int, card: ChangeCard) -> None:
    holders = [other for other in play.in_order() if citizen_of(play, other).role in card.roles]
    for payee in holders if card.scope == "all" else [seat]:
        collect(play, payee, card.amount, reason="card", rule=RULE, ref=card.id)


def _charge(payer: int, payee: str, amount: int, card: ChangeCard) -> AnyTask:
    return Charge(seat=payer, payee=payee, amount=amount, reason="card", rule=RULE, ref=card.id)


def _pay_per_house(play: SjPlay, seat: int, card: ChangeCard) -> None:
    houses = sum(play.state.titles[square.i].houses for square in held_by(play.state, seat))
    if houses:
        play.push(_charge(seat, BANK, card.amount * houses, card))
    else:
        _nothing_to_do(play, seat, card)


def _nothing_to_do(play: SjPlay, seat: int, card: ChangeCard) -> None:
    play.record(CardIgnored(seat=seat, card=card.id, why="nothing_to_do"))


def _utility_owner_pays_each(play: SjPlay, seat: int, card: ChangeCard) -> None:
    """Charge the holder of a utility for every other player, one after the other."""
    holder = play.state.titles[board_of(play.state).utility(card.utility).i].holder
    if holder:
        others = [other for other in play.in_order() if other != holder]
        play.push(*(_charge(holder, seat_account(other), card.amount, card) for other in others))
    else:
        _nothing_to_do(play, seat, card)


def _pay_each_role(play: SjPlay, seat: int, card: ChangeCard) -> None:
    roles = card.to_roles
    payees = [other for other in play.in_order() if other != seat and citizen_of(play, other).role in roles]
    if not payees:
        _nothing_to_do(play, seat, card)
    play.push(*(_charge(seat, seat_account(other), card.amount, card) for other in payees))


def _set_role(play: SjPlay, seat: int, card: ChangeCard) -> None:
    """Change the role, never to one below what enlisting gave a veteran (SJG-53)."""
    citizen = citizen_of(play, seat)
    role, floor = card.role, citizen.role_floor
    assert role, "a card that changes a role names one"
    if floor and ROLES.index(role) < ROLES.index(floor):
        _nothing_to_do(play, seat, card)
    else:
        play.record(RoleChanged(seat=seat, role=role, before=citizen.held(), why="card", floor=floor, rule=RULE))


def _free_house(play: SjPlay, seat: int, card: ChangeCard) -> None:
    if roomy(play.state, seat):
        play.push(Ask(seat=seat, kind="free_house", why=card.id))
    else:
        _nothing_to_do(play, seat, card)


EFFECTS: Mapping[str, Callable[[SjPlay, int, ChangeCard], None]] = {
    "go_to_jail": lambda play, seat, _card: play.push(Arrest(seat=seat)),
    "collect": _collect,
    "set_role": _set_role,
    "pay": lambda play, seat, card: play.push(_charge(seat, BANK, card.amount, card)),
    "pay_per_house": _pay_per_house,
    "utility_owner_pays_each": _utility_owner_pays_each,
    "pay_or_jail": lambda play, seat, card: play.push(Ask(seat=seat, kind="pay_or_jail", why=card.id)),
    "free_house": _free_house,
    "pay_each_role": _pay_each_role,
}
"""What each kind of card does, but for kept ones and `go_to`."""


def fine_of(state: State, seat: int) -> ChangeCard:
    """Return the card that asks a seat to pay or go to jail."""
    prompt = next(p for p in state.prompts.values() if p.seat == seat and p.kind == "pay_or_jail")
    return card_of(state, prompt.why)


def why_not_pay_fine(state: State, seat: int) -> Refusal | None:
    """Return why the fine cannot be paid right now."""
    amount = fine_of(state, seat).amount
    if cash_of(state, seat) < amount:
        return Refusal("cash_too_short", f"The fine is ${amount:,} (SJG-37).")
    return None


def pay_fine(play: SjPlay, seat: int, action: a.PayFine) -> None:
    """Pay and stay where one is."""
    card = fine_of(play.state, seat)
    play.answer(action.prompt)
    play.move_cash(seat_account(seat), BANK, card.amount, reason="card", rule=RULE, ref=card.id)


def go_to_jail(play: SjPlay, seat: int, action: a.GoToJail) -> None:
    """Go to jail instead, as from Go to Jail (SJG-61 to SJG-64)."""
    play.answer(action.prompt)
    play.push(Arrest(seat=seat))


def roomy(state: State, seat: int) -> list[int]:
    """List the properties of a seat with room for a house: highest list price first, then lower index (SJG-86)."""
    own = [square for square in held_by(state, seat) if titles.has_room(state, square)]
    return [square.i for square in sorted(own, key=lambda square: (-square.price, square.i))]


def house_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the property that gets the free house."""
    return {"square": OneOf(tuple(roomy(state, seat)))}


def take_house(play: SjPlay, seat: int, action: a.TakeHouse) -> None:
    """Put the free house on a property of one's own."""
    play.answer(action.prompt)
    titles.add_house(play, seat, board_of(play.state).squares[action.square], why="card", rule=RULE)
