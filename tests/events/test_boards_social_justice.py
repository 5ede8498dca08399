"""The promises that the data files of The Social Justice Game must keep."""

from typing import Any

import msgspec
import pytest

from events.data_files import BoardError
from events.social_justice.board import (
    ChangeDeck,
    SocialJusticeBoard,
    change_deck,
    check_change,
    check_squares,
    social_justice_board,
)

BROKEN_SQUARES: list[tuple[int, dict[str, Any], str]] = [
    (0, {"type": "change"}, "starts at Payday"),
    (1, {"i": 2}, "indices are not 0 to 39"),
    (1, {"rent": [10, 30, 20, 120]}, "four rising rents"),
    (1, {"rent": [10, 30, 70]}, "four rising rents"),
    (1, {"rent": [0, 30, 70, 120]}, "a price is missing"),
    (1, {"price": 0}, "no price"),
    (1, {"house_cost": 0}, "a price is missing"),
    (1, {"group": ""}, "of no group"),
    (5, {"price": 0}, "no price"),
    (5, {"key": "flint"}, "three utilities"),
    (13, {"type": "change"}, "one square of the kind"),
    (2, {"type": "college"}, "one square of the kind college"),
]

BROKEN_CARDS: list[tuple[dict[str, dict[str, Any]], str]] = [
    ({"CH01": {"count": 1}}, "32 cards"),
    ({"CH01": {"count": 0}, "CH02": {"count": 4}}, "CH01: no copies"),
    ({"CH01": {"id": "CH02"}}, "two cards of one id"),
    ({"CH01": {"text": ""}}, "CH01: it says nothing"),
    ({"CH01": {"roles": ()}}, "CH01: for nobody"),
    ({"CH01": {"kind": "free_house"}}, "no card of the kind keep_jail_pass"),
    ({"CH11": {"amount": 0}}, "CH11: no amount"),
    ({"CH04": {"to": 40}}, "CH04: it leads to nowhere"),
    ({"CH06": {"role": ""}}, "CH06: it gives no role"),
    ({"CH18": {"utility": "sunlight"}}, "CH18: of no utility"),
    ({"CH27": {"to_roles": ()}}, "CH27: nobody is paid"),
]


@pytest.mark.parametrize(("at", "change", "says"), BROKEN_SQUARES)
def test_a_board_that_breaks_a_promise_is_refused(at: int, change: dict[str, Any], says: str) -> None:
    """Before anybody plays on it."""
    raw = msgspec.json.decode(msgspec.json.encode(social_justice_board()))
    check_squares(msgspec.convert(raw, SocialJusticeBoard))
    raw["squares"][at].update(change)
    with pytest.raises(BoardError, match=says):
        check_squares(msgspec.convert(raw, SocialJusticeBoard))


@pytest.mark.parametrize(("changes", "says"), BROKEN_CARDS)
def test_a_deck_that_is_not_whole_is_refused(changes: dict[str, dict[str, Any]], says: str) -> None:
    """It would be played with all the same."""
    changed = tuple(msgspec.structs.replace(card, **changes.get(key, {})) for key, card in change_deck().items())
    with pytest.raises(BoardError, match=says):
        check_change(ChangeDeck(name="social_justice_change", version=1, cards=changed))


def test_a_board_without_properties_is_refused() -> None:
    raw = msgspec.json.decode(msgspec.json.encode(social_justice_board()))
    raw["squares"] = [
        {**square, "type": "change"} if square["type"] == "property" else square for square in raw["squares"]
    ]
    with pytest.raises(BoardError, match="no property"):
        check_squares(msgspec.convert(raw, SocialJusticeBoard))
