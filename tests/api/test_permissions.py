"""The permission table, walked: every route × every role, in a public and in a private game."""

from typing import Any

import pytest
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from service.api.route_roles import ALLOWED, ROLES, Role
from service.audit import requests as audits
from service.replay.pages import Pages
from tests.api.checked import Api, ok, refused
from tests.api.conftest import EITHER, OPERATOR
from tests.api.tables import Table, seated, started
from workers.jobs import audit, replay_page

LOBBY = {"lobby.set_options", "lobby.take_seat", "lobby.leave_seat", "lobby.mark_ready", "lobby.start_game"}
BODIES: dict[str, Any] = {
    "games.create_game": {"rulebook": "public_assistance"},
    "games.fork_game": {"step": 6},
    "lobby.set_options": {"options": {"turn_seconds": 5}},
    "lobby.take_seat": {"name": "Eve"},
    "lobby.mark_ready": {"edition": 1},
    "presence.hand_over": {"level": "random"},
}

QUERIES = {
    "ledger.get_statement": "?account=seat:1",
    "books.explain_balance": "?account=seat:1",
    "books.export_ledger": "?format=beancount",
    "books.export_ledgers": "?format=beancount&games={game}",
}


def status(endpoint: str, role: Role, *, private: bool) -> int:
    """What a role gets at an endpoint under a game: 200 for any success, else 401, 403 or 404."""
    if role == "anyone" and private:
        return 404
    if role in ALLOWED[endpoint] or (role == "host" and endpoint == "lobby.leave_seat"):
        return 200
    return 401 if role == "anyone" else 403


def all_rules(api: Api) -> dict[str, Rule]:
    return {rule.endpoint: rule for rule in api.app.url_map.iter_rules()}


def path_of(rule: Rule, table: Table) -> str:
    path = rule.rule.replace("<game:game>", table.game).replace("<seat:seat>", "1").replace("<number:number>", "1")
    path = path.replace("<digest:digest>", name_of_one(table)) if "<digest" in path else path
    path = path.replace("<data:name>", "social_justice_board" if "/boards/" in path else "social_justice_change")
    return path.replace("<job:job>", f"audit_game-{table.game}")


def name_of_one(table: Table) -> str:
    """The digest of the name at seat 1, or any where there is no game."""
    seats = table.state()["state"]["seats"] if table.watch else {}
    return str(seats["1"]["name"]) if seats else "0" * 64


def audited(api: Api, endpoint: str, table: Table) -> Table:
    """The same game, and where one is asked for, a job about it and a report."""
    services = api.app.extensions["rollbook"]
    if endpoint in ("audit.get_job", "audit.get_audit"):
        audits.ask_for(services.jobs, table.game, "")
        audit.perform(services.games, table.game, lambda _done, _total: None)
    return table


def call(api: Api, table: Table, endpoint: str, token: str | None) -> TestResponse:
    """Send what would be accepted from a caller who may send it."""
    rule = all_rules(api)[endpoint]
    path = path_of(rule, table) + QUERIES.get(endpoint, "").format(game=table.game)
    method = min((rule.methods or set()) - {"HEAD", "OPTIONS"})
    body = BODIES.get(endpoint)
    if endpoint == "play.act":
        body = table.body()
    return api.call(method, path, body, token=token)


def paged(api: Api, endpoint: str, table: Table) -> None:
    """Make the page for the route that shows it."""
    services = api.app.extensions["rollbook"]
    if endpoint == "replays.get_page":
        replay_page.perform(services.games, Pages(services.jobs.connection), table.game, lambda _done, _total: None)


def prepared(api: Api, endpoint: str, *, private: bool) -> Table:
    """A game in which the call can succeed."""
    if endpoint not in LOBBY:
        table = audited(api, endpoint, started(api, private=private))
        paged(api, endpoint, table)
        if endpoint == "games.open_rematch":
            ok(api.call("DELETE", f"{table.path}/seats/2", token=table.seats[2]))
        if endpoint == "presence.resume_game":
            ok(api.post(f"{table.path}/pause", token=table.host))
        if endpoint in ("presence.hand_back", "presence.reopen_seat"):
            ok(api.post(f"{table.path}/seats/1/bot", {}, token=table.host))
        return table
    table = seated(api, private=private)
    if endpoint == "lobby.start_game":
        for token in table.seats.values():
            api.post(f"{table.path}/ready", {"edition": 1}, token=token)
    return table


@pytest.fixture(scope="module")
def readable(api: Api) -> dict[bool, Table]:
    """A public and a private game, with a job, a report and a page, for all that only reads."""
    made = {private: started(api, private=private) for private in (False, True)}
    for table in made.values():
        paged(api, "replays.get_page", audited(api, "audit.get_audit", table))
    return made


def token_of(table: Table, role: Role, *, seat: int) -> str | None:
    tokens: dict[Role, str | None] = {
        "anyone": None,
        "join": table.join,
        "spectator": table.watch,
        "seat": table.seats[seat],
        "host": table.host,
        "operator": OPERATOR,
    }
    return tokens[role]


@EITHER
@pytest.mark.parametrize("private", [False, True], ids=["public", "private"])
@pytest.mark.parametrize("role", ROLES)
def test_every_route_answers_every_role_as_the_table_says(
    api: Api, readable: dict[bool, Table], role: Role, private: bool
) -> None:
    found, wanted = {}, {}
    for endpoint, rule in all_rules(api).items():
        reads = "GET" in (rule.methods or set())
        table = readable[private] if reads else prepared(api, endpoint, private=private)
        seat = table.active() if endpoint.startswith("play.") else 1
        answer = call(api, table, endpoint, token_of(table, role, seat=seat))
        found[endpoint] = 200 if answer.status_code < 400 else answer.status_code
        in_game = "<game" in rule.rule or "<job" in rule.rule or endpoint == "books.export_ledgers"
        wanted[endpoint] = status(endpoint, role, private=private) if in_game else 200
    assert found == wanted
    assert set(found) == set(ALLOWED)


@pytest.mark.parametrize("token", ["wrong", "", "ünïcode".encode().decode("latin-1"), "a" * 4000])
def test_a_wrong_token_is_401_in_a_public_game_and_404_in_a_private_one(api: Api, token: str) -> None:
    public, private = started(api), started(api, private=True)
    for endpoint, rule in all_rules(api).items():
        if "<game" in rule.rule and endpoint not in LOBBY:
            answer = call(api, public, endpoint, token)
            refused(answer, 401, "unauthorized")
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            refused(call(api, private, endpoint, token), 404, "no_such_game")


def test_a_private_game_and_none_are_told_apart_by_nothing(api: Api) -> None:
    """For a caller without a token, a private game and an id that was never given away answer alike on every route."""
    private = started(api, private=True)
    bodies = {**BODIES, "play.act": private.body()}
    nowhere = Table(api, "a" * 16, "", "", "")
    for endpoint, rule in all_rules(api).items():
        if "<game" in rule.rule or "<job" in rule.rule:
            for token in (None, "wrong"):
                answers = []
                for table in (private, nowhere):
                    path = path_of(rule, table) + QUERIES.get(endpoint, "")
                    method = min((rule.methods or set()) - {"HEAD", "OPTIONS"})
                    answer = api.call(method, path, bodies.get(endpoint), token=token)
                    answers.append((answer.status_code, answer.text.replace(table.game, "GAME")))
                assert answers[0] == answers[1]
                assert answers[0][0] == 404


def test_without_a_token_a_seat_that_is_not_taken_is_401(api: Api) -> None:
    """Without a token nothing is said of who sits where; a body that nobody could send is 422 for anyone."""
    table = started(api)
    for method, path in (
        ("DELETE", ""),
        ("POST", "/token"),
        ("DELETE", "/texts"),
        ("DELETE", "/bot"),
        ("POST", "/reopen"),
    ):
        for token, status, code in ((None, 401, "unauthorized"), (table.host, 404, "no_such_seat")):
            refused(api.call(method, f"{table.path}/seats/7{path}", token=token), status, code)
        refused(api.call(method, f"{table.path}/seats/7{path}", {"x": 1}), 422, "invalid_input")


def test_another_games_token_is_a_wrong_one(api: Api) -> None:
    ours, theirs = started(api), started(api, private=True)
    for token in ours.tokens():
        refused(api.get(theirs.path, token=token), 404, "no_such_game")
    for token in theirs.tokens():
        refused(api.get(ours.path, token=token), 401, "unauthorized")


def test_a_seat_cannot_speak_for_another(api: Api) -> None:
    table = started(api)
    refused(api.get(f"{table.path}/actions?seat=2", token=table.seats[1]), 403, "forbidden")
    refused(api.call("DELETE", f"{table.path}/seats/2", token=table.seats[1]), 403, "forbidden")
    before = table.version
    other = 3 - table.active()
    refused(table.act(other, table.body()), 409, "not_your_prompt")
    assert table.version == before


def test_a_renewed_token_kills_the_old_one(api: Api) -> None:
    table = started(api)
    renewed = api.post(f"{table.path}/seats/1/token", token=table.host)
    assert renewed.status_code == 201
    assert renewed.headers["Cache-Control"] == "no-store"
    refused(api.get(f"{table.path}/actions", token=table.seats[1]), 401, "unauthorized")
    assert renewed.json is not None
    assert api.get(f"{table.path}/actions", token=renewed.json["token"]).status_code == 200


def test_private_games_are_listed_for_the_operator_alone(api: Api) -> None:
    table = started(api, private=True)
    for token, listed in ((None, False), (table.host, False), (OPERATOR, True)):
        answer = api.get("/v1/games?limit=100", token=token)
        assert answer.json is not None
        assert (table.game in {line["game"] for line in answer.json["games"]}) == listed
