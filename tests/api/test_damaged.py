"""A process that never saw the game meets a stream that is damaged, or written by a later release.

What is good of the history is shown, what is wrong is named, and nothing more happens in the game.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from events import chain
from events.store import connect
from events.store.keys import GameKeys, game_keys
from service.bootstrap import assemble
from tests.api.checked import Api, ok, refused
from tests.api.conftest import restarted
from tests.api.tables import Table, started
from tests.support.databases import DATABASES, meddler

KEY = b"a key of at least thirty-two bytes"


def service(server: str) -> Api:
    return restarted(assemble(connect(server), server_key=KEY, allow_volatile=True))


@pytest.fixture
def server() -> str:
    return DATABASES.new()


def rewritten(server: str, table: Table, data_of_last: dict[str, Any], *, rechain: bool) -> None:
    """Put other data into the last event, and perhaps make its link again."""
    client: Any = meddler(server)
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
def test_a_version_that_was_lost_is_not_one_that_never_was(server: str, path: str) -> None:
    """The head record knows of it, and the stream ends before."""
    table = started(service(server))
    top = table.version
    meddler(server).xdel(game_keys(table.game).stream, f"{top}-0")
    cold = service(server)
    refused(cold.get(table.path + path.format(top=top)), 503, "game_frozen")
    refused(cold.get(f"{table.path}?at={top + 1}"), 404, "no_such_version")


READS = (
    "", "/events", "/steps", "/steps/1", "/actions", "/ledger/entries", "/ledger/trial-balance", "?at=1", "/bundle",
    "/ledger/export?format=csv", "/consistency?from=1&to=2", "/checkpoint",
)  # fmt: skip
SHOWN_ANYWAY = {"/bundle"}  # written as far as it can be read, and its last line says how far


@pytest.mark.parametrize("private", [False, True])
def test_a_stream_that_is_gone_is_missed_by_everybody_who_may_know_of_it(server: str, private: bool) -> None:
    """No answer passes for a game without events, and none tells a stranger of a private game."""
    table = started(service(server), private=private)
    meddler(server).delete(game_keys(table.game).stream)
    cold = service(server)
    for path in READS:
        if path not in SHOWN_ANYWAY:
            refused(cold.get(table.path + path, token=table.watch), 503, "game_frozen")
        stranger = cold.get(table.path + path)
        if private:
            refused(stranger, 404, "no_such_game")
        else:
            assert stranger.status_code == (200 if path in SHOWN_ANYWAY else 503), path
    lines = cold.get(f"{table.path}/events", token=table.watch, headers={"Accept": "application/x-ndjson"})
    refused(lines, 503, "game_frozen")
    report = ok(cold.get(f"{table.path}/verification", token=table.watch))
    assert report["findings"]


def other_keys(client: Any, keys: GameKeys) -> None:
    for key in (keys.tokens, keys.texts):
        client.delete(key)
        client.set(key, "something else")


def no_link(client: Any, keys: GameKeys) -> None:
    client.delete(keys.stream)
    client.xadd(keys.stream, {b"e": b"{}"}, id="1-0")


def other_fields(client: Any, keys: GameKeys) -> None:
    client.delete(keys.stream)
    client.xadd(keys.stream, {b"x": b"{}", b"y": b"{}", b"z": b"{}"}, id="1-0")


def no_version(client: Any, keys: GameKeys) -> None:
    client.hset(keys.head, "v", "many")


def no_index(client: Any, keys: GameKeys) -> None:
    client.delete(keys.stream)
    client.delete(keys.about)
    client.set(keys.about, "something else")


def an_index_that_does_not_say(client: Any, keys: GameKeys) -> None:
    client.delete(keys.stream)
    client.hset(keys.about, keys.stream.split(":")[2], b'{"private":null}')


DAMAGED_KEYS = [other_keys, no_link, other_fields, no_version, no_index, an_index_that_does_not_say]


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("damage", DAMAGED_KEYS)
def test_no_damage_is_a_fault_of_ours_or_tells_of_a_private_game(
    server: str, damage: Callable[[Any, GameKeys], None], private: bool
) -> None:
    table = started(service(server), private=private)
    damage(meddler(server), game_keys(table.game))
    cold = service(server).client
    for path in (*READS, "/rules", "/verification"):
        for token in (table.watch, table.host, None, "a stranger's"):
            answer = cold.get(table.path + path, headers={"Authorization": f"Bearer {token}"} if token else {})
            answer.close()
            assert answer.status_code != 500, (path, answer.data)
            if private and token in (None, "a stranger's"):
                assert answer.status_code == 404, (path, answer.data)


def test_the_steps_before_a_lost_tail_are_told(server: str) -> None:
    """Forwards and backwards; the step that the tail was of is not, for nobody knows where it ended."""
    table = started(service(server))
    top, whole = table.version, ok(table.api.get(f"{table.path}/steps"))["steps"]
    meddler(server).xdel(game_keys(table.game).stream, f"{top}-0")
    cold = service(server)
    page = ok(cold.get(f"{table.path}/steps"))
    assert page["steps"] == whole[:-1]
    assert page["more"] is True
    back = ok(cold.get(f"{table.path}/steps?before={top + 1}"))["steps"]
    assert back == whole[-2::-1]
    refused(cold.get(f"{table.path}/steps?after={page['after']}"), 503, "game_frozen")


def test_a_page_beyond_a_lost_tail_is_refused(server: str) -> None:
    """Who goes on while there is more comes to an end."""
    table = started(service(server))
    top = table.version
    meddler(server).xdel(game_keys(table.game).stream, f"{top}-0")
    cold = service(server)
    page = ok(cold.get(f"{table.path}/events"))
    assert (page["after"], page["version"], page["more"]) == (top - 1, top, True)
    refused(cold.get(f"{table.path}/events?after={top - 1}"), 503, "game_frozen")
    assert ok(cold.get(f"{table.path}/events?after={top}"))["events"] == []
    lines = cold.client.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"})
    with pytest.raises(BrokenPipeError):  # which gunicorn takes for the end of the connection
        lines.get_data()


def test_a_game_on_a_board_that_this_release_lacks_is_frozen(server: str) -> None:
    """The same for every caller, where a turn would have met it on its way."""
    table = started(service(server))
    client: Any = meddler(server)
    keys, link = game_keys(table.game), chain.genesis(table.game)
    rows = client.xrange(keys.stream)
    client.delete(keys.stream)
    for number, fields in rows:
        data = later(fields[b"e"]) if number == b"1-0" else fields[b"e"]
        link = chain.link(link, data)
        client.xadd(keys.stream, {b"e": data, b"h": link}, id=number)
    client.hset(keys.head, "h", link)
    cold = service(server)
    for path in ("", "/actions", "/steps"):
        refused(cold.get(table.path + path), 503, "game_frozen")
    table.api = cold
    refused(table.act(1, {"action": "roll", "prompt": "p1"}), 503, "game_frozen")
    assert ok(cold.get(f"{table.path}/events"))["events"]


def later(stored: bytes) -> bytes:
    """Pin a board of a later release in a game's first event."""
    entry = json.loads(stored)
    entry["data"]["pins"][0]["version"] = 7
    return json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()


GONE = {"type": "prompt_closed", "schema": 1, "prompt": "p999", "how": "void"}
DAMAGES = {
    "a later release's event": ({"type": "from_the_future", "schema": 1}, True),
    "bytes changed": (GONE, False),
    "an event that does not fit": (GONE, True),
}


@pytest.mark.parametrize(("change", "rechain"), DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("private", [False, True])
def test_the_good_history_is_shown_and_the_game_frozen(
    server: str, change: dict[str, Any], rechain: bool, private: bool
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


UNREADABLE = {
    "no JSON": b"{",
    "nothing": b"",
    "another event after it": b'{},"link":""},{"event":{"version":99}',
    "a line after it": b'{}\n{"event":{"version":99},"link":""}',
    "an event on two lines": b"%b\n",
    "no UTF-8": b'"\xff"',
    "no envelope": b"[]",
    "deep": b"[" * 5000,
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_events_end_before_one_that_is_damaged_and_name_it(server: str, data: bytes) -> None:
    """What is stored can never pass for more events than there are; the rest can be read, before it and after it."""
    table = started(service(server))
    good = [line["event"]["version"] for line in ok(table.api.get(f"{table.path}/events"))["events"]]
    client: Any = meddler(server)
    stream = game_keys(table.game).stream
    rows = client.xrange(stream)
    client.delete(stream)
    for number, fields in rows:
        is_bad = number == b"4-0"
        client.xadd(stream, {**fields, b"e": data.replace(b"%b", fields[b"e"])} if is_bad else fields, id=number)
    live = table.api.get(f"{table.path}/events?after=1", headers={"Accept": "text/event-stream"}).text
    assert [line for line in live.splitlines() if line.startswith("id:")] == ["id: 1", "id: 2", "id: 3"]
    assert '"version":99' not in live
    for api in (service(server), table.api):
        page = ok(api.get(f"{table.path}/events"))
        assert [line["event"]["version"] for line in page["events"]] == [1, 2, 3]
        assert (page["after"], page["more"], page["unreadable"]) == (3, True, 4)
        text = api.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"}).text
        lines = [json.loads(line) for line in text.splitlines()]
        assert [line["event"]["version"] for line in lines[:-1]] == [1, 2, 3]
        assert lines[-1] == {"unreadable": 4}
        for accept in ("application/json", "application/x-ndjson"):
            problem = refused(api.get(f"{table.path}/events?after=3", headers={"Accept": accept}), 503, "game_frozen")
            assert "4" in problem["detail"]
        rest = ok(api.get(f"{table.path}/events?after=4"))
        assert [line["event"]["version"] for line in rest["events"]] == good[4:]
        assert rest["unreadable"] is None
