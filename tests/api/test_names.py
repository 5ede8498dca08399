"""Names at a table: each can be seen, and no two look alike."""

import secrets

import pytest
from werkzeug.test import TestResponse

from service.games.names import looks
from tests.api.checked import Api, ok, refused
from tests.api.conftest import application
from tests.api.tables import Table, finish, open_game, started

HIDDEN = "control characters"
REFUSED = {
    "zero width space": ("A\u200bnn", HIDDEN),
    "joiner in Latin": ("An\u200dn", HIDDEN),
    "soft hyphen": ("An\u00adn", HIDDEN),
    "byte order mark": ("\ufeffAnn", HIDDEN),
    "turned around": ("\u202eAnn", HIDDEN),
    "tag": ("Ann\U000e0041", HIDDEN),
    "Hangul filler": ("\u3164", HIDDEN),
    "blank of Braille": ("Ann\u2800", HIDDEN),
    "variation": ("Ann\ufe00", HIDDEN),
    "private use": ("Ann\ue000", HIDDEN),
    "line break": ("Ann\nBob", HIDDEN),
    "seventy accents": ("A" + "\u0301\u0302" * 35 + "nn", "accents"),
    "blank": (" \u3000 ", "blank"),
    "as erased": ("[erased]", "calls others"),
    "as missing": ("[missing]", "calls others"),
    "as another seat": ("Seat 2", "calls others"),
    "as the bank": ("The Bank", "calls others"),
    "as the service, in Cyrillic": ("Systеm", "calls others"),
}
TAKEN = ["Iris", "iris", "IRIS", "lris", "Irіs", "Ｉｒｉｓ", "𝐈𝐫𝐢𝐬", " Iris ", "Iri\u0455"]
GOOD = [
    "名前",
    "Zoë",
    "Nguyễn Thị Hương",
    "می\u200cخواهم",
    "👩\u200d👧",
    "❤\ufe0f",
    "Олег",
    "नेहा",
    "O'Hara-Łuczak 2",
    "สมชื่อ",
]


@pytest.fixture(scope="module")
def api() -> Api:
    """Both rulebooks have the same lobby."""
    return application()


def sit(table: Table, name: str, *, key: str = "", token: str = "") -> TestResponse:
    return table.api.post(
        f"{table.path}/seats", {"name": name}, token=token or table.join, key=key or secrets.token_hex(16)
    )


@pytest.mark.parametrize(("name", "why"), REFUSED.values(), ids=REFUSED)
def test_a_name_that_deceives_is_refused(api: Api, name: str, why: str) -> None:
    """One that cannot be seen, that covers others with its accents, or that the service itself goes by."""
    problem = refused(sit(open_game(api), name), 422, "invalid_input")
    assert [error["pointer"] for error in problem["errors"]] == ["/name"]
    assert why in problem["detail"]


@pytest.mark.parametrize("name", GOOD)
def test_names_of_all_scripts_are_kept(api: Api, name: str) -> None:
    """What a script or an emoji cannot be written without stays."""
    table = open_game(api)
    ok(sit(table, name))
    assert table.state()["names"] == {"1": name}


def test_one_letter_has_one_form(api: Api) -> None:
    """Letters with accents are kept as one character where there is one."""
    table = open_game(api)
    ok(sit(table, "Zoe\u0308"))
    assert table.state()["names"] == {"1": "Zoë"}


@pytest.mark.parametrize("name", TAKEN)
def test_no_two_at_a_table_look_alike(api: Api, name: str) -> None:
    """In capitals, in letters of another script, or spaced out; the first who sat down keeps the name."""
    table = open_game(api)
    ok(sit(table, "Iris", key="who sits down first"))
    refused(sit(table, name), 409, "name_taken")
    assert sit(table, "Iris", key="who sits down first").headers["Idempotency-Hit"] == "true"
    ok(sit(table, "Ivo"))
    ok(sit(open_game(api), name))


def test_names_that_only_resemble_each_other_are_two() -> None:
    """Accents and letters of one script are kept apart by those who read it."""
    for one, two in (("Lia", "Ila"), ("Zoe", "Zoë"), ("Ann", "Anna"), ("Mia", "Mina"), ("Олег", "Ольга")):
        assert all(left != right for left, right in zip(looks(one), looks(two), strict=True))


def test_who_comes_back_has_the_name_again(api: Api) -> None:
    """The name of a seat that is open to others is free."""
    table = started(api)
    ok(api.post(f"{table.path}/seats/2/bot", {}, token=table.host))
    code = ok(api.post(f"{table.path}/seats/2/reopen", token=table.host))["join_code"]
    refused(sit(table, "Ann", token=code), 409, "name_taken")
    ok(sit(table, "Bob", token=code))
    assert table.state()["names"] == {"1": "Ann", "2": "Bob"}
    finish(table, 0)
