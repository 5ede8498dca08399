"""Checkpoints and proofs over HTTP, checked by what the tests have of their own: a tree and a signature."""

import json
import subprocess
import sys
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from events.store import Entry, connect
from events.store.keys import game_keys
from service.api.app import create_app
from service.api.route_roles import ROLES
from service.bootstrap import assemble
from service.keys.notes import Signer
from service.keys.signing import KeyRing
from tests.api.checked import Api, ok, refused
from tests.api.conftest import OPERATOR, ORIGIN, restarted
from tests.api.tables import Table, play, started
from tests.api.test_permissions import token_of
from tests.support import ed25519
from tests.support.databases import DATABASES
from tests.support.trees import is_consistent, is_included, tree_hash

ROOT = Path(__file__).resolve().parents[2]
OLD, NEW = Signer("rollbook", b"o" * 32), Signer("rollbook", b"n" * 32)


@pytest.fixture(scope="module")
def api() -> Api:
    services = assemble(
        connect(DATABASES.new()),
        server_key=b"a key of at least thirty-two bytes",
        operator_token=OPERATOR,
        keys=KeyRing(NEW, [OLD.verifier]),
        allow_volatile=True,
    )
    return Api(create_app(services, cors_origins=[ORIGIN]))


@pytest.fixture(scope="module")
def table(api: Api) -> Table:
    played = started(api, seats=3, secret="5e" * 32)
    play(played, 10)
    return played


@pytest.fixture(scope="module")
def lines(table: Table) -> list[bytes]:
    answer = table.api.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"})
    return bytes(answer.data).splitlines()


@pytest.fixture(scope="module")
def leaves(lines: list[bytes]) -> list[bytes]:
    """Hashed here from the bytes that anybody gets."""
    events = [line.removeprefix(b'{"event":').rpartition(b',"link":')[0] for line in lines]
    return [sha256(b"\x00" + event).digest() for event in events]


def signed(api: Api, note: str) -> tuple[str, int, bytes, str]:
    """Open a note by hand: game, size, root and head of a checkpoint that the current key signed."""
    current = next(key for key in ok(api.get("/v1/keys"))["keys"] if key["current"])
    text, _, line = note.rpartition("\n\n")
    raw = b64decode(line.split()[2])
    assert raw[:4].hex() == current["id"]
    assert ed25519.verify(bytes.fromhex(current["public_key"]), text.encode() + b"\n", raw[4:])
    origin, size, root, head = text.split("\n")
    return origin.removeprefix("rollbook/"), int(size), b64decode(root), head.removeprefix("head ")


def test_the_checkpoint_is_the_tree_over_the_events_and_is_signed(
    api: Api, table: Table, lines: list[bytes], leaves: list[bytes]
) -> None:
    for size in (None, *range(1, len(leaves) + 1)):
        answer = ok(api.get(f"{table.path}/checkpoint" + (f"?size={size}" if size else "")))
        upto = size or len(leaves)
        head = json.loads(lines[upto - 1])["link"]
        assert (answer["size"], answer["head"]) == (upto, head)
        assert answer["root"] == tree_hash(leaves[:upto]).hex()
        assert signed(api, answer["note"]) == (table.game, upto, bytes.fromhex(answer["root"]), head)


def test_a_checkpoint_is_the_same_whenever_it_is_asked_for(api: Api, table: Table) -> None:
    assert len({api.get(f"{table.path}/checkpoint?size=9").data for _ in range(3)}) == 1


def test_the_note_alone(api: Api, table: Table) -> None:
    answer = api.get(f"{table.path}/checkpoint", headers={"Accept": "text/plain"})
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.text == ok(api.get(f"{table.path}/checkpoint"))["note"]


def test_every_event_is_proved_to_be_in_the_game(api: Api, table: Table, leaves: list[bytes]) -> None:
    for size in (None, 1, 8, 13):
        upto = size or len(leaves)
        for version in range(1, upto + 1):
            answer = ok(api.get(f"{table.path}/events/{version}/proof" + (f"?size={size}" if size else "")))
            proof = [bytes.fromhex(one) for one in answer["proof"]]
            root = signed(api, answer["checkpoint"])[2]
            assert (answer["version"], answer["size"], answer["root"]) == (version, upto, root.hex())
            assert answer["leaf"] == leaves[version - 1].hex()
            assert is_included(root, upto, leaves[version - 1], version - 1, proof)
            assert not is_included(root, upto, leaves[version % upto], version - 1, proof) or upto == 1


def test_the_game_is_proved_to_be_what_it_was(api: Api, table: Table, leaves: list[bytes]) -> None:
    for second in (None, 2, 9, 16):
        upto = second or len(leaves)
        for first in range(1, upto + 1):
            answer = ok(api.get(f"{table.path}/consistency?from={first}" + (f"&to={second}" if second else "")))
            assert (answer["from"], answer["to"]) == (first, upto)
            roots = bytes.fromhex(answer["from_root"]), signed(api, answer["checkpoint"])[2]
            assert roots == (tree_hash(leaves[:first]), bytes.fromhex(answer["to_root"]))
            proof = [bytes.fromhex(one) for one in answer["proof"]]
            assert is_consistent(first, roots[0], upto, roots[1], proof)


def page() -> str:
    return (ROOT / "docs/proofs.md").read_text(encoding="utf-8")


def test_the_verifier_in_the_documents_works(api: Api, table: Table) -> None:
    """docs/proofs.md: it accepts answers of both routes, and none that was changed."""
    script = page().partition("```python\n")[2].partition("```")[0]
    for path in ("/events/1/proof", "/events/7/proof?size=11", "/consistency?from=6&to=11", "/consistency?from=8"):
        answer = ok(api.get(table.path + path))
        changed = {**answer, "proof": [*answer["proof"][:-1], "00" * 32]}
        for told, code in ((answer, 0), (changed, 1), ({**answer, "proof": [*answer["proof"], "00" * 32]}, 1)):
            done = subprocess.run(
                [sys.executable, "-c", script], input=json.dumps(told).encode(), capture_output=True, check=False
            )
            assert (done.returncode, done.stdout) == (code, b"" if code else b"proved\n"), path


def test_the_example_in_the_documents_is_right() -> None:
    """docs/proofs.md: root, head, key id and signature, each computed by the tests' own means."""
    note = next(part.lstrip("\n") for part in page().split("```")[1::2] if "\n— rollbook" in part)
    text, _, line = note.rpartition("\n\n")
    origin, size, root, head = text.split("\n")
    game, events = origin.removeprefix("rollbook/"), [b'{"version":%d}' % n for n in range(1, int(size) + 1)]
    assert b64decode(root) == tree_hash([sha256(b"\x00" + event).digest() for event in events])
    assert head == f"head {_chained(game, events)[-1].link.hex()}"
    verifier = next(word for word in page().split("`") if word.startswith("rollbook+c7f6aa95+AVEVX"))
    name, number, key = verifier.split("+", 2)
    public, raw = b64decode(key)[1:], b64decode(line.split()[2])
    assert name == line.split()[1] == "rollbook"
    assert number == raw[:4].hex() == sha256(b"rollbook\n\x01" + public).hexdigest()[:8]
    assert ed25519.verify(public, f"{text}\n".encode(), raw[4:])


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/checkpoint?size=99999", 404, "no_such_version"),
        ("/checkpoint?size=0", 422, "invalid_input"),
        ("/events/99999/proof", 404, "no_such_version"),
        ("/events/5/proof?size=4", 404, "no_such_version"),
        ("/events/0/proof", 404, "not_found"),
        ("/consistency?from=99999", 404, "no_such_version"),
        ("/consistency?from=1&to=99999", 404, "no_such_version"),
        ("/consistency?from=3&to=2", 422, "invalid_input"),
        ("/consistency?from=0", 422, "invalid_input"),
    ],
)
def test_what_there_is_none_of(api: Api, table: Table, path: str, status: int, code: str) -> None:
    refused(api.get(table.path + path), status, code)


def test_keys_that_signed_before_stay_listed(api: Api) -> None:
    keys = ok(api.get("/v1/keys"))["keys"]
    assert [(key["key"], key["current"]) for key in keys] == [(NEW.verifier.text, True), (OLD.verifier.text, False)]
    assert [key["public_key"] for key in keys] == [NEW.verifier.public.hex(), OLD.verifier.public.hex()]


# --- the head in every answer


def test_every_answer_under_a_game_says_its_head(api: Api) -> None:
    """Also refusals; and always the newest head, which is the one that is signed."""
    table = started(api)
    seat, other = table.active(), 3 - table.active()
    answers = [
        table.act(seat, table.body()),
        api.get(table.path),
        api.get(f"{table.path}?at=2"),
        api.get(f"{table.path}?at=99999"),
        api.get(f"{table.path}/events", headers={"Accept": "application/x-ndjson"}),
        api.get(f"{table.path}/events?limit=1"),
        api.get(f"{table.path}/ledger/accounts"),
        api.get(f"{table.path}/consistency?from=4"),
        api.get(table.path, headers={"If-None-Match": f'"{table.state()["etag"]}"'}),
        api.get(f"{table.path}/actions"),
        api.get(f"{table.path}/actions", token="wrong"),
        table.act(other, {"action": "roll", "prompt": "p1"}),
        table.act(seat, {"action": "roll", "prompt": "p1"}, headers={"If-Match": '"1-00000000"'}),
        table.act(seat, {"action": "roll"}),
    ]
    assert {answer.status_code for answer in answers} == {200, 201, 304, 401, 404, 409, 412, 422}
    checkpoint = ok(api.get(f"{table.path}/checkpoint"))
    assert {answer.headers["Rollbook-Head"] for answer in answers} == {f"{table.version} {checkpoint['head']}"}


def test_other_answers_say_no_head(api: Api) -> None:
    for path in ("/v1/games", "/v1/keys", "/healthz", "/v1/games/nosuchgame", "/nowhere"):
        assert "Rollbook-Head" not in api.get(path).headers


@pytest.mark.parametrize("role", ROLES)
def test_a_private_games_head_is_told_to_those_who_know_of_it(api: Api, role: Any) -> None:
    table = started(api, private=True)
    token = token_of(table, role, seat=1)
    for path in (table.path, f"{table.path}/checkpoint", f"{table.path}/steps/99999"):
        answer = api.get(path, token=token)
        assert ("Rollbook-Head" in answer.headers) == (role != "anyone"), path
    for method in ("OPTIONS", "DELETE", "PUT", "GET"):
        for wrong in (None, "wrong", ""):
            assert "Rollbook-Head" not in api.call(method, table.path, token=wrong).headers


def test_pages_of_other_origins_may_read_it(api: Api, table: Table) -> None:
    answer = api.get(table.path, headers={"Origin": ORIGIN})
    assert "Rollbook-Head" in answer.headers["Access-Control-Expose-Headers"].split(", ")


def test_the_document_promises_it(api: Api) -> None:
    for (_, path), operation in api.document.operations.items():
        for answer in operation["responses"].values():
            assert ("Rollbook-Head" in answer.get("headers", {})) == ("{game}" in path)


# --- what is not signed


@pytest.fixture
def fresh() -> tuple[Api, Table, list[Entry]]:
    services = assemble(connect(DATABASES.new()), server_key=b"k" * 32, allow_volatile=True)
    api = restarted(services)
    table = started(api)
    return api, table, services.store.streams.read(table.game)


def rewrite(api: Api, game: str, entries: list[Entry]) -> None:
    client, keys = api.app.extensions["rollbook"].client, game_keys(game)
    client.execute_command("DEL", keys.stream)
    for version, entry in enumerate(entries, start=1):
        client.execute_command("XADD", keys.stream, f"{version}-0", "e", entry.data, "h", entry.link)
    client.execute_command("HSET", keys.head, "v", len(entries), "h", entries[-1].link)


def test_a_damaged_history_is_not_signed(fresh: tuple[Api, Table, list[Entry]]) -> None:
    api, table, entries = fresh
    bad = entries[2]._replace(data=entries[2].data.replace(b"e", b"f", 1))
    rewrite(api, table.game, [*entries[:2], bad, *entries[3:]])
    for path in ("/checkpoint", "/checkpoint?size=3", "/events/1/proof", "/consistency?from=1"):
        refused(api.get(table.path + path), 503, "game_frozen")
    assert ok(api.get(f"{table.path}/checkpoint?size=2"))["size"] == 2


def test_a_history_that_was_made_anew_is_not_signed(fresh: tuple[Api, Table, list[Entry]]) -> None:
    """The chain holds, and this process knows that it is another one."""
    api, table, entries = fresh
    stored = [entry.data for entry in entries]
    stored[-1] = stored[-1].replace(b'"version"', b'"Version"')
    made = _chained(table.game, stored)
    rewrite(api, table.game, made)
    refused(api.get(f"{table.path}/checkpoint"), 503, "game_frozen")


def _chained(game: str, stored: list[bytes]) -> list[Entry]:
    link, found = sha256(b"rollbook/chain/v1\x00" + game.encode()).digest(), []
    for data in stored:
        link = sha256(b"\x02" + link + sha256(b"\x00" + data).digest()).digest()
        found.append(Entry(data, link))
    return found


def test_a_game_that_this_release_cannot_fold_is_signed_all_the_same(fresh: tuple[Api, Table, list[Entry]]) -> None:
    """An event of a later release: its bytes are as good as any, and the head is shown."""
    api, table, entries = fresh
    later = json.loads(entries[-1].data)
    later["version"] += 1
    later["data"] = {"type": "of_a_later_release", "schema": 1}
    stored = [*(entry.data for entry in entries), json.dumps(later, separators=(",", ":"), sort_keys=True).encode()]
    made = _chained(table.game, stored)
    rewrite(api, table.game, made)
    api.app.extensions["rollbook"].games.loader.forget(table.game)
    answer = api.get(f"{table.path}/checkpoint")
    assert ok(answer)["root"] == tree_hash([sha256(b"\x00" + data).digest() for data in stored]).hex()
    assert answer.headers["Rollbook-Head"] == f"{len(stored)} {made[-1].link.hex()}"
