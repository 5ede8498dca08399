"""Boards and decks by the API: what a game pins, byte for byte."""

from hashlib import sha256
from typing import Any

import pytest

from tests.api.checked import Api, ok, refused
from tests.api.conftest import application
from tests.api.tables import open_game


@pytest.fixture(scope="module")
def api() -> Api:
    """One application has both rulebooks."""
    return application()


def path_of(pin: Any) -> str:
    return f"/v1/{'boards' if pin['name'].endswith('_board') else 'decks'}/{pin['name']}"


def pinned(api: Api) -> list[Any]:
    """What new games of either rulebook pin."""
    pins = []
    for book in ok(api.get("/v1/rulebooks"))["rulebooks"]:
        state = open_game(api, rulebook=book["rulebook"]).state()["state"]
        assert book["pins"] == state["pins"]
        pins += state["pins"]
    return pins


def test_what_a_game_pins_can_be_read_and_kept_for_ever(api: Api) -> None:
    """The answer has the digest of the pin. With a version it never changes; without one it is that of new games."""
    pins = pinned(api)
    assert {path_of(pin).split("/")[2] for pin in pins} == {"boards", "decks"}
    for pin in pins:
        kept = api.get(f"{path_of(pin)}?version={pin['version']}")
        assert sha256(kept.data).hexdigest() == pin["sha256"]
        assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert (ok(kept)["name"], ok(kept)["version"]) == (pin["name"], pin["version"])
        newest = api.get(path_of(pin))
        assert (newest.data, newest.headers["Cache-Control"]) == (kept.data, "public, no-cache")
        known = api.get(path_of(pin), headers={"If-None-Match": newest.headers["ETag"]})
        assert (known.status_code, known.data) == (304, b"")


def test_squares_have_names_and_prices_and_cards_have_texts(api: Api) -> None:
    """What a client cannot show a board without."""
    board = ok(api.get("/v1/boards/social_justice_board"))
    assert [square["i"] for square in board["squares"]] == list(range(40))
    assert all(square["name"] for square in board["squares"])
    assert all(square["price"] and square["rent"] for square in board["squares"] if square["type"] == "property")
    assert all(card["text"] for card in ok(api.get("/v1/decks/social_justice_change"))["cards"])
    assert all(block["name"] for block in ok(api.get("/v1/boards/public_assistance_board"))["promenade"])
    assert all(card["text"] for card in ok(api.get("/v1/decks/public_assistance_burden"))["cards"])


@pytest.mark.parametrize(
    "path",
    [
        "boards/chess_board",
        "boards/social_justice_change",
        "decks/social_justice_board",
        "decks/wire_names",
        "boards/social_justice_board?version=2",
    ],
)
def test_there_is_no_other_board(api: Api, path: str) -> None:
    """Neither of another kind, nor of a version that was not published, nor any other file."""
    refused(api.get(f"/v1/{path}"), 404, "no_such_board")
