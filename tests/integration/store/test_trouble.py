"""Lost replies, slow, full, killed and forgetful servers: nothing acknowledged is lost, nothing happens twice."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import redis

from events.store import (
    CHANNEL,
    ActionMismatch,
    Appended,
    SidecarUpdate,
    Store,
    StoreError,
    StoreFull,
    StoreUnavailable,
    StreamDamaged,
    connect,
)
from events.store.keys import game_keys
from tests.integration.store.moves import START, add, chained, fill, new_game
from tests.support.proxy import LossyProxy
from tests.support.valkey import Valkey, wait_for_cluster
from tests.support.waiting import waiting


@pytest.mark.parametrize("lost", [1, 3, 20])
def test_lost_replies_make_one_append(plain: Valkey, tmp_path: Path, lost: int) -> None:
    """S1: the caller has the right answer, or learns that there is none and gets it by asking again."""
    game = new_game()
    direct = Store(connect(plain.url))
    add(direct, game, b"start")
    with LossyProxy(plain.socket, tmp_path) as proxy:
        store = Store(connect(proxy.url))
        proxy.lose(lost, to=b"EVALSHA")
        answer = add(store, game, b"roll", b"move")
    assert proxy.lost == lost
    assert answer == Appended(2, 3, repeated=True)
    assert [entry.data for entry in direct.streams.read(game)] == [b"start", b"roll", b"move"]


def test_without_an_answer_the_caller_is_told_and_may_ask_again(plain: Valkey, tmp_path: Path) -> None:
    game = new_game()
    # The server has the script, or else what is lost is its answer that it has not.
    add(Store(connect(plain.url)), new_game(), b"any")
    with LossyProxy(plain.socket, tmp_path) as proxy:
        store = Store(connect(proxy.url), patience=0.05)
        store.ownership.claim()
        proxy.lose(1000, to=b"EVALSHA")
        with pytest.raises(StoreUnavailable):
            add(store, game, b"roll", action="a")
        assert proxy.lost > 1
        proxy.lose(0, to=b"")
        assert add(store, game, b"roll", action="a", expected=0, previous=START) == Appended(1, 1, repeated=True)
        with pytest.raises(ActionMismatch):
            add(store, game, b"other", action="a", request="other")
    assert len(Store(connect(plain.url)).streams.read(game)) == 1


def test_a_lost_reply_to_a_read_is_read_again(plain: Valkey, tmp_path: Path) -> None:
    game = new_game()
    fill(Store(connect(plain.url)), game, 10)
    with LossyProxy(plain.socket, tmp_path) as proxy:
        store = Store(connect(proxy.url))
        proxy.lose(2, to=b"XRANGE")
        assert len(store.streams.read(game)) == 10
        proxy.lose(1, to=b"EVALSHA")
        assert len(store.streams.tail(game, action=None, request=None, after=4).entries) == 6
    assert proxy.lost == 1 + 2


def test_a_pause_beyond_the_time_out_makes_one_append(server: Valkey) -> None:
    """S2: the command runs after its sender gave up, and again when it is sent again."""
    game = new_game()
    store = Store(connect(server.url, timeout=0.2))
    add(store, game, b"start")
    with server.admin() as admin:
        admin.execute_command("CLIENT PAUSE", 1000, "WRITE")
        answer = add(store, game, b"pay 50")
    assert (answer.first, answer.last) == (2, 2)
    assert [entry.data for entry in store.streams.read(game)] == [b"start", b"pay 50"]


def test_a_full_store_refuses_whole_appends_and_recovers(server: Valkey) -> None:
    """H11, S45: head and stream agree, known actions and reads are answered, service goes on with room."""
    store, game = Store(connect(server.url)), new_game()
    big = b"x" * 100_000
    with server.admin() as admin:
        add(store, game, b"start", action="a")
        used = admin.info("memory")["used_memory"]
        admin.config_set("maxmemory", used + 1_000_000)
        with pytest.raises(StoreFull):
            add_without_end(store, game, big)
        head = store.streams.head(game)
        assert head
        entries = store.streams.read(game)
        assert (head.version, head.link) == (len(entries), entries[-1].link)
        assert (head.version - 1) % 3 == 0
        seen = store.streams.tail(game, action="a", request="asked", after=head.version)
        assert seen.head == head
        assert seen.known == Appended(1, 1, repeated=True)
        assert add(store, game, b"start", action="a", expected=0).repeated
        assert [place[1] for place in waiting(store, until=10**12)] == [game]
        admin.config_set("maxmemory", 0)
    assert add(store, game, b"on").last == head.version + 1


def test_what_was_acknowledged_is_there_after_a_kill(server: Valkey) -> None:
    """Writers run while the server is killed and started; each answer is true, each action happened once."""
    store = Store(connect(server.url), patience=10)
    games = [new_game() for _ in range(4)]
    acknowledged: dict[str, list[tuple[str, Appended]]] = {game: [] for game in games}
    stop = threading.Event()

    def write(game: str) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            acknowledged[game].append((f"{number}", add(store, game, b"%d" % number, action=f"{number}")))

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write, game) for game in games]
        for _ in range(2):
            before = {game: len(told) for game, told in acknowledged.items()}
            wait_until(lambda: all(len(acknowledged[game]) > before[game] + 50 for game in games))  # noqa: B023 - used at once
            server.kill()
            server.start()
        stop.set()
        for writer in writers:
            writer.result()
    for game in games:
        stored = store.streams.read(game, count=100_000)
        assert [entry.data for entry in stored] == [b"%d" % (n + 1) for n in range(len(acknowledged[game]))]
        assert stored == chained([entry.data for entry in stored])
        for action, answer in acknowledged[game]:
            assert stored[answer.first - 1].data == action.encode()


def test_a_server_that_restarted_lost_its_scripts_and_gets_them_again(server: Valkey) -> None:
    """S47."""
    store, game = Store(connect(server.url)), new_game()
    add(store, game, b"one")
    server.kill()
    server.start()
    assert add(store, game, b"two") == Appended(2, 2, repeated=False)


def test_a_jump_of_the_servers_clock_is_of_no_matter(server: Valkey) -> None:
    """S16, S17: entries far in the future in a feed do not hinder the next; versions know no time."""
    store, game = Store(connect(server.url)), new_game()
    with server.admin() as admin:
        admin.xadd(game_keys(game).feed, {"g": "other", "v": "1"}, id="99999999999999-0")
    add(store, game, b"one")
    add(store, game, b"two")
    assert [told[1:] for told in store.index.feed(int(game_keys(game).feed[4:6]))] == [
        ("other", 1),
        (game, 1),
        (game, 2),
    ]
    assert len(store.streams.read(game)) == 2


def test_an_append_is_published(server: Valkey) -> None:
    store, game = Store(connect(server.url)), new_game()
    with server.admin() as admin, admin.pubsub(ignore_subscribe_messages=True) as heard:
        heard.subscribe(CHANNEL)
        heard.get_message(timeout=5)
        add(store, game, b"one", b"two")
        message = None
        until = time.monotonic() + 5
        while message is None and time.monotonic() < until:
            message = heard.get_message(timeout=1)
    assert message
    assert message["data"] == f"{game} 2".encode()


def test_a_user_without_a_right_leaves_nothing_half_done(server: Valkey) -> None:
    """By default a new user may publish nowhere, which a script would find out last."""
    game = new_game()
    with server.admin() as admin:
        add(Store(connect(server.url)), game, b"one")
        admin.execute_command("ACL SETUSER", "app", "on", ">pw", "~rb:*", "+@all", "resetchannels")
        store = Store(connect(server.url.replace("unix://", "unix://app:pw@")))
        with pytest.raises(StoreError, match="PUBLISH"):
            add(store, game, b"two")
        assert len(store.streams.read(game)) == 1
        assert store.streams.tail(game, action=None, request=None, after=0).complete
        admin.execute_command("ACL SETUSER", "app", "&rb:*")
        assert add(store, game, b"two").last == 2
        admin.execute_command("ACL SETUSER", "app", ">new", "<pw")
        with pytest.raises(StoreUnavailable):
            Store(connect(server.url.replace("unix://", "unix://app:pw@"))).streams.head(game)


def test_a_store_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    store = Store(connect(f"unix://{tmp_path}/none"), patience=0.05)
    with pytest.raises(StoreUnavailable):
        store.streams.head("g")
    with pytest.raises(StoreUnavailable):
        store.streams.append(
            "g", chained([b"x"]), action="a", request="r", expected=0, previous=START, sidecar=SidecarUpdate()
        )


def test_a_replica_takes_no_append(server: Valkey) -> None:
    """READONLY passes when a failover is done: until then, unavailable, and nothing half done."""
    store, game = Store(connect(server.url), patience=0.05), new_game()
    add(store, game, b"one")
    with server.admin() as admin:
        admin.execute_command("REPLICAOF", "127.0.0.1", "1")
        with pytest.raises(StoreUnavailable):
            add(store, game, b"two")
        admin.execute_command("REPLICAOF", "NO", "ONE")
    assert add(store, game, b"two").last == 2


def test_a_cluster_that_is_down_is_unavailable(clustered: Valkey) -> None:
    store, game = Store(connect(clustered.cluster_url), patience=0.05), new_game()
    add(store, game, b"one")
    with clustered.admin() as admin:
        admin.execute_command("CLUSTER DELSLOTSRANGE", 0, 16383)
        try:
            with pytest.raises(StoreUnavailable):
                add(store, game, b"two", expected=1)
        finally:
            admin.execute_command("CLUSTER ADDSLOTSRANGE", 0, 16383)
    wait_for_cluster(clustered)
    assert add(store, game, b"two").last == 2


def test_a_disturbed_script_answer_is_not_taken_for_another(server: Valkey) -> None:
    """An id beyond the head record, with nothing left in the stream to see it by."""
    store, game = Store(connect(server.url)), new_game()
    add(store, game, b"one")
    with server.admin() as admin:
        admin.execute_command("XSETID", game_keys(game).stream, "7-0")
    with pytest.raises(StreamDamaged, match="beyond"):
        add(store, game, b"two")
    assert len(store.streams.read(game)) == 1


def test_an_erased_text_leaves_the_append_only_file(server: Valkey) -> None:
    store, game = Store(connect(server.url)), new_game()
    add(store, game, b"named", sidecar=SidecarUpdate(texts={"d": b"a very private name"}))
    folder = server.folder / "appendonlydir"

    def is_on_disk() -> bool:
        try:
            return any(b"a very private name" in file.read_bytes() for file in folder.iterdir())
        except FileNotFoundError:  # a file that the rewrite replaced meanwhile
            return True

    assert is_on_disk()
    assert store.sidecar.erase_texts(game, ["d"], at=5, by="operator") == 1
    assert store.sidecar.rewrite(game, seconds=60)
    wait_until(lambda: not is_on_disk())
    server.kill()
    server.start()
    assert store.sidecar.texts(game, ["d"]) == {}
    assert len(store.streams.read(game)) == 1


def test_a_refused_rewrite_is_said(server: Valkey) -> None:
    store, game = Store(connect(server.url)), new_game()
    add(store, game, b"named", sidecar=SidecarUpdate(texts={"d": b"name"}))
    with server.admin() as admin:
        admin.execute_command("ACL SETUSER", "default", "-bgrewriteaof")
        assert store.sidecar.erase_texts(game, ["d"], at=5, by="operator") == 1
        assert store.sidecar.start_rewrite(game) == "refused"
        assert not store.sidecar.rewrite(game, seconds=1)
    assert store.sidecar.texts(game, ["d"]) == {}


@pytest.mark.parametrize("url", ["http://x", "redis://x:port", "nothing", "redis+cluster://u:secret@x:port"])
def test_a_url_that_is_none_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(StoreError) as caught:
        connect(url)
    assert "secret" not in str(caught.value)


def test_the_clients_own_retries_are_off(plain: Valkey, clustered: Valkey) -> None:
    single: Any = connect(plain.url, max_connections=7)
    assert single.connection_pool.make_connection().retry.get_retries() == 0
    assert single.connection_pool.max_connections == 7
    cluster = connect(clustered.cluster_url)
    assert isinstance(cluster, redis.RedisCluster)
    assert cluster.retry.get_retries() == 0


def test_no_node_of_a_cluster_answers() -> None:
    with pytest.raises(StoreUnavailable):
        connect("redis+cluster://127.0.0.1:1")


def add_without_end(store: Store, game: str, big: bytes) -> None:
    while True:
        add(store, game, big, big, big, sidecar=SidecarUpdate(due=10**12, about=big))


def wait_until(happened: Callable[[], bool], *, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.02)
