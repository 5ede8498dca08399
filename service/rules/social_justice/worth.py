"""What a seat has: means to pay a debt, and net worth (SJG-3, SJG-9)."""

from dataclasses import dataclass

from events.boards_social_justice import Square
from service.rules.social_justice.table import State, cash_of, held_by, number
from service.rules.social_justice.titles import house_cost_of, price_of


@dataclass(frozen=True)
class Worth:
    """What a seat is worth, item by item."""

    cash: int
    titles: int
    houses: int
    owed: int
    receivable: int

    @property
    def net(self) -> int:
        """All of it together."""
        return self.cash + self.titles + self.houses - self.owed + self.receivable


def bank_price(state: State, square: Square) -> int:
    """Give what the automatic bank pays for a title and its houses (SJG-10)."""
    houses = state.titles[square.i].houses * house_cost_of(state, square)
    title = price_of(state, square) * number(state, "property.resale_pct") // 100
    return title + houses * number(state, "property.house_resale_pct") // 100


def means(state: State, seat: int) -> int:
    """Give what a seat could raise."""
    return cash_of(state, seat) + sum(bank_price(state, square) for square in held_by(state, seat))


def parts(state: State, seat: int) -> Worth:
    """Count what a seat is worth."""
    own = held_by(state, seat)
    return Worth(
        cash=cash_of(state, seat),
        titles=sum(price_of(state, square) for square in own),
        houses=sum(state.titles[square.i].houses * house_cost_of(state, square) for square in own),
        owed=0,
        receivable=0,
    )
