"""Titles and houses: what they cost, who pays rent, buying, building, gentrifying, donating (SJG-20 to SJG-30)."""

from events.base import BANK, seat_account
from events.social_justice.board import Square
from events.social_justice.events import HouseAdded, TitlePassed
from events.social_justice.tasks import Transfers
from service.rules import actions_social_justice as a
from service.rules.bounds import Bound, OneOf, Range
from service.rules.social_justice.money import owe
from service.rules.social_justice.shorthand import (
    SjPlay,
    State,
    board_of,
    cash_of,
    held_by,
    is_asked,
    limit,
    number,
    ref_of,
    roles_in,
    square_under,
    title_under,
    word,
)
from service.rules.violations import Refusal


def price_of(state: State, square: Square) -> int:
    """Return the list price of a title now; houses come on top."""
    if square.key:
        return number(state, f"utility.price.{square.key}")
    return square.price * number(state, "property.price_pct") // 100


def house_cost_of(state: State, square: Square) -> int:
    """Return the cost of a house on a property now."""
    return square.house_cost * number(state, "property.house_cost_pct") // 100


def is_exempt(state: State, seat: int, square: Square) -> bool:
    """Return whether a seat donated here, and so owes no rent (SJG-28); by agreement, anywhere in the group."""
    if seat in state.titles[square.i].donors:
        return True
    if word(state, "community.scope") == "square":
        return False
    return any(s.group == square.group and seat in state.titles[s.i].donors for s in board_of(state).kind("property"))


def rent_of(state: State, seat: int, square: Square) -> int:
    """Return what a seat owes on a property of another (SJG-24); nothing where it is exempt."""
    if is_exempt(state, seat, square):
        return 0
    rent = square.rent[state.titles[square.i].houses] * number(state, "property.rent_pct") // 100
    cap = limit(state, f"property.rent_cap.{state.citizens[seat].held()}")
    return rent if cap is None else min(rent, cap)


def has_room(state: State, square: Square) -> bool:
    """Return whether another house may stand on a property (SJG-29)."""
    return square.type == "property" and state.titles[square.i].houses < number(state, "property.max_houses")


def add_house(play: SjPlay, seat: int, square: Square, *, why: str, rule: str) -> None:
    """Put a house on a property; its title shows how many there are (SJG-45)."""
    houses = play.state.titles[square.i].houses + 1
    play.record(HouseAdded(square=square.i, seat=seat, houses=houses, why=why, rule=rule))  # type: ignore[arg-type] # the caller's literal


def _too_dear(cost: int, what: str) -> Refusal:
    return Refusal("cash_too_short", f"{what} takes ${cost:,}.")


def why_not_buy(state: State, seat: int) -> Refusal | None:
    """Return why the title under the token cannot be bought right now; a loan may be taken first (SJG-20)."""
    price = price_of(state, square_under(state, seat))
    return _too_dear(price, "Buying this title") if cash_of(state, seat) < price else None


def buy(play: SjPlay, seat: int, action: a.Buy) -> None:
    """Buy the title under the token from the bank at its list price: only by landing there (SJG-20, SJG-77)."""
    play.answer(action.prompt)
    square = square_under(play.state, seat)
    price = price_of(play.state, square)
    play.move_cash(seat_account(seat), BANK, price, reason="title", rule="SJG-20", ref=ref_of(square.i))
    play.record(TitlePassed(square=square.i, seller=0, holder=seat, why="bought", rule="SJG-20"))


def why_not_pay_rent(state: State, seat: int) -> Refusal | None:
    """Return why there is no rent to pay."""
    if is_exempt(state, seat, square_under(state, seat)):
        return Refusal("exempt", "Who donated a house here owes no rent (SJG-28).")
    return None


def why_not_pass_rent(state: State, seat: int) -> Refusal | None:
    """Return why the rent cannot be passed by."""
    if is_asked(state, seat, frozenset({"rent"})) and not is_exempt(state, seat, square_under(state, seat)):
        return Refusal("rent_due", "The rent is due, unless the title is gentrified or a house donated (SJG-24).")
    return None


def pay_rent(play: SjPlay, seat: int, action: a.PayRent) -> None:
    """Pay the holder of the title under the token (SJG-6, SJG-24, SJG-75)."""
    play.answer(action.prompt)
    square, title = square_under(play.state, seat), title_under(play.state, seat)
    rent = rent_of(play.state, seat, square)
    if rent:
        play.push(Transfers(trigger="rent_paid", actor=seat, last_payment=rent))
        owe(play, seat, seat_account(title.holder), rent, reason="rent", rule="SJG-24", ref=ref_of(square.i))


def _gentrified_price(state: State, square: Square) -> int:
    return price_of(state, square) * number(state, "gentrify.price_pct") // 100


def why_not_gentrify(state: State, seat: int) -> Refusal | None:
    """Return why the title under the token cannot be taken over right now (SJG-25 to SJG-27)."""
    square, title = square_under(state, seat), title_under(state, seat)
    if not number(state, "gentrify.enabled"):
        return Refusal("gentrify_off", "Gentrification is switched off by a rule in force.")
    if title.houses:
        return Refusal("improved", "A title with a house on it cannot be gentrified (SJG-25).")
    if state.citizens[seat].role not in roles_in(state, "gentrify.allowed_roles"):
        return Refusal("role_not_allowed", "This role may not gentrify, by a rule in force.")
    if state.citizens[title.holder].role in roles_in(state, "gentrify.protected_roles"):
        return Refusal("holder_protected", "The holder's role is protected, by a rule in force.")
    least = number(state, "gentrify.min_houses")
    if least > number(state, "property.max_houses"):
        return Refusal("too_few_houses", "The rules in force ask for more houses than may stand here.")
    cost = _gentrified_price(state, square) + least * house_cost_of(state, square)
    return _too_dear(cost, "Gentrifying this title") if cash_of(state, seat) < cost else None


def gentrify_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the houses that are added at once: as the rules ask, and as far as cash goes (SJG-26)."""
    square = square_under(state, seat)
    least, most = number(state, "gentrify.min_houses"), number(state, "property.max_houses")
    cost, left = house_cost_of(state, square), cash_of(state, seat) - _gentrified_price(state, square)
    return {"houses": Range(least, most if not cost else min(most, left // cost))}


def gentrify(play: SjPlay, seat: int, action: a.Gentrify) -> None:
    """Take the title over for its price, and improve it at once; no rent is owed (SJG-25, SJG-26)."""
    play.answer(action.prompt)
    square, title = square_under(play.state, seat), title_under(play.state, seat)
    me, landlord, ref = seat_account(seat), title.holder, ref_of(square.i)
    price = _gentrified_price(play.state, square)
    play.move_cash(me, seat_account(landlord), price, reason="gentrified", rule="SJG-26", ref=ref)
    play.record(TitlePassed(square=square.i, seller=landlord, holder=seat, why="gentrified", rule="SJG-25"))
    for _ in range(action.houses):
        play.move_cash(me, BANK, house_cost_of(play.state, square), reason="house", rule="SJG-26", ref=ref)
        add_house(play, seat, square, why="gentrified", rule="SJG-26")


def _donor_cost(state: State, square: Square) -> int:
    return house_cost_of(state, square) * number(state, "community.donor_cost_pct") // 100


def _needy(state: State, seat: int) -> list[Square]:
    """List the properties of others that a seat may donate to: the one under its token while rent is asked there."""
    here = is_asked(state, seat, frozenset({"rent"}))
    squares = [square_under(state, seat)] if here else board_of(state).kind("property")
    return [s for s in squares if state.titles[s.i].holder not in (0, seat) and has_room(state, s)]


def why_not_donate(state: State, seat: int) -> Refusal | None:
    """Return why no house can be donated right now (SJG-28, SJG-29)."""
    if not number(state, "community.enabled"):
        return Refusal("community_off", "Donating houses is switched off by a rule in force.")
    needy = _needy(state, seat)
    if not needy:
        return Refusal("nothing_to_donate_to", "No title of another here has room for a house (SJG-29).")
    cost = min(_donor_cost(state, square) for square in needy)
    return _too_dear(cost, "Donating a house") if cash_of(state, seat) < cost else None


def donate_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the property: of another, with room, within cash."""
    cash = cash_of(state, seat)
    return {"square": OneOf(tuple(s.i for s in _needy(state, seat) if _donor_cost(state, s) <= cash))}


def donate(play: SjPlay, seat: int, action: a.Donate) -> None:
    """Donate a house: never again rent there, and none now (SJG-28)."""
    if is_asked(play.state, seat, frozenset({"rent"})):
        play.answer(action.prompt)
    square = board_of(play.state).squares[action.square]
    cost = _donor_cost(play.state, square)
    play.move_cash(seat_account(seat), BANK, cost, reason="donation", rule="SJG-28", ref=ref_of(square.i))
    add_house(play, seat, square, why="donated", rule="SJG-28")


def _buildable(state: State, seat: int) -> list[Square]:
    cash = cash_of(state, seat)
    return [s for s in held_by(state, seat) if has_room(state, s) and house_cost_of(state, s) <= cash]


def why_not_build(state: State, seat: int) -> Refusal | None:
    """Return why no house can be built right now (SJG-30)."""
    own = [square for square in held_by(state, seat) if has_room(state, square)]
    if not own:
        return Refusal("nothing_to_build_on", "No property of this seat has room for a house (SJG-76).")
    if not _buildable(state, seat):
        return _too_dear(min(house_cost_of(state, square) for square in own), "A house")
    return None


def build_bounds(state: State, seat: int) -> dict[str, Bound]:
    """Bound the property: one's own, with room, within cash."""
    return {"square": OneOf(tuple(square.i for square in _buildable(state, seat)))}


def build(play: SjPlay, seat: int, action: a.Build) -> None:
    """Build one house on a property of one's own; the prompt stays open for more (SJG-21, SJG-30)."""
    square = board_of(play.state).squares[action.square]
    cost = house_cost_of(play.state, square)
    play.move_cash(seat_account(seat), BANK, cost, reason="house", rule="SJG-30", ref=ref_of(square.i))
    add_house(play, seat, square, why="built", rule="SJG-30")
