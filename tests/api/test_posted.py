"""F23: no route and no job changes an entry that was posted; what was wrong is put right by another entry."""

from typing import Any

import pytest
from werkzeug.routing import Rule

from events import codec
from projections.ledger import books as ledger
from service.jobs import BOT_JOB, JOBS
from tests.api.checked import Api, ok
from tests.api.conftest import EITHER, OPERATOR
from tests.api.tables import Table, play, started
from workers import jobs, wiring

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def posted(api: Api, table: Table, upto: int) -> tuple[list[Any], list[Any]]:
    """The stored entries up to a version, and what the ledger makes of them."""
    batches = api.app.extensions["rollbook"].store.streams.stream(table.game, upto=upto)
    stored = [entry for batch in batches for entry in batch]
    return stored, list(ledger.entries(codec.decode_all(entry.data for entry in stored)))


def bodies(table: Table) -> list[Any]:
    """What a request may hold: nothing, every action that is open now, and attempts at the ledger."""
    entry = ok(table.api.get(f"{table.path}/ledger/entries?limit=1"))["entries"][0]
    menus = [table.api.get(f"{table.path}/actions", token=token).json or {} for token in table.seats.values()]
    actions = [action["body"] for menu in menus for action in menu.get("open", [])]
    return [None, {}, entry, {"entries": [entry]}, {"version": 3, "amount": 1}, *actions]


def paths(rule: Rule, table: Table) -> list[str]:
    path = rule.rule.replace("<game:game>", table.game).replace("<seat:seat>", "1").replace("<number:number>", "3")
    return [path, f"{path}?account=seat:1&format=json&at=3&after=1"]


@EITHER
def test_no_route_and_no_job_changes_a_posted_entry(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every route by every method, with every token and with whatever a body may hold; then every job."""
    table = started(api, seats=3)
    play(table, 12)
    version = table.version
    before = posted(api, table, version)
    assert before[1]
    tokens = [*table.tokens(), OPERATOR]
    for rule in sorted(api.app.url_map.iter_rules(), key=lambda rule: rule.endpoint.startswith("lobby.")):
        for method in METHODS:
            if method == "GET" and "<game" not in rule.rule:
                continue
            for number, body in enumerate(bodies(table) if method in ("POST", "PUT") else [None]):
                for path in paths(rule, table):
                    api.client.open(
                        path,
                        method=method,
                        json=body,
                        buffered=True,
                        headers={"Authorization": f"Bearer {tokens[number % len(tokens)]}"},
                    )
    services = api.app.extensions["rollbook"]
    monkeypatch.setattr("workers.jobs.erase_log.REWRITE_SECONDS", 1)
    monkeypatch.setattr(wiring, "services", lambda: services)
    for name in JOBS:
        getattr(jobs, name.rpartition(".")[2])(table.game, *((1, 0) if name == BOT_JOB else ()))
    assert table.version > version, "something was written meanwhile"
    assert posted(api, table, version) == before


def test_the_ledger_is_only_read(api: Api) -> None:
    """No route under it takes anything but GET, and every other method is refused as such."""
    table = started(api)
    routes = [rule for rule in api.app.url_map.iter_rules() if "/ledger/" in rule.rule]
    assert len(routes) == 8
    for rule in routes:
        assert (rule.methods or set()) == {"GET", "HEAD", "OPTIONS"}
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            path = rule.rule.replace("<game:game>", table.game)
            assert api.call(method, path, {}, token=table.host).status_code == 405
