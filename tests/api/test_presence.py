"""Pauses, bots at the table, and seats that are handed over, back, and on to another person."""

from typing import Any

import pytest

from tests.api.checked import Api, ok, refused
from tests.api.tables import Table, seated, started


def bot(table: Table, seat: int, token: str, **body: Any) -> Any:
    return table.api.post(f"{table.path}/seats/{seat}/bot", body, token=token)


def sitter(table: Table, seat: int) -> Any:
    return table.state()["state"]["seats"][str(seat)]


def test_a_pause_shows_in_the_state_and_refuses_every_move(api: Api) -> None:
    table = started(api, options={"turn_seconds": 60})
    body, seat = table.body(), table.active()
    ok(api.post(f"{table.path}/pause", token=table.host))
    state = table.state()["state"]
    (prompt,) = state["prompts"].values()
    assert state["paused"] > 0
    assert 0 < prompt["deadline"] - state["paused"] <= 60_000
    refused(table.act(seat, body), 409, "game_paused")
    menu = table.menu(seat)
    assert menu["open"] == []
    assert {closed["code"] for closed in menu["closed"]} == {"game_paused"}
    refused(api.post(f"{table.path}/pause", token=table.host), 409, "game_paused")
    ok(api.post(f"{table.path}/resume", token=table.host))
    assert table.state()["state"]["paused"] == 0
    ok(table.act(seat, table.body()))


def test_a_pause_happens_once_per_key(api: Api) -> None:
    table = started(api)
    first = ok(api.post(f"{table.path}/pause", token=table.host, key="pause"))
    ok(api.post(f"{table.path}/resume", token=table.host))
    again = api.post(f"{table.path}/pause", token=table.host, key="pause")
    assert ok(again) == first
    assert table.state()["state"]["paused"] == 0


def test_the_host_seats_bots(api: Api) -> None:
    table = seated(api, seats=1)
    made = ok(api.post(f"{table.path}/seats", {"kind": "bot", "level": "random", "name": "Robbie"}, token=table.host))
    assert (made["seat"], made["token"]) == (2, "")
    usual = ok(api.post(f"{table.path}/seats", {"kind": "bot"}, token=table.host))
    assert [(sitter(table, seat)["kind"], sitter(table, seat)["level"]) for seat in (2, usual["seat"])] == [
        ("bot", "random"),
        ("bot", "sensible"),
    ]
    assert not sitter(table, 2)["host"]
    assert table.state()["names"]["2"] == "Robbie"
    ok(api.post(f"{table.path}/ready", {"edition": 1}, token=table.seats[1]))
    ok(api.post(f"{table.path}/start", token=table.host))
    refused(bot(table, 2, table.host), 409, "bot_seat")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"kind": "bot", "level": "genius"}, "/level"),
        ({"kind": "person", "level": "random"}, "/level"),
        ({"kind": "robot"}, "/kind"),
        ({"kind": "bot", "nonce_commitment": "0" * 64}, "/nonce_commitment"),
    ],
)
def test_what_is_no_sitter_is_refused_with_its_place(api: Api, body: dict[str, str], pointer: str) -> None:
    table = seated(api, seats=1)
    problem = refused(api.post(f"{table.path}/seats", body, token=table.host), 422, "invalid_input")
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


def test_only_the_host_seats_a_bot(api: Api) -> None:
    table = seated(api, seats=1)
    for token in (table.join, table.seats[1], table.watch):
        refused(api.post(f"{table.path}/seats", {"kind": "bot"}, token=token), 403, "forbidden")


def test_a_seat_is_handed_over_and_back_in_one_call_each(api: Api) -> None:
    table = started(api)
    seat, body = table.active(), table.body()
    ok(bot(table, seat, table.seats[seat], level="random"))
    assert sitter(table, seat)["keeper"] == "random"
    refused(table.act(seat, body), 409, "kept_by_bot")
    assert {closed["code"] for closed in table.menu(seat)["closed"]} == {"kept_by_bot"}
    refused(bot(table, seat, table.seats[seat]), 409, "kept_by_bot")
    ok(api.call("DELETE", f"{table.path}/seats/{seat}/bot", token=table.seats[seat]))
    refused(api.call("DELETE", f"{table.path}/seats/{seat}/bot", token=table.seats[seat]), 409, "not_kept")
    ok(table.act(seat, body))


def test_another_seat_can_neither_give_away_nor_take_back(api: Api) -> None:
    table = started(api)
    refused(bot(table, 1, table.seats[2]), 403, "forbidden")
    ok(bot(table, 1, table.host))
    refused(api.call("DELETE", f"{table.path}/seats/1/bot", token=table.seats[2]), 403, "forbidden")
    refused(api.call("DELETE", f"{table.path}/seats/1/bot", token=table.host), 403, "forbidden")
    refused(bot(table, 7, table.host), 404, "no_such_seat")


def test_somebody_else_takes_the_seat_of_who_is_away(api: Api) -> None:
    """The old token is dead at once; the code is good once, for that seat; all that belongs to the seat stays."""
    table = started(api)
    refused(api.post(f"{table.path}/seats/1/reopen", token=table.host), 409, "not_away")
    ok(bot(table, 1, table.host))
    cash = table.state()["state"]["cash"]["seat:1"]
    opened = api.post(f"{table.path}/seats/1/reopen", token=table.host, key="reopen")
    assert opened.headers["Cache-Control"] == "no-store"
    code = ok(opened)["join_code"]
    refused(api.get(f"{table.path}/actions", token=table.seats[1]), 401, "unauthorized")
    refused(api.post(f"{table.path}/seats", {"kind": "bot"}, token=code), 403, "forbidden")
    made = ok(api.post(f"{table.path}/seats", {"name": "Eve"}, token=code, key="eve"))
    assert made["seat"] == 1
    table.seats[1] = made["token"]
    assert table.menu(1)["seat"] == 1
    assert table.state()["names"]["1"] == "Eve"
    assert table.state()["state"]["cash"]["seat:1"] == cash
    assert (sitter(table, 1)["keeper"], sitter(table, 1)["reopened"]) == ("", False)
    again = ok(api.post(f"{table.path}/seats", {"name": "Eve"}, token=code, key="eve"))
    assert again == made
    late = api.post(f"{table.path}/seats", {"name": "Mallory"}, token=code, key="mallory")
    assert late.status_code in (401, 409)
    told = [line for step in ok(api.get(f"{table.path}/steps?limit=100"))["steps"] for line in step["lines"]]
    assert any("may be taken by someone else" in line for line in told)
    assert code not in str(told)


def test_who_came_back_in_time_keeps_the_seat(api: Api) -> None:
    """Reopened means given away: the old holder is out, and the host gives the code to whom it likes."""
    table = started(api)
    ok(bot(table, 2, table.host))
    ok(api.call("DELETE", f"{table.path}/seats/2/bot", token=table.seats[2]))
    refused(api.post(f"{table.path}/seats/2/reopen", token=table.host), 409, "not_away")
