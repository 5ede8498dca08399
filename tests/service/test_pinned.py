"""A checkpoint that a player kept: whatever was changed before it is found, however well the rest was made to fit."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from events import chain
from service.audit.proofs.checkpoints import Checkpoint
from service.audit.proofs.merkle_tree import Trees
from service.audit.proofs.proofs import Proofs
from service.audit.verify import Finding, Pin, StoredHistory, verify
from service.games.records import RequestContext
from service.keys.notes import Signer, Verifier
from service.keys.signing import KeyRing
from service.settings import OperatorError
from tests.service.test_trees import frames
from tests.support.forged import Held, Json, chained, change_at, leaves, plain, stored, written
from tests.support.played import Table, finished
from tests.support.trees import tree_hash

OURS = Signer("rollbook", b"o" * 32)
Stream = list[tuple[bytes, bytes]]


@pytest.fixture(scope="module")
def table() -> Table:
    return finished(months=1)


@pytest.fixture(scope="module")
def proofs(table: Table) -> Proofs:
    return Proofs(table.games, Trees(table.store.streams, frames(table.store)), KeyRing(OURS))


@pytest.fixture(scope="module")
def pins(table: Table, proofs: Proofs, tmp_path_factory: pytest.TempPathFactory) -> list[Pin]:
    """What a player kept at the start, in the middle, and at the end."""
    folder, found = tmp_path_factory.mktemp("kept"), []
    for size in (20, table.version // 2, table.version):
        path = folder / str(size)
        path.write_text(proofs.checkpoint(table.game, RequestContext(), size=size).note)
        found.append(Pin.read(path, [OURS.verifier]))
    return found


def found_in(table: Table, pins: list[Pin], stream: Stream) -> list[Finding]:
    return [
        finding for finding in verify(Held(table, stream), table.game, pins=pins).findings if finding.check == "pinned"
    ]


def test_a_good_game_is_what_was_kept(table: Table, pins: list[Pin]) -> None:
    report = verify(StoredHistory(table.store), table.game, pins=[*pins, pins[0]])
    assert report.findings == []
    said = [check for check in report.checks if check.startswith("pinned")]
    assert said[0] == f"pinned: the history up to event 20 was compared with what key {OURS.verifier.id.hex()} signed"
    assert len(said) == 4
    assert verify(StoredHistory(table.store), table.game).findings == []


def test_any_field_of_any_kind_of_event_in_a_chain_made_anew(
    table: Table, pins: list[Pin], few: Callable[[list[str]], list[str]]
) -> None:
    """Also what bytes, books, facts and chance can't tell from the truth."""
    entries = plain(table)
    kinds = {entry["data"]["type"]: place for place, entry in reversed(list(enumerate(entries)))}
    for kind in few(list(kinds)):
        place = kinds[kind]
        for path in list(leaves(entries[place]))[::3]:
            entry = json.loads(written(entries[place]))
            change_at(entry, path)
            stream = chained(table.game, [*entries[:place], entry, *entries[place + 1 :]])
            late = [pin.checkpoint.size for pin in pins if pin.checkpoint.size > place]
            found = found_in(table, pins, stream)
            assert sorted({finding.version for finding in found}) == late, (kind, path)


def cut(entries: list[Json]) -> None:
    del entries[-1]


def dropped(entries: list[Json]) -> None:
    entries.pop(40)


def swapped(entries: list[Json]) -> None:
    entries[40], entries[41] = entries[41], entries[40]


def added(entries: list[Json]) -> None:
    entries.insert(40, entries[39])


def replaced_tail(entries: list[Json]) -> None:
    entries[-5:] = [{**entry, "at": entry["at"] + 1} for entry in entries[-5:]]


def grown(entries: list[Json]) -> None:
    """A fork: the last events are others, and the game went on from there."""
    replaced_tail(entries)
    entries += entries[-3:]


@pytest.mark.parametrize("forge", [cut, dropped, swapped, added, replaced_tail, grown])
def test_a_history_with_another_end_or_middle(
    table: Table, pins: list[Pin], forge: Callable[[list[Json]], None]
) -> None:
    entries = plain(table)
    forge(entries)
    stream = chained(table.game, entries)
    assert table.version in {finding.version for finding in found_in(table, pins, stream)}


def test_signing_the_forgery_with_the_very_key_helps_nobody(table: Table, pins: list[Pin], tmp_path: Path) -> None:
    """The forger owns the service: the new checkpoint is good for the new history, and the player's is not."""
    entries = plain(table)
    grown(entries)
    stream = chained(table.game, entries)
    root = tree_hash([chain.leaf(data) for data, _ in stream])
    (tmp_path / "new").write_text(OURS.sign(Checkpoint(table.game, len(stream), root, stream[-1][1]).text))
    new = Pin.read(tmp_path / "new", [OURS.verifier])
    assert found_in(table, [new], stream) == []
    assert [finding.version for finding in found_in(table, [new, *pins], stream)] == [table.version, table.version]


def test_links_that_were_left_as_they_were(table: Table, pins: list[Pin]) -> None:
    """The root is over the bytes, whatever the stored links say."""
    stream = stored(table)
    stream[30] = (stream[30][0].replace(b'"at":1', b'"at":2'), stream[30][1])
    assert {finding.version for finding in found_in(table, pins, stream)} == {pin.checkpoint.size for pin in pins[1:]}


def test_an_end_that_was_cut_is_named(table: Table, pins: list[Pin]) -> None:
    (finding,) = found_in(table, pins, stored(table)[:-1])
    assert finding.expected == f"event {table.version}, as it was signed"
    assert finding.found == f"a stream that ends at {table.version - 1}"


def test_a_head_that_is_another_than_was_signed(table: Table, tmp_path: Path) -> None:
    """The link that every answer carries is signed too."""
    good = Checkpoint(table.game, 20, tree_hash([chain.leaf(data) for data, _ in stored(table)[:20]]), bytes(32))
    (tmp_path / "kept").write_text(OURS.sign(good.text))
    (finding,) = found_in(table, [Pin.read(tmp_path / "kept", [OURS.verifier])], stored(table))
    assert (finding.version, finding.found) == (20, stored(table)[19][1].hex())
    (tmp_path / "kept").write_text(OURS.sign(good.text.partition("head")[0]))
    assert found_in(table, [Pin.read(tmp_path / "kept", [OURS.verifier])], stored(table)) == []


def test_another_games_checkpoint(table: Table, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text(OURS.sign(Checkpoint("other", 20, bytes(32), bytes(32)).text))
    (finding,) = found_in(table, [Pin.read(tmp_path / "kept", [OURS.verifier])], stored(table))
    assert (finding.version, finding.found) == (0, "one of game other")


def test_answers_of_the_api_are_read_as_they_are(table: Table, proofs: Proofs, tmp_path: Path) -> None:
    note = proofs.checkpoint(table.game, RequestContext(), size=20).note
    for member in ("note", "checkpoint"):
        (tmp_path / "kept").write_text(json.dumps({"game": table.game, "size": 20, member: note}))
        assert Pin.read(tmp_path / "kept", [OURS.verifier]).checkpoint.size == 20


def bad_files() -> Iterator[Any]:
    note = OURS.sign(Checkpoint("abc", 20, bytes(32), bytes(32)).text)
    yield note.replace("\n20\n", "\n21\n").encode()
    yield note.partition("\n\n")[0].encode()
    yield OURS.sign("something else\n").encode()
    yield Signer("rollbook", b"x" * 32).sign(Checkpoint("abc", 20, bytes(32), bytes(32)).text).encode()
    yield from (b"", b"{", b"{}", b'{"note": 5}', b'{"note": "\\ud800"}', b"[]", b"\xff", b"a" * 2_000_000)


@pytest.mark.parametrize("content", list(bad_files()))
def test_what_cannot_be_relied_on_is_one_line(content: bytes, tmp_path: Path) -> None:
    """Also a note that nobody known here signed: a player could have written it."""
    (tmp_path / "kept").write_bytes(content)
    with pytest.raises(OperatorError, match=r"^[^\n]+$"):
        Pin.read(tmp_path / "kept", [OURS.verifier])
    with pytest.raises(OperatorError, match=r"^[^\n]+$"):
        Pin.read(tmp_path / "none", [Verifier("rollbook", bytes(32))])
