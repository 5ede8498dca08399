"""The log of heads outside the store names what a store lost without a word."""

import errno
import multiprocessing
import os
from pathlib import Path

import pytest

from events.store import HeadLog, LostTail, Store
from events.store.keys import game_keys
from tests.integration.store.moves import add, new_game
from tests.support.valkey import Valkey

LINK = b"\x07" * 32


def noted(store: Store, log: HeadLog, game: str, *texts: bytes) -> None:
    add(store, game, *texts)
    head = store.streams.head(game)
    assert head
    log.note(game, head.version, head.link)


def test_a_store_that_kept_all_is_not_blamed(store: Store, tmp_path: Path) -> None:
    log = HeadLog(tmp_path / "heads")
    games = [new_game() for _ in range(3)]
    for game in games:
        noted(store, log, game, b"one", b"two")
        add(store, game, b"not noted")
    assert log.compare(store.streams) == []
    log.close()


def test_a_cut_append_only_file_is_noticed(server: Valkey, store: Store, tmp_path: Path) -> None:
    """S41: the server starts as if nothing were wrong, and the whole last action is missing."""
    log, kept, cut = HeadLog(tmp_path / "heads"), new_game(), new_game()
    noted(store, log, kept, b"one")
    noted(store, log, cut, b"one")
    noted(store, log, cut, b"two", b"three")
    server.kill()
    aof = next((server.folder / "appendonlydir").glob("*.incr.aof"))
    os.truncate(aof, aof.stat().st_size - 20)
    server.start()
    assert log.compare(store.streams) == [LostTail(cut, logged=3, found=1)]
    assert store.streams.tail(cut, action=None, request=None, after=0).complete
    log.forget(cut)
    assert log.compare(store.streams) == []
    noted(store, log, cut, b"two again")
    assert log.compare(store.streams) == []
    log.close()


def test_a_rewritten_history_and_a_missing_game_are_noticed(store: Store, tmp_path: Path) -> None:
    log, longer, same = HeadLog(tmp_path / "heads"), new_game(), new_game()
    add(store, longer, b"one", b"two", b"three")
    add(store, same, b"one")
    log.note(longer, 2, LINK)
    log.note(same, 1, LINK)
    log.note("missing", 1, LINK)
    assert log.compare(store.streams) == [LostTail(longer, 2, 3), LostTail(same, 1, 1), LostTail("missing", 1, 0)]
    log.close()


def test_a_stream_that_lost_entries_behind_its_head_record_is_noticed(
    server: Valkey, store: Store, tmp_path: Path
) -> None:
    log, game = HeadLog(tmp_path / "heads"), new_game()
    noted(store, log, game, b"one")
    with server.admin() as admin:
        admin.delete(game_keys(game).stream)
    assert log.compare(store.streams) == [LostTail(game, 1, 0)]
    log.close()


def test_the_newest_version_counts_in_whatever_order(store: Store, tmp_path: Path) -> None:
    log = HeadLog(tmp_path / "heads")
    log.note("g", 9, LINK)
    log.note("g", 3, b"\x01" * 32)
    assert log.compare(store.streams) == [LostTail("g", 9, 0)]
    log.close()


def test_opening_drops_what_is_outdated_and_a_cut_line(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "heads"
    hexed = LINK.hex()
    path.write_text(
        f"g 1 {hexed}\ng 2 {hexed}\nnonsense\n{{g}} 1 {hexed}\nold 4 {hexed}\nold 0 -\nh 5 {hexed}\ng 3 {hexed[:9]}"
    )
    log = HeadLog(path)
    assert path.read_text() == f"g 2 {hexed}\nh 5 {hexed}\n"
    log.note("g", 3, LINK)
    log.close()
    HeadLog(path).close()
    assert path.read_text() == f"g 3 {hexed}\nh 5 {hexed}\n"
    assert path.stat().st_mode & 0o777 == 0o600


def test_lines_that_cannot_be_read_are_counted_and_kept_aside(tmp_path: Path) -> None:
    path = tmp_path / "heads"
    text = f"g 2 {LINK.hex()}\ngarb\x00ge\ng 3 {LINK.hex()[:9]}"
    for number in (1, 2):
        path.write_text(text)
        log = HeadLog(path)
        log.close()
        assert (log.damaged, log.aside, log.count()) == (1, tmp_path / f"heads.damaged-{number}", 1)
        assert (tmp_path / f"heads.damaged-{number}").read_text() == text
    assert path.read_text() == f"g 2 {LINK.hex()}\n"


def test_reading_writes_nothing(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "heads"
    with pytest.raises(FileNotFoundError):
        HeadLog(path, reading=True)
    text = f"g 1 {LINK.hex()}\nx\ng 2 {LINK.hex()}\ng 3 {LINK.hex()[:9]}"
    path.write_text(text)
    path.chmod(0o400)
    log = HeadLog(path, reading=True)
    path.unlink()
    assert log.compare(store.streams) == [LostTail("g", 2, 0)]
    assert (log.newest("g"), log.damaged, log.aside) == (2, 1, None)
    log.close()
    assert list(tmp_path.glob("heads*")) == []


def test_a_full_disk_leaves_the_log_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "heads"
    path.write_text(f"g 1 {LINK.hex()}\ng 2 {LINK.hex()}\n")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    log = HeadLog(path)
    assert (log.newest("g"), len(path.read_text().splitlines())) == (2, 2)
    log.close()
    assert [one.name for one in tmp_path.iterdir()] == ["heads"]


def write_some(path: Path, name: str) -> None:
    log = HeadLog(path)
    for version in range(1, 301):
        log.note(f"{name}{version}", version, LINK)
        if version % 100 == 0:
            HeadLog(path).close()  # another process opens it, and compacts
    log.close()


def test_processes_write_while_others_compact(tmp_path: Path) -> None:
    path = tmp_path / "heads"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_some, args=(path, name)) for name in "abc"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    lines = sorted(line.split()[0] for line in path.read_text().splitlines())
    assert lines == sorted(f"{name}{version}" for name in "abc" for version in range(1, 301))


def test_a_note_not_written_whole_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a full disk, where a write may be cut without an error of its own."""
    log = HeadLog(tmp_path / "heads")
    monkeypatch.setattr(os, "write", lambda _, data: len(data) - 1)
    with pytest.raises(OSError, match="No space"):
        log.note("g", 1, LINK)
    log.close()
