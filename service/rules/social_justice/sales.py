"""Sales of titles (SJG-10)."""

from events.social_justice import HousesRemoved, TitlePassed
from service.rules.social_justice.money import collect
from service.rules.social_justice.table import SjPlay, board_of
from service.rules.social_justice.worth import bank_price


def sell_to_bank(play: SjPlay, seat: int, square: int) -> None:
    """Sell a title to the automatic bank."""
    price = bank_price(play.state, board_of(play.state).squares[square])
    houses = play.state.titles[square].houses
    if houses:
        play.record(HousesRemoved(square=square, houses=houses))
    play.record(TitlePassed(square=square, seller=seat, holder=0, why="sold", rule="SJG-10"))
    collect(play, seat, price, reason="sale", rule="SJG-10", ref=f"square:{square}")
