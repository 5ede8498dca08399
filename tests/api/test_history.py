"""The stream, its chain, the steps and the books, as a client sees them."""

import copy
import hashlib
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from events import chain
from service.ledger import entries as books
from service.live import watch
from tests.api.checked import Api, ok, refused
from tests.api.tables import Table, play, started

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def table(api: Api) -> Table:
    """A game after some turns."""
    played = started(api, seats=3, secret="5e" * 32)
    play(played, 25)
    return played


def ndjson(table: Table, query: str = "") -> bytes:
    answer = table.api.get(f"{table.path}/events{query}", headers={"Accept": "application/x-ndjson"})
    assert (answer.status_code, answer.mimetype) == (200, "application/x-ndjson")
    return bytes(answer.data)


def test_pages_join_without_a_gap(table: Table) -> None:
    """H9: whatever the size of the page."""
    whole = ok(table.api.get(f"{table.path}/events?limit=1000"))["events"]
    for limit in (1, 7, 100):
        joined: list[Any] = []
        page: Any = {"after": 0, "more": True}
        while page["more"]:
            page = ok(table.api.get(f"{table.path}/events?after={page['after']}&limit={limit}"))
            assert len(page["events"]) <= limit
            joined += page["events"]
        assert joined == whole
    assert [entry["event"]["version"] for entry in whole] == list(range(1, table.version + 1))


def test_behind_the_end_there_is_nothing(table: Table) -> None:
    for after in (table.version, table.version + 1, 2**53 - 1):
        page = ok(table.api.get(f"{table.path}/events?after={after}"))
        assert (page["events"], page["after"], page["more"]) == ([], after, False)
        assert ndjson(table, f"?after={after}") == b""


def test_events_are_the_stored_bytes_and_anybody_can_verify_the_chain(table: Table) -> None:
    """By hand, from the bytes of the answer alone."""
    link = hashlib.sha256(b"rollbook/chain/v1\x00" + table.game.encode()).digest()
    lines = ndjson(table).splitlines()
    for line in lines:
        event = line.removeprefix(b'{"event":').rpartition(b',"link":')[0]
        link = hashlib.sha256(b"\x02" + link + hashlib.sha256(b"\x00" + event).digest()).digest()
        assert json.loads(line)["link"] == link.hex()
    assert table.state()["head"] == link.hex()
    assert len(lines) == table.version
    page = table.api.get(f"{table.path}/events?limit=1000").data
    assert all(line in page for line in lines)


def test_the_verifier_in_the_documents_works(table: Table) -> None:
    """docs/api.md: the script gives the head hash, and fails when a byte was changed."""
    text = (ROOT / "docs/api.md").read_text()
    script = text.partition("```python\n")[2].partition("```")[0]
    lines = ndjson(table)
    run = [sys.executable, "-c", script, table.game]
    done = subprocess.run(run, input=lines, capture_output=True, check=True)
    assert done.stdout.decode().strip() == table.state()["head"]
    changed = lines.replace(b'"faces":[', b'"faces":[9,', 1)
    assert changed != lines
    assert subprocess.run(run, input=changed, capture_output=True, check=False).returncode != 0


def test_ndjson_heeds_after_and_limit(table: Table) -> None:
    lines = ndjson(table).splitlines()
    assert ndjson(table, "?after=5").splitlines() == lines[5:]
    assert ndjson(table, "?after=5&limit=3").splitlines() == lines[5:8]


def test_a_whole_stream_is_sent_in_batches(api: Api, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """No game is held in memory whole, and others get their turn in between."""
    store = api.app.extensions["rollbook"].store
    stream = store.streams.stream
    monkeypatch.setattr(store.streams, "stream", lambda game, **place: stream(game, **place, batch=10))
    answer = api.client.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"}, buffered=False)
    parts = list(answer.response)
    assert len(parts) == -(-table.version // 10)
    assert b"".join(part for part in parts if isinstance(part, bytes)) == ndjson(table)


def test_without_events_a_long_poll_waits_and_wakes(api: Api) -> None:
    """The answer comes with the event, though the time is not over."""
    table = started(api)
    after, body, seat = table.version, table.body(), table.active()
    pages: list[Any] = []
    other = Api(api.app)

    def poll() -> None:
        pages.append(ok(other.get(f"{table.path}/events?after={after}&wait=30")))

    waiting = threading.Thread(target=poll)
    waiting.start()
    watched = api.app.extensions["rollbook"].watcher
    while table.game not in watched.watched():
        waiting.join(0.01)
        assert waiting.is_alive()
    ok(table.act(seat, body))
    waiting.join(20)
    assert not waiting.is_alive()
    assert pages[0]["events"][0]["event"]["version"] == after + 1
    assert table.game not in watched.watched()


def test_a_long_poll_ends_empty_when_its_time_is_over(table: Table) -> None:
    page = ok(table.api.get(f"{table.path}/events?after={table.version}&wait=1"))
    assert page["events"] == []


def test_a_long_poll_takes_the_default_at_a_deadline(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request looks first, and a waiting one at the deadline, not when its own time is over."""
    waits: list[float] = []
    wait = watch.Watch.wait

    def noted(one: watch.Watch, after: int, seconds: float) -> bool:
        waits.append(seconds)
        return wait(one, after, seconds)

    monkeypatch.setattr(watch.Watch, "wait", noted)
    table = started(api, options={"turn_seconds": 1})
    page = ok(api.get(f"{table.path}/events?after={table.version}&wait=30"))
    assert page["events"][0]["event"]["actor"] == "clock"
    assert max(waits) < 3


def test_steps_tell_the_game_in_words(table: Table) -> None:
    page = ok(table.api.get(f"{table.path}/steps?limit=100"))
    steps = page["steps"]
    assert [step["number"] for step in steps] == list(range(1, len(steps) + 1))
    assert steps[0]["name"] == "create"
    assert (page["after"], page["more"]) == (table.version, False)
    assert any("Ann" in line for step in steps for line in step["lines"])
    joined: list[Any] = []
    page = {"after": 0, "more": True}
    while page["more"]:
        page = ok(table.api.get(f"{table.path}/steps?after={page['after']}&limit=4"))
        joined += page["steps"]
    assert joined == steps


def test_a_step_comes_with_state_and_balances_right_after_it(table: Table) -> None:
    steps = ok(table.api.get(f"{table.path}/steps?limit=100"))["steps"]
    for step in (steps[0], steps[5], steps[-1]):
        view = ok(table.api.get(f"{table.path}/steps/{step['number']}"))
        assert view["step"] == step
        assert view["state"] == table.state(at=step["last"])["state"]
        accounts = ok(table.api.get(f"{table.path}/ledger/accounts?at={step['last']}"))["accounts"]
        assert view["balances"] == {account["account"]: account["balance"] for account in accounts}


def test_a_step_tells_what_changed_since_any_other(table: Table) -> None:
    view = ok(table.api.get(f"{table.path}/steps/9"))
    assert view["since"] == 8
    changed = {change["path"]: change for change in view["changes"]}
    before = table.state(at=view["step"]["first"] - 1)
    assert (changed["/version"]["before"], changed["/version"]["value"]) == (before["version"], view["step"]["last"])
    back = ok(table.api.get(f"{table.path}/steps/8?since=9"))
    assert {change["path"] for change in back["changes"]} == set(changed)
    assert ok(table.api.get(f"{table.path}/steps/1?since=0"))["changes"][0]["op"] == "replace"
    refused(table.api.get(f"{table.path}/steps/2?since=999"), 404, "no_such_version")


def applied(document: Any, patch: list[dict[str, Any]]) -> Any:
    """Apply a JSON Patch as RFC 6902 says (sections 4.1 to 4.3), with nothing but its own members."""
    root: Any = {"": document}
    for operation in patch:
        *way, last = [part.replace("~1", "/").replace("~0", "~") for part in operation["path"].split("/")]
        target: Any = root
        for part in way:
            target = target[int(part) if isinstance(target, list) else part]
        place: Any = int(last) if isinstance(target, list) else last
        if operation["op"] == "remove":
            del target[place]
        elif isinstance(target, list) and operation["op"] == "add":
            target.insert(place, operation["value"])
        else:
            assert operation["op"] in ("add", "replace")
            target[place] = operation["value"]
    return root[""]


def test_changes_are_a_json_patch_that_any_program_can_apply(table: Table) -> None:
    last = ok(table.api.get(f"{table.path}/steps?limit=100"))["steps"][-1]["number"]
    views = {number: ok(table.api.get(f"{table.path}/steps/{number}")) for number in (1, 2, 8, last)}
    for since, number in ((1, 2), (2, last), (last, 2), (8, last)):
        patch = ok(table.api.get(f"{table.path}/steps/{number}?since={since}"))["changes"]
        assert applied(copy.deepcopy(views[since]["state"]), patch) == views[number]["state"]
    whole = ok(table.api.get(f"{table.path}/steps/{last}?since=0"))["changes"]
    assert applied(None, whole) == views[last]["state"]


def test_steps_between_two_versions(table: Table) -> None:
    steps = ok(table.api.get(f"{table.path}/steps?limit=100"))["steps"]
    after, before = steps[2]["last"], steps[9]["first"]
    page = ok(table.api.get(f"{table.path}/steps?after={after}&before={before}"))
    assert [step["number"] for step in page["steps"]] == [9, 8, 7, 6, 5, 4]
    assert (page["before"], page["more"]) == (after + 1, False)


def test_steps_are_found_by_turn_seat_and_kind_and_backwards(table: Table) -> None:
    steps = ok(table.api.get(f"{table.path}/steps?limit=100"))["steps"]
    seat = ok(table.api.get(f"{table.path}/steps?seat=2&limit=100"))["steps"]
    assert seat == [step for step in steps if step["seat"] == 2]
    kind = ok(table.api.get(f"{table.path}/steps?kind=dice_rolled&limit=100"))["steps"]
    assert kind == [step for step in steps if "dice_rolled" in step["kinds"]]
    turn = ok(table.api.get(f"{table.path}/steps?turn=3&limit=100"))["steps"]
    assert turn
    assert all(step in steps for step in turn)
    page = ok(table.api.get(f"{table.path}/steps?before={2**53 - 1}&limit=3"))
    assert (page["steps"], page["before"], page["more"]) == (steps[:-4:-1], steps[-3]["first"], True)
    rest = ok(table.api.get(f"{table.path}/steps?before={page['before']}&limit=100"))
    assert (rest["steps"], rest["more"]) == (steps[-4::-1], False)
    refused(table.api.get(f"{table.path}/steps?kind=tea_served"), 422, "invalid_input")


def test_the_books_balance_at_every_version(table: Table) -> None:
    for version in (1, 10, table.version // 2, table.version):
        balance = ok(table.api.get(f"{table.path}/ledger/trial-balance?at={version}"))
        assert (balance["version"], balance["debit"]) == (version, balance["credit"])
    accounts = ok(table.api.get(f"{table.path}/ledger/accounts"))
    assert sum(account["balance"] for account in accounts["accounts"]) == 0
    cash = {account["account"]: account["balance"] for account in accounts["accounts"] if account["kind"] == "seat"}
    assert cash == {name: held for name, held in table.state()["state"]["cash"].items() if name.startswith("seat")}


def entries(table: Table, query: str = "", limit: int = 100) -> list[Any]:
    found: list[Any] = []
    cursor = ""
    while True:
        page = ok(table.api.get(f"{table.path}/ledger/entries?limit={limit}{query}{cursor}"))
        found += page["entries"]
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def test_the_entries_are_every_payment_of_the_stream(table: Table) -> None:
    events = ok(table.api.get(f"{table.path}/events?limit=1000"))["events"]
    moved = [entry["event"]["version"] for entry in events if entry["event"]["data"]["type"] == "money_moved"]
    for limit in (1, 3, 100):
        assert [entry["version"] for entry in entries(table, limit=limit) if entry["kind"] == "transfer"] == moved


def test_entries_are_filtered(table: Table) -> None:
    whole = entries(table)
    account = [entry for entry in whole if "seat:1" in (entry["credited"], entry["debited"])]
    assert entries(table, "&account=seat:1") == account
    of_seat = [entry for entry in entries(table, "&seat=1") if "seat:1" in (entry["credited"], entry["debited"])]
    assert of_seat == account  # a seat has loan accounts, too
    assert account
    assert account != whole
    reason = whole[-1]["reason"]
    assert entries(table, f"&reason={reason}", limit=2) == [entry for entry in whole if entry["reason"] == reason]
    rule = whole[0]["rule"]
    assert entries(table, f"&rule={rule}") == [entry for entry in whole if entry["rule"] == rule]
    assert entries(table, "&account=nosuch") == []


def test_a_cursor_of_entries_belongs_to_its_filters(table: Table) -> None:
    page = ok(table.api.get(f"{table.path}/ledger/entries?limit=1&seat=1"))
    path = f"{table.path}/ledger/entries?limit=1&cursor={page['next']}"
    problem = refused(table.api.get(f"{path}&seat=2"), 422, "invalid_input")
    assert [error["query"] for error in problem["errors"]] == ["seat"]
    refused(table.api.get(path), 422, "invalid_input")
    games = ok(table.api.get("/v1/games?limit=1"))["next"]
    if games:
        refused(table.api.get(f"{table.path}/ledger/entries?cursor={games}"), 422, "invalid_input")


def test_verification_names_the_head(table: Table) -> None:
    report = ok(table.api.get(f"{table.path}/verification"))
    assert report["sound"] is True
    assert (report["version"], report["head"]) == (table.version, table.state()["head"])
    assert chain.etag(report["version"], bytes.fromhex(report["head"])) == table.state()["etag"]


def test_short_pages_of_entries_join(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that found nothing has a next one all the same."""
    whole = entries(table, "&seat=1")
    monkeypatch.setattr(books, "MOST_SCANNED", 7)
    assert entries(table, "&seat=1") == whole


def test_json_unless_ndjson_is_liked_best(table: Table) -> None:
    """What a browser or curl sends by itself gets JSON."""
    for accept, wanted in (
        ("*/*", "application/json"),
        ("text/html", "application/json"),
        ("application/json, application/x-ndjson;q=0.5", "application/json"),
        ("application/x-ndjson, */*;q=0.1", "application/x-ndjson"),
    ):
        assert table.api.get(f"{table.path}/events", headers={"Accept": accept}).mimetype == wanted


def test_a_reader_ahead_of_the_game_is_told_where_it_is(api: Api) -> None:
    table = started(api)
    for what in ("events", "steps"):
        answer = ok(api.get(f"{table.path}/{what}?after={2**53 - 1}"))
        assert (answer["version"], answer[what]) == (table.version, [])
