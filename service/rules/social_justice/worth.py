"""What things are worth: list prices, what the automatic bank pays, means to meet a debt, net worth (SJG-3, SJG-9)."""

from events.play import Part
from service.rules.social_justice import loans
from service.rules.social_justice.shorthand import State, board_of, cash_of, held_by, number


def list_price(state: State, square: int) -> int:
    """Return the list price of a title; that of a utility can be voted on."""
    place = board_of(state).squares[square]
    return number(state, f"utility.price.{place.key}") if place.key else place.price


def resale(state: State, square: int) -> tuple[Part, ...]:
    """Return what the automatic bank pays for a title and for the houses on it, each rounded down (SJG-10)."""
    place, title = board_of(state).squares[square], state.titles[square]
    for_title = list_price(state, square) * number(state, "property.resale_pct") // 100
    houses = title.houses * place.house_cost * number(state, "property.house_resale_pct") // 100
    return tuple(
        Part(what=what, amount=amount) for what, amount in (("title", for_title), ("houses", houses)) if amount
    )


def resale_price(state: State, square: int) -> int:
    """Return what the automatic bank pays for a title with its houses."""
    return sum(part.amount for part in resale(state, square))


def titles_of(state: State, seat: int) -> list[int]:
    """List the squares whose titles a seat holds, utilities included, in the order of the board."""
    return [square.i for square in held_by(state, seat)]


def saleable(state: State, seat: int) -> list[int]:
    """List what a debtor could sell to the automatic bank, cheapest list price first, lower index on a tie (SJG-9).

    What a banker's seat declined in the seat's raise-funds window is left out.
    """
    declined = loans.declined_by_banker(state, seat)
    return sorted(set(titles_of(state, seat)) - declined, key=lambda square: (list_price(state, square), square))


def means(state: State, seat: int) -> int:
    """Return what a seat could pay a debt with: cash, all titles at what the automatic bank pays, a loan (SJG-9)."""
    titles = sum(resale_price(state, square) for square in saleable(state, seat))
    return cash_of(state, seat) + titles + loans.bank_loan_cap(state, seat)


def net_worth(state: State, seat: int) -> int:
    """Return what a seat is worth: cash, titles and houses at list price, loans at the amount due (SJG-3)."""
    titles = sum(list_price(state, square) + houses_cost(state, square) for square in titles_of(state, seat))
    owed = sum(loan.owed for loan in state.deals.owed_by(seat))
    receivable = sum(loan.owed for loan in state.deals.owed_to(seat))
    return cash_of(state, seat) + titles + receivable - owed


def houses_cost(state: State, square: int) -> int:
    """Return what the houses on a title cost at list price."""
    return state.titles[square].houses * board_of(state).squares[square].house_cost
