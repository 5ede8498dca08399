"""Sales of titles and utilities with their houses, to a player or to the bank (SJG-10)."""

from events.base import BANK, seat_account
from events.deals import SaleTerms, TitleSold
from events.play import Part
from service.rules.social_justice import money, worth
from service.rules.social_justice.table import SjPlay, State, is_in, square_at, window_of
from service.rules.violations import Refusal

MOST_PRICE = 1_000_000


def why_not_sell(state: State, terms: SaleTerms) -> Refusal | None:
    """Say why a sale on these terms is not possible, whatever cash there is."""
    if state.titles[terms.square].holder != terms.seller:
        return Refusal("not_the_holder", f"Seat {terms.seller} does not hold this title (any more).", "square")
    if terms.buyer and not is_in(state, terms.buyer):
        return Refusal("not_in_game", "The buyer is out of the game.", "buyer")
    if terms.buyer and window_of(state, terms.buyer):
        return Refusal("in_debt", f"Seat {terms.buyer} has a debt to meet before buying (SJG-9).")
    return None


def sell(play: SjPlay, terms: SaleTerms, *, rule: str = "SJG-10", breakdown: tuple[Part, ...] = ()) -> None:
    """Move title, houses and price at once; the buyer has the cash."""
    _hand_over(play, square=terms.square, seller=terms.seller, buyer=terms.buyer, price=terms.price, rule=rule)
    money.transfer(
        play,
        payer=seat_account(terms.buyer) if terms.buyer else BANK,
        payee=seat_account(terms.seller),
        amount=terms.price,
        reason="title_sold",
        rule=rule,
        ref=f"square:{terms.square}",
        breakdown=breakdown,
    )


def sell_to_policy(play: SjPlay, seat: int, square: int, *, rule: str = "SJG-10") -> None:
    """Sell a title to the automatic bank at what it pays, which may be nothing (SJG-9, SJG-10)."""
    parts = worth.resale(play.state, square)
    price = sum(part.amount for part in parts)
    if price:
        terms = SaleTerms(square=square, seller=seat, buyer=0, price=price)
        sell(play, terms, rule=rule, breakdown=parts if len(parts) > 1 else ())
    else:
        _hand_over(play, square=square, seller=seat, buyer=0, price=0, rule=rule)


def _hand_over(play: SjPlay, *, square: int, seller: int, buyer: int, price: int, rule: str) -> None:
    play.record(
        TitleSold(
            square=square,
            utility=square_at(play.state, square).key,
            seller=seller,
            buyer=buyer,
            price=price,
            houses=play.state.titles[square].houses,
            rule=rule,
        )
    )
