"""Erasure on a real server: an erased text is in no key, no file, no bundle and no line of the log."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from events.store import Client, SidecarUpdate, Store, StoreError, connect
from service.bootstrap import assemble
from service.cli import main
from service.games.records import RequestContext
from service.jobs import JobQueue
from service.replay.pages import Pages
from service.rules.actions import Leave
from service.rules.decide import parse
from tests.integration.store.moves import add, new_game
from tests.support import played, social
from tests.support.played import Table, begun, games_on, play, start
from tests.support.raw import everything_in, files_in
from tests.support.valkey import Valkey, valkey

NAMES = ("Quetzalcoatl of Tula", "Nebuchadnezzar Two", "Xanthippe the Loud")
WORDS = ("A player who passes Go yodels thrice.", "Yodelling levy")
NONCE = b"my nonce"
RULE = {"op": "add_text", "text": WORDS[0]}
TAX = {
    "op": "add_transfer", "trigger": "round_end", "from": "all", "to": "bank", "amount": {"fixed": 1},
    "label": WORDS[1],
}  # fmt: skip


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Valkey]:
    """What is written is written plainly, so that it can be looked for."""
    with valkey(tmp_path, options=("--rdbcompression", "no")) as own:
        yield own


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played, "NAMES", NAMES)
    monkeypatch.setattr(social, "NAMES", NAMES)


def public_assistance(client: Client, *, over: bool) -> Table:
    table = begun(games_on(client), "one", months=1)
    return play(table) if over else table


def social_justice(client: Client, *, over: bool) -> Table:
    table = start(social.seated(client, seats=3, key="one"))
    asked = next(prompt for prompt in table.state.prompts.values() if prompt.kind == "turn_start")
    body = {"action": "propose", "prompt": asked.prompt, "operations": [RULE, TAX]}
    table.games.actions.perform(table.game, parse(msgspec.json.encode(body)), RequestContext(table.tokens[asked.seat]))
    while over and (state := table.state).status == "playing":
        seat = state.alive()[0]
        table.games.actions.perform(table.game, Leave(), RequestContext(table.tokens[seat]), seat=seat)
    return table


TYPED: dict[Callable[..., Table], tuple[bytes, ...]] = {
    public_assistance: (*(name.encode() for name in NAMES[:2]), NONCE),
    social_justice: (*(text.encode() for text in (*NAMES, *WORDS)), NONCE),
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments])


def erased(server: Valkey, game: str, *what: str) -> Any:
    done = run("erase", game, *what, "--yes", "--json", "--redis-url", server.url)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def found_in(server: Valkey, text: bytes) -> set[str]:
    """Where a text stands: the memory, or files by name."""
    with server.admin() as admin:
        places = {"memory"} if text in everything_in(admin) else set()
    return places | {path.name for path, content in files_in(server.folder).items() if text in content}


def wait_until_nowhere(server: Valkey, text: bytes) -> None:
    """The server removes the files that it replaced in the background."""
    until = time.monotonic() + 30
    while places := found_in(server, text):
        assert time.monotonic() < until, (text, places)
        time.sleep(0.05)


@pytest.mark.parametrize("over", [False, True], ids=["running", "sealed"])
@pytest.mark.parametrize("game", TYPED)
def test_all_is_gone_and_everything_still_verifies(
    server: Valkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Callable[..., Table], over: bool
) -> None:
    monkeypatch.setenv("ROLLBOOK_DATA", str(tmp_path / "data"))
    client = connect(server.url)
    table = game(client, over=over)
    proofs = assemble(client, server_key=b"k" * 32).proofs
    before = (table.store.streams.head(table.game), proofs.inclusion(table.game, RequestContext(), version=3).proof)
    entries = [entry for batch in table.store.streams.stream(table.game) for entry in batch]
    queue = JobQueue.at(server.url)
    Pages(queue.connection).save(table.game, 1, 0, [b"a page with ", *TYPED[game]])
    for text in TYPED[game]:
        assert {"memory"} < found_in(server, text)
    done = erased(server, table.game, "--all")
    assert (len(done["texts"]), done["rewritten"]) == (len(TYPED[game]), True)
    for text in TYPED[game]:
        wait_until_nowhere(server, text)
    assert [entry for batch in table.store.streams.stream(table.game) for entry in batch] == entries
    assert (
        table.store.streams.head(table.game),
        proofs.inclusion(table.game, RequestContext(), version=3).proof,
    ) == before
    audit = run("audit", table.game, "--json", "--redis-url", server.url)
    report = json.loads(audit.stdout)
    assert (audit.exit_code, report["findings"], report["execution"]["outcome"]) == (0, [], "same")
    assert any("erased at" in sentence and "by operator" in sentence for sentence in report["unchecked"])
    assert any(sentence.startswith("nonces: 1 that were opened are gone") for sentence in report["unchecked"])
    bundle = tmp_path / "bundle.ndjson"
    assert run("export", table.game, "--output", str(bundle), "--redis-url", server.url).exit_code == 0
    assert not [text for text in TYPED[game] if text in bundle.read_bytes()]
    verified = run("verify", str(bundle), "--json")
    assert (verified.exit_code, json.loads(verified.stdout)["findings"]) == (0, [])
    server.kill()
    server.start()
    assert not [text for text in TYPED[game] if found_in(server, text)]
    assert erased(server, table.game, "--all")["texts"] == done["texts"]


def test_one_seat_and_one_text(server: Valkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLBOOK_DATA", str(tmp_path / "data"))
    table = social_justice(connect(server.url), over=True)
    erased(server, table.game, "--seat", "1")
    for text in (NAMES[0].encode(), NONCE):
        wait_until_nowhere(server, text)
    name = table.state.seats[2].name
    assert [text["digest"] for text in erased(server, table.game, "--text", name)["texts"]] == [name]
    wait_until_nowhere(server, NAMES[1].encode())
    assert "memory" in found_in(server, NAMES[2].encode())
    for wrong in (("--text", "0" * 64), ("--seat", "1", "--all"), ()):
        refused = run("erase", table.game, *wrong, "--yes", "--redis-url", server.url)
        assert refused.exit_code != 0
        assert "Traceback" not in refused.output
    unasked = run("erase", table.game, "--all", "--redis-url", server.url)
    assert (unasked.exit_code, "memory" in found_in(server, NAMES[2].encode())) == (1, True)


@pytest.mark.parametrize("wait", [0, 0.0005, 0.001, 0.002, 0.005])
def test_killed_in_the_middle_it_is_there_or_gone_and_a_repeat_finishes_it(server: Valkey, wait: float) -> None:
    store, game = Store(connect(server.url), patience=0.1), new_game()
    texts = {f"{number:064}": b"an utterly private thing %d" % number for number in range(200)}
    add(store, game, b"named", action="a", sidecar=SidecarUpdate(texts=texts, seal=True))

    def erase() -> None:
        try:
            store.sidecar.erase_texts(game, list(texts), actions=["a"], at=5, by="operator")
            store.sidecar.start_rewrite(game)
        except StoreError:
            pass  # killed before it could answer

    thread = threading.Thread(target=erase)
    thread.start()
    time.sleep(wait)
    server.kill()
    thread.join()
    server.start()
    store = Store(connect(server.url))
    kept, gone = store.sidecar.kept_texts(game), set(store.sidecar.erased(game))
    assert (kept, gone) in ((set(texts), set()), (set(), set(texts)))
    store.sidecar.erase_texts(game, list(texts), actions=["a"], at=6, by="operator")
    assert store.sidecar.rewrite(game, seconds=60)
    assert (store.sidecar.kept_texts(game), set(store.sidecar.erased(game))) == (set(), set(texts))
    wait_until_nowhere(server, b"an utterly private thing")


def test_a_rewrite_that_began_before_is_waited_for(server: Valkey) -> None:
    """It may have read the text already; only the one after it is sure not to."""
    client = connect(server.url)
    store, game = Store(client), new_game()
    with server.admin() as admin:
        admin.execute_command("CONFIG", "SET", "rdb-key-save-delay", "20000")  # µs for each key of a rewrite
        for number in range(40):
            admin.set(f"filler {number}", "x")
        add(store, game, b"named", sidecar=SidecarUpdate(texts={"d": b"an utterly private thing"}))
        assert store.sidecar.start_rewrite(game) == "started"
        store.sidecar.erase_texts(game, ["d"], at=5, by="operator")
        assert store.sidecar.start_rewrite(game) == "running"
    assert store.sidecar.rewrite(game, seconds=60)
    wait_until_nowhere(server, b"an utterly private thing")
