"""A process that never saw the game meets a stream that is damaged, or written by a later release.

What is good of the history is shown, what is wrong is named, and nothing more happens in the game.
"""

import json
from typing import Any

import fakeredis
import pytest

from events import chain
from events.store.keys import game_keys
from service.api.app import create_app
from service.bootstrap import assemble
from tests.api.checked import Api, ok, refused
from tests.api.tables import Table, started

KEY = b"a key of at least thirty-two bytes"


def service(server: fakeredis.FakeServer) -> Api:
    client = fakeredis.FakeRedis(server=server, protocol=2)
    return Api(create_app(assemble(client, server_key=KEY, allow_volatile=True)))


@pytest.fixture
def server() -> fakeredis.FakeServer:
    return fakeredis.FakeServer()


def rewritten(server: fakeredis.FakeServer, table: Table, data_of_last: dict[str, Any], *, rechain: bool) -> None:
    """Put other data into the last event, and perhaps make its link anew."""
    client: Any = fakeredis.FakeRedis(server=server, protocol=2)
    keys = game_keys(table.game)
    (place, fields), (_, before) = client.xrevrange(keys.stream, count=2)
    entry = json.loads(fields[b"e"])
    entry["data"] = data_of_last
    data = json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()
    link = chain.link(before[b"h"], data) if rechain else fields[b"h"]
    client.xdel(keys.stream, place)
    client.delete("scratch")
    rows = client.xrange(keys.stream)
    client.delete(keys.stream)
    for number, row in rows:
        client.xadd(keys.stream, row, id=number)
    client.xadd(keys.stream, {b"e": data, b"h": link}, id=place)
    client.hset(keys.head, "h", link)


@pytest.mark.parametrize(
    "path", ["/ledger/trial-balance", "/ledger/accounts", "?at={top}", "/ledger/accounts?at={top}"]
)
def test_a_version_that_was_lost_is_not_one_that_never_was(server: fakeredis.FakeServer, path: str) -> None:
    """The head record knows of it, and the stream ends before."""
    table = started(service(server))
    top = table.version
    fakeredis.FakeRedis(server=server, protocol=2).xdel(game_keys(table.game).stream, f"{top}-0")
    cold = service(server)
    refused(cold.get(table.path + path.format(top=top)), 503, "game_frozen")
    refused(cold.get(f"{table.path}?at={top + 1}"), 404, "no_such_version")


GONE = {"type": "prompt_closed", "schema": 1, "prompt": "p999", "how": "void"}
DAMAGES = {
    "a later release's event": ({"type": "from_the_future", "schema": 1}, True),
    "bytes changed": (GONE, False),
    "an event that does not fit": (GONE, True),
}


@pytest.mark.parametrize(("change", "rechain"), DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("private", [False, True])
def test_the_good_history_is_shown_and_the_game_frozen(
    server: fakeredis.FakeServer, change: dict[str, Any], rechain: bool, private: bool
) -> None:
    table = started(service(server), private=private)
    body, seat, version = table.body(), table.active(), table.version
    rewritten(server, table, change, rechain=rechain)
    cold = table.api = service(server)
    reader = table.watch
    # not held against the document, which knows this release's events alone
    raw, who = cold.client, {"Authorization": f"Bearer {reader}"}
    for path in ("/events", f"/events?after={version - 2}", "/steps/1", "?at=3", "/ledger/trial-balance?at=9"):
        assert raw.get(table.path + path, headers=who).status_code == 200, path
    assert raw.get(f"{table.path}/events", headers=who).get_json()["version"] == version
    lines = cold.get(f"{table.path}/events", token=reader, headers={"Accept": "application/x-ndjson"}).text
    assert len(lines.splitlines()) == version
    report = ok(cold.get(f"{table.path}/verification", token=reader))
    assert report["findings"]
    assert {finding["version"] for finding in report["findings"]} == {version}
    problem = refused(cold.get(table.path, token=reader), 503, "game_frozen")
    assert str(version) in problem["detail"]
    refused(table.act(seat, body), 503, "game_frozen")
    if private:
        refused(cold.get(f"{table.path}/events"), 404, "no_such_game")
        refused(cold.get(f"{table.path}/events", token="a stranger's"), 404, "no_such_game")
