"""Landing: what each kind of square does to a token that arrives on it (SJG-19)."""

from collections.abc import Callable, Mapping

from events.base import BANK
from events.social_justice.board import PAYDAY, Square
from events.social_justice.tasks import Arrest, Ask, Draw, Land, Transfers
from service.rules.social_justice import cards, college, military, movement, payday, titles, white_house
from service.rules.social_justice.money import owe
from service.rules.social_justice.shorthand import (
    SjPlay,
    citizen_of,
    number,
    ref_of,
    square_under,
    title_under,
    word,
)


def land(play: SjPlay, task: Land) -> None:
    """Do what the square says; transfers that it triggers come after its own effect."""
    square = square_under(play.state, task.seat)
    play.push(Transfers(trigger=f"land:{square.key or square.type}", actor=task.seat))
    if square.type == "change":
        _change(play, task)
    else:
        SQUARES[square.type](play, task.seat, square)


def _change(play: SjPlay, task: Land) -> None:
    draws = number(play.state, "change.draws") if number(play.state, "change.enabled") else 0
    if draws:
        square = citizen_of(play, task.seat).square
        play.push(Draw(seat=task.seat, left=draws, square=square, chained=task.chained))


def _nothing(_play: SjPlay, _seat: int, _square: Square) -> None:
    """Payday has paid when it was reached."""


def _for_sale(play: SjPlay, seat: int) -> bool:
    """Offer a title of the bank (SJG-20); true when there was one."""
    if title_under(play.state, seat).holder:
        return False
    if number(play.state, "property.purchase_enabled"):
        play.push(Ask(seat=seat, kind="buy"))
    return True


def _property(play: SjPlay, seat: int, square: Square) -> None:
    if _for_sale(play, seat) or title_under(play.state, seat).holder == seat:
        return
    nothing_else = title_under(play.state, seat).houses >= number(play.state, "property.max_houses")
    if not (titles.is_exempt(play.state, seat, square) and nothing_else):
        play.push(Ask(seat=seat, kind="rent"))


def _utility(play: SjPlay, seat: int, square: Square) -> None:
    if not _for_sale(play, seat):
        payday.charge_utility(play, seat, square.key, at="landing")


def _military(play: SjPlay, seat: int, _square: Square) -> None:
    if military.may_enlist(play.state, seat):
        play.push(Ask(seat=seat, kind="enlist"))


def _hospital(play: SjPlay, seat: int, square: Square) -> None:
    """Charge the fee of the role; a veteran's is at most what the VA leaves (SJG-55, SJG-59)."""
    citizen = citizen_of(play, seat)
    fee = number(play.state, f"hospital.fee.{citizen.held()}")
    if citizen.veteran:
        fee = min(fee, number(play.state, "hospital.va_fee"))
    if fee and word(play.state, "hospital.payer") == "player":
        rule = "SJG-55" if citizen.veteran else "SJG-59"
        owe(play, seat, BANK, fee, reason="hospital", rule=rule, ref=ref_of(square.i))


def _back_taxes(play: SjPlay, seat: int, _square: Square) -> None:
    movement.place(play, seat, PAYDAY, how="direct", rule="SJG-65")
    payday.reach_by_back_taxes(play, seat)


SQUARES: Mapping[str, Callable[[SjPlay, int, Square], None]] = {
    "payday": _nothing,
    "property": _property,
    "utility": _utility,
    "college": lambda play, seat, _square: college.arrive(play, seat),
    "military": _military,
    "hospital": _hospital,
    "back_taxes": _back_taxes,
    "go_to_jail": lambda play, seat, _square: play.push(Arrest(seat=seat)),
    "white_house": lambda play, seat, _square: white_house.arrive(play, seat),
}
"""What each kind of square does, but for Change."""


def drop_moot(play: SjPlay) -> None:
    """Close a landing prompt whose cause is gone: the title was sold or its holder left, no property has room any more.

    A title that went back to the bank meanwhile is for sale to who stands on it (SJG-20).
    """
    for prompt in list(play.state.prompts.values()):
        seat = prompt.seat
        if prompt.kind == "rent" and title_under(play.state, seat).holder in (0, seat):
            play.close_prompt(prompt, "void")
            _for_sale(play, seat)
        elif prompt.kind == "free_house" and not cards.roomy(play.state, seat):
            play.close_prompt(prompt, "void")
