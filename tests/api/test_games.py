"""Opening, listing and seeing games."""

from hashlib import sha256
from typing import Any

import pytest

from events import chain
from service.api.app import create_app
from service.api.http import cursors
from service.api.schemas.games import RULEBOOKS
from service.queries import games as listing
from tests.api.checked import Api, ok, refused
from tests.api.conftest import application, services
from tests.api.tables import open_game, seated, started

PUBLIC_ASSISTANCE, SOCIAL_JUSTICE = "public_assistance", "social_justice"
SECRET = "ab" * 32


@pytest.fixture(params=[PUBLIC_ASSISTANCE, SOCIAL_JUSTICE])
def fresh(request: pytest.FixtureRequest) -> Api:
    """An application without games."""
    return application(request.param)


def new(api: Api) -> dict[str, Any]:
    return {"rulebook": api.rulebook}


def test_a_new_game_comes_with_its_tokens_and_its_place(api: Api) -> None:
    answer = api.post("/v1/games", new(api), key="a game and its place")
    made = ok(answer)
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/games/{made['game']}"
    assert answer.headers["ETag"] == f'"{made["etag"]}"'
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Idempotency-Hit" not in answer.headers
    assert len({made["host_token"], made["join_code"], made["watch_token"]}) == 3
    assert made["events"][0]["event"]["data"]["type"] == "game_created"


def test_the_same_key_opens_one_game_with_the_same_answer(api: Api) -> None:
    """The answer is the same to the byte, tokens included; a repeat says so in a header."""
    first, again = (
        api.post("/v1/games", new(api), key="opened only once"),
        api.post("/v1/games", new(api), key="opened only once"),
    )
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotency-Hit"] == "true"
    name = api.rulebook.encode()
    for other, same in ((b'{ "places": 4,"rulebook":"%s"}', False), (b'{ "rulebook" : "%s" }', True)):
        answer = api.post("/v1/games", data=other % name, content_type="application/json", key="opened only once")
        if same:
            assert answer.data == first.data
        else:
            refused(answer, 422, "idempotency_key_reused")
    assert api.post("/v1/games", new(api), key="opened after that").json != first.json
    assert ok(api.post("/v1/games", new(api)))["game"] != ok(api.post("/v1/games", new(api)))["game"]


BAD: dict[str, list[tuple[dict[str, Any], str, str]]] = {
    "either": [
        ({"rulebook": "chess"}, "invalid_input", "/rulebook"),
        ({"rulebook": 5, "places": 5}, "invalid_input", "/rulebook"),
        ({"places": 1}, "invalid_input", "/places"),
        ({"places": 9}, "invalid_input", "/places"),
        ({"secret": "AB" * 32}, "invalid_input", "/secret"),
        ({"secret": "ab" * 31}, "invalid_input", "/secret"),
        ({"secret": "ab" * 32 + "\n"}, "invalid_input", "/secret"),
        ({"preset": "nosuch"}, "unknown_preset", "/preset"),
        ({"preset": ""}, "invalid_input", "/preset"),
        ({"options": {"nosuch": 1}}, "unknown_option", "/options/nosuch"),
        ({"options": {"turn_seconds": True}}, "option_out_of_bounds", "/options/turn_seconds"),
        ({"options": {"turn_seconds": None}}, "option_out_of_bounds", "/options/turn_seconds"),
        ({"options": {"turn_seconds": [1]}}, "option_out_of_bounds", "/options/turn_seconds"),
        ({"options": {"turn_seconds": [[1]]}}, "invalid_input", "/options/turn_seconds"),
        ({"options": {"turn_seconds": {}}}, "invalid_input", "/options/turn_seconds"),
    ],
    PUBLIC_ASSISTANCE: [
        ({"places": 5}, "invalid_input", "/places"),
        ({"preset": "sjg_standard"}, "unknown_preset", "/preset"),
        ({"options": {"months": 61}}, "option_out_of_bounds", "/options/months"),
        ({"options": {"bump": 1}}, "option_out_of_bounds", "/options/bump"),
        ({"options": {"loan_unit": 150}}, "option_out_of_bounds", "/options/loan_unit"),
        ({"options": {"end.rounds": 5}}, "unknown_option", "/options/end.rounds"),
    ],
    SOCIAL_JUSTICE: [
        ({"preset": "pa_standard"}, "unknown_preset", "/preset"),
        ({"options": {"months": 5}}, "unknown_option", "/options/months"),
        ({"options": {"payday.salary.{r}": 5}}, "unknown_option", "/options/payday.salary.{r}"),
        ({"options": {"assignment": "mine"}}, "option_out_of_bounds", "/options/assignment"),
        ({"options": {"end.rounds": 0}}, "option_out_of_bounds", "/options/end.rounds"),
        ({"options": {"end.rounds": 201}}, "option_out_of_bounds", "/options/end.rounds"),
        ({"options": {"payday.salary.owner": "1"}}, "option_out_of_bounds", "/options/payday.salary.owner"),
        ({"options": {"payday.salary.owner": None}}, "option_out_of_bounds", "/options/payday.salary.owner"),
        ({"options": {"payday.enabled": 1}}, "option_out_of_bounds", "/options/payday.enabled"),
        ({"options": {"jail.immune_roles": "owner"}}, "option_out_of_bounds", "/options/jail.immune_roles"),
        ({"options": {"jail.immune_roles": ["king"]}}, "option_out_of_bounds", "/options/jail.immune_roles"),
        ({"options": {"jail.immune_roles": ["owner", "owner"]}}, "option_out_of_bounds", "/options/jail.immune_roles"),
        ({"options": {"college.aid_charge": [100] * 5}}, "option_out_of_bounds", "/options/college.aid_charge"),
        ({"options": {"college.aid_charge": [True] * 6}}, "option_out_of_bounds", "/options/college.aid_charge"),
    ],
}  # fmt: skip


def test_what_cannot_be_played_is_refused_by_name(api: Api) -> None:
    for body, code, pointer in (*BAD["either"], *BAD[api.rulebook]):
        problem = refused(api.post("/v1/games", {**new(api), **body}), 422, code)
        assert [error["pointer"] for error in problem["errors"]] == [pointer], body


def test_an_unknown_option_names_the_one_that_was_meant(api: Api) -> None:
    """`month` is `months`; of what resembles none no more is said."""
    wrong, meant = {PUBLIC_ASSISTANCE: ("month", "months"), SOCIAL_JUSTICE: ("end.round", "end.rounds")}[api.rulebook]
    for name, hint in ((wrong, f" Perhaps {meant} was meant."), ("zyx", "")):
        problem = refused(api.post("/v1/games", {**new(api), "options": {name: 5}}), 422, "unknown_option")
        assert problem["detail"] == f"There is no option called '{name}'.{hint}"


STARTING = {
    "assignment": "choose",
    "bank": "player",
    "end.rounds": None,
    "payday.salary.owner": 2000,
    "jail.immune_roles": [],
    "jail.bail": 100,
    "college.aid_charge": [0, 0, 0, 0, 0, 0],
    "community.scope": "group",
    "utility.enron.public": True,
}


def test_a_game_may_start_with_any_value_that_can_be_voted_on() -> None:
    """Section 5.5: what was chosen stands in the options, and the list of rules says that it was."""
    api = application(SOCIAL_JUSTICE)
    table = started(api, options=STARTING)
    state = table.state()["state"]
    assert state["options"].items() >= STARTING.items()
    lines = {line["name"]: line for line in ok(api.get(f"{table.path}/rules"))["parameters"]}
    for name in STARTING.keys() - {"assignment", "bank"}:
        assert (lines[name]["value"], lines[name]["source"]) == (STARTING[name], "option")
    assert (lines["payday.salary.manager"]["value"], lines["payday.salary.manager"]["source"]) == (1000, "default")
    assert state["custodian"] == 1


def test_a_table_has_as_many_places_as_its_rulebook_allows(api: Api) -> None:
    most = {PUBLIC_ASSISTANCE: 4, SOCIAL_JUSTICE: 8}[api.rulebook]
    table = seated(api, seats=most)
    assert table.state()["state"]["places"] == most
    refused(api.post(f"{table.path}/seats", {}, token=table.join), 409, "table_full")


def test_a_refused_request_leaves_its_key_free(api: Api) -> None:
    refused(api.post("/v1/games", {**new(api), "preset": "nosuch"}, key="a key that is free"), 422, "unknown_preset")
    ok(api.post("/v1/games", new(api), key="a key that is free"))


def test_a_known_secret_says_so_everywhere_and_is_not_repeated(fresh: Api) -> None:
    """C9: nobody can take a game with chosen chance for a fair one."""
    table = open_game(fresh, secret=SECRET)
    assert table.state()["state"]["known_secret"] is True
    (line,) = ok(fresh.get("/v1/games"))["games"]
    assert line["known_secret"] is True
    assert not any(SECRET.encode() in answer for answer in fresh.answers)


def test_games_are_listed_newest_first_page_by_page(fresh: Api) -> None:
    made = [open_game(fresh).game for _ in range(7)]
    listed, query, pages = [], "?limit=3", 0
    while True:
        page = ok(fresh.get(f"/v1/games{query}"))
        listed += [line["game"] for line in page["games"]]
        pages += 1
        if page["next"] is None:
            break
        query = f"?limit=3&cursor={page['next']}"
    created = {line["game"]: line["created"] for line in ok(fresh.get("/v1/games"))["games"]}
    assert (sorted(listed), pages) == (sorted(made), 3)
    assert listed == sorted(listed, key=lambda game: (created[game], game), reverse=True)


def test_private_games_leave_no_trace_in_pages(fresh: Api) -> None:
    """A page ends at a game that it shows, so that no cursor names a private one."""
    open_games, hidden = [], []
    for _ in range(4):
        open_games.append(open_game(fresh).game)
        hidden.append(open_game(fresh, private=True).game)
    first = ok(fresh.get("/v1/games?limit=2"))
    position = cursors.read(first["next"], tuple[int, str], {"order": "newest"})
    second = ok(fresh.get(f"/v1/games?limit=2&cursor={first['next']}"))
    seen = [line["game"] for page in (first, second) for line in page["games"]]
    assert position[1] == first["games"][-1]["game"]
    assert second["next"] is None
    assert sorted(seen) == sorted(open_games)
    assert not any(game in position for game in hidden)


def test_lists_are_filtered(fresh: Api) -> None:
    lobby, playing = seated(fresh).game, started(fresh).game
    for query, wanted in (("lobby", [lobby]), ("playing", [playing]), ("finished", [])):
        assert [line["game"] for line in ok(fresh.get(f"/v1/games?status={query}"))["games"]] == wanted
    other = open_game(fresh, rulebook=next(name for name in RULEBOOKS if name != fresh.rulebook)).game
    both = ok(fresh.get(f"/v1/games?rulebook={fresh.rulebook}"))["games"]
    assert {line["game"] for line in both} == {lobby, playing}
    assert {line["game"] for line in ok(fresh.get("/v1/games"))["games"]} == {lobby, playing, other}
    refused(fresh.get("/v1/games?rulebook=chess"), 422, "invalid_input")


def test_a_cursor_belongs_to_its_filters(fresh: Api) -> None:
    for _ in range(3):
        open_game(fresh)
    cursor = ok(fresh.get("/v1/games?limit=1&status=lobby"))["next"]
    assert fresh.get(f"/v1/games?limit=1&status=lobby&cursor={cursor}").status_code == 200
    for other, named in (
        ("", "status"),
        ("status=playing&", "status"),
        (f"status=lobby&rulebook={fresh.rulebook}&", "rulebook"),
    ):
        problem = refused(fresh.get(f"/v1/games?{other}cursor={cursor}"), 422, "invalid_input")
        assert [error["query"] for error in problem["errors"]] == [named]
    forged = cursors.write(["a", 1], {"status": "lobby"})
    for bad in ("x", "AAAA", cursor[:-2], cursor + "A", "é", "a" * 400, forged, cursors.write(5, {"status": "lobby"})):
        problem = refused(fresh.get("/v1/games", query_string={"status": "lobby", "cursor": bad}), 422, "invalid_input")
        assert [error["query"] for error in problem["errors"]] == ["cursor"]


def test_a_state_at_any_version_is_the_one_that_was_seen_then(api: Api) -> None:
    """B8: the state at version N equals the state captured live at N."""
    table = started(api)
    seen = [table.state()]
    for _ in range(6):
        table.step()
        seen.append(table.state())
    for shown in seen:
        assert table.state(at=shown["version"]) == shown
    assert table.state(at=1)["state"]["status"] == "lobby"
    assert table.state(at=1)["names"] == {}


def test_the_tag_is_version_and_head(api: Api) -> None:
    table = started(api)
    shown = table.state()
    assert shown["etag"] == chain.etag(shown["version"], bytes.fromhex(shown["head"]))


def test_deadlines_are_times(api: Api) -> None:
    """Two looks at one version are the same bytes, however much time has passed."""
    table = started(api, options={"turn_seconds": 600})
    first = api.get(table.path)
    (prompt,) = table.state()["state"]["prompts"].values()
    assert prompt["deadline"] - table.state()["state"]["at"] == 600_000
    assert api.get(table.path).data == first.data


def test_options_change_before_the_start_alone(api: Api) -> None:
    table = seated(api)
    ok(api.post(f"{table.path}/ready", {"edition": 1}, token=table.seats[1]))
    changed = api.call("PUT", f"{table.path}/options", {"options": {"turn_seconds": 77}}, token=table.host)
    assert changed.status_code == 200
    state = table.state()["state"]
    assert (state["options"]["turn_seconds"], state["edition"], state["seats"]["1"]["ready"]) == (77, 2, 1)
    refused(api.post(f"{table.path}/ready", {"edition": 1}, token=table.seats[2]), 409, "options_changed")
    refused(api.post(f"{table.path}/start", token=table.host), 409, "not_ready")
    for token in table.seats.values():
        ok(api.post(f"{table.path}/ready", {"edition": 2}, token=token))
    ok(api.post(f"{table.path}/start", token=table.host))
    late = api.call("PUT", f"{table.path}/options", {"options": {}}, token=table.host)
    refused(late, 409, "game_started")


def test_sitting_down_twice_with_one_key_is_one_seat(api: Api) -> None:
    table = open_game(api)
    sit = [api.post(f"{table.path}/seats", {"name": "Ann"}, token=table.join, key="sit") for _ in range(3)]
    assert len({answer.data for answer in sit}) == 1
    assert [answer.headers.get("Idempotency-Hit") for answer in sit] == [None, "true", "true"]
    assert list(table.state()["state"]["seats"]) == ["1"]


def test_the_table_fills_up(api: Api) -> None:
    table = seated(api, seats=2, places=2)
    refused(api.post(f"{table.path}/seats", {"name": "Eve"}, token=table.join), 409, "table_full")


def test_a_nonce_is_committed_to_and_opened(api: Api) -> None:
    nonce = bytes(range(32))
    table = open_game(api)
    seat = ok(api.post(f"{table.path}/seats", {"nonce_commitment": sha256(nonce).hexdigest()}, token=table.join))
    wrong = api.post(f"{table.path}/ready", {"edition": 1, "nonce": "00" * 32}, token=seat["token"])
    refused(wrong, 409, "wrong_nonce")
    opened = ok(api.post(f"{table.path}/ready", {"edition": 1, "nonce": nonce.hex()}, token=seat["token"]))
    assert {event["event"]["data"]["type"] for event in opened["events"]} >= {"nonce_opened", "seat_ready"}


def test_short_pages_join_and_name_no_hidden_game(fresh: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many private games lie between the open ones, pages go on, and end at games that they show."""
    monkeypatch.setattr(listing, "MOST_SCANNED", 3)
    monkeypatch.setattr(listing, "BATCH", 2)
    shown: list[str] = []
    hidden: list[str] = []
    for private in (False, True, True, True, True, True, False, True, False, True, True):
        (hidden if private else shown).append(open_game(fresh, private=private).game)
    listed: list[str] = []
    query = ""
    while True:
        page = ok(fresh.get(f"/v1/games?limit=2{query}"))
        listed += [line["game"] for line in page["games"]]
        if page["next"] is None:
            break
        assert cursors.read(page["next"], tuple[int, str], {"order": "newest"})[1] in ("", *listed[-1:])
        query = f"&cursor={page['next']}"
    assert sorted(listed) == sorted(shown)
    assert not set(listed) & set(hidden)


def test_all_origins_may_be_allowed() -> None:
    api = Api(create_app(services(), cors_origins=["*"]))
    answer = api.get("/v1/games", headers={"Origin": "https://anywhere.example"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
