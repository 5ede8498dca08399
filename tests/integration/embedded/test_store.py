"""The embedded store by itself: one Valkey a folder, joined by all, ended by the last."""

import multiprocessing
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis

from service.hosting.valkey import EmbeddedStore, EmbeddedStoreError
from service.hosting.valkey.folder import LONGEST_SOCKET
from tests.support.command import rollbook
from tests.support.serving import ROOT, processes_of, until


def test_data_is_kept_and_nothing_is_left_running(folder: Path) -> None:
    with EmbeddedStore(folder) as store, store.client() as client:
        client.xadd("stream", {"a": "1"}, id="1-0")
        pid = store.pid()
        assert pid is not None
        assert os.getsid(pid) == pid
    assert processes_of(folder) == []
    with EmbeddedStore(folder) as store, redis.Redis.from_url(store.url) as client:
        assert client.xrange("stream") == [(b"1-0", {b"a": b"1"})]


def test_the_store_forgets_nothing_and_has_no_port(folder: Path) -> None:
    with EmbeddedStore(folder) as store, store.client() as client:
        settings = client.config_get("*")
        assert (settings["appendonly"], settings["appendfsync"]) == ("yes", "always")
        assert (settings["maxmemory-policy"], settings["port"]) == ("noeviction", "0")
        assert stat.S_IMODE(store.folder.socket_path().stat().st_mode) == 0o700
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_second_user_attaches_and_the_last_one_out_ends_it(folder: Path) -> None:
    first, second = EmbeddedStore(folder), EmbeddedStore(folder)
    first.open()
    second.open()
    assert first.is_ours
    assert not second.is_ours
    assert first.pid() == second.pid()
    pid = first.pid()
    assert first.close() is False
    with second.client() as client:
        assert client.info("server")["process_id"] == pid
    assert second.close() is True
    assert processes_of(folder) == []


def test_attach_never_starts_a_store(folder: Path) -> None:
    with pytest.raises(EmbeddedStoreError, match="No store runs"):
        EmbeddedStore(folder).attach()
    assert not folder.exists()
    with EmbeddedStore(folder):
        other = EmbeddedStore(folder)
        other.attach()
        assert other.close() is False


def test_a_killed_store_is_started_again_with_its_data(folder: Path) -> None:
    with EmbeddedStore(folder) as store:
        with store.client() as client:
            client.set("key", "kept")
        pid = store.pid()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        until(lambda: not store.is_alive(), "it is dead")
        store.open()
        assert store.pid() not in (pid, None)
        with store.client() as client:
            assert client.get("key") == b"kept"


def _count_up(folder: Path) -> None:
    with EmbeddedStore(folder) as store, store.client() as client:
        client.incr("count")


def test_processes_that_come_and_go_at_once_share_one_store_and_lose_nothing(folder: Path) -> None:
    """Starting, attaching and ending race with each other; each increment must be there in the end."""
    processes = [multiprocessing.get_context("spawn").Process(target=_count_up, args=(folder,)) for _ in range(5)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 5
    with EmbeddedStore(folder) as store, store.client() as client:
        assert client.get("count") == b"5"
    assert processes_of(folder) == []


def test_a_user_that_is_killed_leaves_the_store_to_the_next_one(folder: Path) -> None:
    code = (
        "import os, sys, pathlib; from service.hosting.valkey import EmbeddedStore\n"
        "store = EmbeddedStore(pathlib.Path(sys.argv[1])); store.open(); store.client().set('key', 'kept')\n"
        "os.kill(os.getpid(), 9)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code, str(folder)], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    with EmbeddedStore(folder) as store, store.client() as client:
        assert not store.is_ours
        assert client.get("key") == b"kept"
    assert processes_of(folder) == []


def test_a_path_too_long_for_a_socket(folder: Path) -> None:
    deep = folder / ("d" * 60) / ("e" * 60)
    with EmbeddedStore(deep) as store:
        place = store.folder.socket_path()
        assert len(os.fsencode(place)) <= LONGEST_SOCKET
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
        other = EmbeddedStore(deep)
        other.attach()
        with redis.Redis.from_url(other.url) as client:
            client.set("key", "kept")
        other.close()
    assert not place.parent.exists()
    with EmbeddedStore(deep) as store, store.client() as client:
        assert client.get("key") == b"kept"
    assert processes_of(deep) == []


@pytest.mark.parametrize("name", ["my games", "a=b", "spiel'e", "Müll"])
def test_a_path_that_clients_would_stumble_over(folder: Path, name: str) -> None:
    """The server's own lists of clients hold the socket's path, and are split at spaces."""
    with EmbeddedStore(folder / name) as store, store.client() as client:
        assert store.folder.socket_path().parent != folder / name
        assert client.client_list()
        assert list((folder / name).glob("*.sock")) == []
    assert processes_of(folder / name) == []


def test_a_recorded_socket_folder_that_others_can_enter_is_not_used(folder: Path, tmp_path: Path) -> None:
    deep = folder / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    open_folder = tmp_path / "open"
    open_folder.mkdir(mode=0o755)
    (deep / "socket").write_text(f"{open_folder}/valkey.sock\n")
    with EmbeddedStore(deep) as store:
        assert store.folder.socket_path().parent != open_folder
    assert open_folder.exists()


@pytest.mark.parametrize("place", ["file", "file/below", "/sys/rollbook"])
def test_a_folder_that_cannot_be_used_is_one_clear_line(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedStoreError, match=r"^The data folder .*cannot be used: .*ROLLBOOK_DATA[^\n]*$"):
        EmbeddedStore(tmp_path / place).open()


def test_a_start_that_fails_shows_the_servers_last_words_and_leaves_the_folder_free(folder: Path) -> None:
    with pytest.raises(EmbeddedStoreError, match="no-such-setting") as error:
        EmbeddedStore(folder, options={"no-such-setting": "1"}).open()
    assert len(str(error.value).splitlines()) == 1
    with EmbeddedStore(folder) as store:
        assert store.is_ours


def _fill(folder: Path, keys: int) -> None:
    with EmbeddedStore(folder) as store, store.client() as client:
        pipe = client.pipeline(transaction=False)
        for number in range(keys):
            pipe.set(f"key:{number}", number)
        pipe.execute()


def test_a_store_that_loads_is_waited_for(folder: Path) -> None:
    """Each key takes half a millisecond to load; the server answers LOADING, or nothing, meanwhile."""
    _fill(folder, 3000)
    waits: list[int] = []

    def waiting() -> None:
        waits.append(1)
        time.sleep(0.02)

    store = EmbeddedStore(folder, options={"key-load-delay": "500"})
    store.open(waiting=waiting)
    try:
        assert waits, "it did not have to wait, so this test shows nothing"
        with store.client() as client:
            assert client.dbsize() == 3000
    finally:
        store.close()


def test_a_store_that_is_killed_while_it_loads_loses_nothing(folder: Path) -> None:
    _fill(folder, 3000)
    store = EmbeddedStore(folder, options={"key-load-delay": "2000"})

    def kill_it() -> None:
        pid = store.pid()
        if pid is not None:
            os.kill(pid, signal.SIGKILL)

    with pytest.raises(EmbeddedStoreError, match="ended while it started"):
        store.open(waiting=kill_it)
    with EmbeddedStore(folder) as again, again.client() as client:
        assert client.dbsize() == 3000


def test_a_file_that_cannot_be_used_is_one_clear_line(folder: Path) -> None:
    _fill(folder, 1)
    (aof,) = (folder / "valkey" / "appendonlydir").glob("*.incr.aof")
    aof.unlink()
    aof.mkdir()
    with pytest.raises(EmbeddedStoreError) as error:
        EmbeddedStore(folder).open()
    said = str(error.value)
    assert said.startswith("The embedded store ended while it started: ")
    assert aof.name in said
    assert said.endswith(f"(all that it said is in {folder / 'valkey.log'})")
    assert len(said.splitlines()) == 1


def test_a_file_broken_in_its_middle_is_cut_there_on_request(folder: Path) -> None:
    """The start names the command; what came before the place is kept, and so is the file as it was."""
    with EmbeddedStore(folder) as store, store.client() as client:
        for number in range(1, 101):
            client.xadd("stream", {"a": "b" * 50}, id=f"{number}-0")
    (path,) = (folder / "valkey").glob("**/*.incr.aof")
    whole = path.read_bytes()
    place = whole.index(b"\r\n$", len(whole) // 2) + 2
    path.write_bytes(whole[:place] + b"x" + whole[place + 1 :])
    with pytest.raises(EmbeddedStoreError, match=r"broken in its middle.*rollbook doctor --mend"):
        EmbeddedStore(folder).open()
    done = rollbook(folder, "doctor", "--mend", "--port", "0")
    copy = path.with_suffix(".broken")
    assert str(copy) in done.stderr
    assert copy.read_bytes()[:place] == whole[:place]
    with EmbeddedStore(folder) as store, store.client() as client:
        kept = [int(number.partition(b"-")[0]) for number, _ in client.xrange("stream")]
        assert kept == list(range(1, len(kept) + 1))
        assert 40 < len(kept) < 60
        assert "stop `rollbook serve` first" in rollbook(folder, "doctor", "--mend").stderr
    assert "nothing to mend" in rollbook(folder, "doctor", "--mend", "--port", "0").stderr


def test_giving_up_while_it_loads_ends_it(folder: Path) -> None:
    _fill(folder, 3000)

    def give_up() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        EmbeddedStore(folder, options={"key-load-delay": "2000"}).open(waiting=give_up)
    assert processes_of(folder) == []


def test_a_stale_socket_file_is_no_hindrance(folder: Path) -> None:
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(folder / "valkey.sock"))
    with EmbeddedStore(folder) as store, store.client() as client:
        assert client.ping()


@pytest.mark.parametrize("adopted", [False, True])
def test_a_store_killed_while_it_rewrites_its_file_is_started_again(folder: Path, adopted: bool) -> None:
    """The rewriting child outlives its parent and keeps the lock; with a second a key it would for minutes."""
    _fill(folder, 200)
    starter = EmbeddedStore(folder, options={"rdb-key-save-delay": "1000000"})
    starter.open()
    store = EmbeddedStore(folder) if adopted else starter
    store.open()
    with store.client() as client:
        client.bgrewriteaof()
        until(lambda: client.info("persistence")["aof_rewrite_in_progress"], "it rewrites")
    pid = store.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    until(lambda: not starter.is_alive(), "it is dead")
    assert store.folder.store_lock.is_held(), "no child holds the lock, so this test shows nothing"
    assert not store.is_alive()
    store.open()
    with store.client() as client:
        assert client.dbsize() == 200
    store.close()
    starter.close()
    assert processes_of(folder) == []


def test_a_starter_whose_store_died_still_ends_the_one_that_another_user_started(folder: Path) -> None:
    starter, other = EmbeddedStore(folder), EmbeddedStore(folder)
    starter.open()
    other.open()
    pid = starter.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    until(lambda: not starter.is_alive(), "it is dead")
    other.open()
    assert starter.is_alive()
    assert starter.pid() == other.pid()
    assert other.close() is False
    assert starter.close() is True
    assert processes_of(folder) == []
