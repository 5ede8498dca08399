"""C1, D5, D6: secret and tokens are in no answer but those that issue them, and in no log."""

import logging
import secrets

import pytest

from service.api.app import create_app
from tests.api.checked import Api, ok
from tests.api.conftest import services
from tests.api.tables import Table, play, started


def play_everything(api: Api, table: Table) -> None:
    """Ask every route, and be refused by some."""
    for path in (
        *("", "?at=1", "/events?limit=1000", "/steps?limit=100", "/steps/1", "/steps/5", "/ledger/accounts"),
        *("/ledger/statement?account=seat:1", "/ledger/explain?account=seat:1", "/ledger/policy"),
        *(f"/ledger/export?format={kind}" for kind in ("beancount", "hledger", "csv", "json")),
        *("/ledger/entries", "/ledger/trial-balance", "/verification", "/actions", "/actions?seat=2", "/nosuch"),
    ):
        for token in (None, table.watch, table.host, table.seats[1], "wrong"):
            api.get(f"{table.path}{path}", token=token)
    api.get("/v1/games")
    seat, body = table.active(), table.body()
    table.act(3 - seat, body)
    table.act(seat, {**body, "prompt": "p1"})
    table.act(seat, body, headers={"If-Match": '"1-00000000"'})
    table.act(seat, {**body, "token": table.seats[seat]})
    api.post(f"{table.path}/actions?dry_run=true", body, token=table.seats[seat])


def test_secret_and_tokens_are_nowhere_but_where_they_belong(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    api = Api(create_app(services()))
    table = started(api, secret="5a" * 32)
    secret = api.app.extensions["rollbook"].store.sidecar.secret(table.game)
    assert secret == b"\x5a" * 32
    issued = len(api.answers)
    play(table, 20)
    play_everything(api, table)
    after = b"\n".join(api.answers[issued:])
    for token in table.tokens():
        assert token.encode() not in after
        assert token not in caplog.text
    everything = b"\n".join(api.answers)
    assert secret.hex().encode() not in everything
    assert secret not in everything
    ended = ok(api.call("DELETE", f"{table.path}/seats/1", token=table.seats[1]))
    assert ended["events"][-1]["event"]["data"] == {"schema": 1, "secret": secret.hex(), "type": "secret_revealed"}
    assert secret.hex() not in caplog.text


def test_tokens_are_shown_once_and_kept_by_nobody(api: Api) -> None:
    """Every token stands in one answer; the store has its hash alone."""
    table = started(api)
    shown = b"\n".join(api.answers)
    store = b"".join(_everything(api.app.extensions["rollbook"].client))
    for token in table.tokens():
        assert shown.count(token.encode()) == 1
        assert token.encode() not in store


def test_a_renewed_token_is_new_and_a_repeat_gives_the_same(api: Api) -> None:
    table = started(api)
    key = secrets.token_hex(16)
    renewed = [ok(api.post(f"{table.path}/seats/2/token", token=table.host, key=key)) for _ in range(2)]
    assert renewed[0] == renewed[1]
    assert renewed[0]["token"] != table.seats[2]


def _everything(client: object) -> list[bytes]:
    found: list[bytes] = []
    for key in client.keys("*"):  # type: ignore[attr-defined] # a redis client
        found += [key, client.dump(key)]  # type: ignore[attr-defined] # a redis client
    return found


def test_answers_that_hold_a_token_are_not_to_be_stored(api: Api) -> None:
    table = started(api)
    for path in (f"{table.path}/seats/1/token",):
        assert api.post(path, token=table.host).headers["Cache-Control"] == "no-store"
    assert api.post("/v1/games", {"rulebook": "public_assistance"}).headers["Cache-Control"] == "no-store"
    assert "no-store" not in api.get(table.path).headers["Cache-Control"]
