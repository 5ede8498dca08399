"""Sales of titles and utilities with their houses, to a player or to the bank (SJG-10)."""

from events.play import Part
from events.social_justice.deals import SaleTerms
from events.social_justice.events import HousesRemoved, TitlePassed
from service.rules.social_justice import money, worth
from service.rules.social_justice.shorthand import SjPlay, State, account_of, ref_of
from service.rules.violations import Refusal

MOST_PRICE = 1_000_000


def why_not_sell(state: State, terms: SaleTerms) -> Refusal | None:
    """Return why a sale on these terms is not possible, whatever cash there is."""
    title = state.titles.get(terms.square)
    if title is None or title.holder != terms.seller:
        return Refusal("not_the_holder", f"Seat {terms.seller} does not hold this title.", "square")
    if terms.buyer and terms.buyer not in state.alive():
        return Refusal("not_in_game", f"Seat {terms.buyer} is not in the game.", "buyer")
    if terms.buyer and money.window_of(state, terms.buyer):
        return Refusal("in_debt", f"Seat {terms.buyer} has a debt to meet before buying (SJG-9).")
    return None


def sell(play: SjPlay, terms: SaleTerms) -> None:
    """Move title, houses and price at once; the buyer has the cash."""
    _hand_over(play, terms.square, seller=terms.seller, buyer=terms.buyer, rule="SJG-10")
    _pay_price(play, terms, rule="SJG-10")


def sell_to_policy(play: SjPlay, seat: int, square: int, *, rule: str = "SJG-10") -> None:
    """Sell a title to the automatic bank at what it pays, which may be nothing (SJG-9, SJG-10)."""
    parts = worth.resale(play.state, square)
    _hand_over(play, square, seller=seat, buyer=0, rule=rule)
    if parts:
        price = sum(part.amount for part in parts)
        terms = SaleTerms(square=square, seller=seat, buyer=0, price=price)
        _pay_price(play, terms, rule=rule, breakdown=parts if len(parts) > 1 else ())


def _hand_over(play: SjPlay, square: int, *, seller: int, buyer: int, rule: str) -> None:
    """Pass a title on with its houses, which a return to the bank takes off."""
    houses = play.state.titles[square].houses
    play.record(TitlePassed(square=square, seller=seller, holder=buyer, why="sold", rule=rule))
    if houses and not buyer:
        play.record(HousesRemoved(square=square, houses=houses))


def _pay_price(play: SjPlay, terms: SaleTerms, *, rule: str, breakdown: tuple[Part, ...] = ()) -> None:
    payer, payee, ref = account_of(terms.buyer), account_of(terms.seller), ref_of(terms.square)
    play.move_cash(payer, payee, terms.price, reason="title_sold", rule=rule, ref=ref, breakdown=breakdown)
