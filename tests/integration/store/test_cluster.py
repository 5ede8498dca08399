"""Games on several machines: all that one append writes lies in one slot, and all games are found."""

from pathlib import Path

import pytest

from events.store import SidecarUpdate, Store, StoreUnavailable, check_durable, connect
from events.store.keys import BUCKETS, bucket_of, game_keys, keyframe_key
from tests.integration.store.moves import add, new_game
from tests.support.valkey import Valkey, cluster_of_three, wait_for_cluster
from tests.support.waiting import waiting


def test_all_keys_of_a_game_lie_in_one_slot(clustered: Valkey) -> None:
    games = [new_game() for _ in range(200)]
    with clustered.admin() as admin:
        for game in games:
            keys = (*game_keys(game), keyframe_key(game, "state"))
            assert len({admin.execute_command("CLUSTER KEYSLOT", key) for key in keys}) == 1
    assert game_keys("abc").stream == "rb:{02}:abc:ev"
    assert len({bucket_of(f"{number}") for number in range(2000)}) == BUCKETS


def test_a_restarted_node_is_found_again(clustered: Valkey) -> None:
    store, game = Store(connect(clustered.cluster_url), patience=10), new_game()
    add(store, game, b"one")
    clustered.kill()
    clustered.start()
    assert add(store, game, b"two").last == 2


@pytest.mark.long
def test_three_nodes_hold_one_store(tmp_path: Path) -> None:
    with cluster_of_three(tmp_path) as nodes:
        store = Store(connect(nodes[0].cluster_url), patience=15)
        games = [new_game() for _ in range(100)]
        for number, game in enumerate(games):
            add(
                store, game, b"one", sidecar=SidecarUpdate(created=number, due=number, about=game.encode(), secret=b"s")
            )
        held = [node.admin().dbsize() for node in nodes]
        assert all(count > 0 for count in held)
        assert [row.game for row in store.index.games(limit=100)] == games[::-1]
        assert [game for _, game in waiting(store, until=100)] == games
        assert {game: head.version for game, head in store.index.heads()} == dict.fromkeys(games, 1)
        assert store.now() > 0
        assert check_durable(connect(nodes[1].cluster_url))
        with nodes[2].admin() as admin:
            admin.config_set("maxmemory-policy", "allkeys-lru")
        assert "allkeys-lru" in check_durable(connect(nodes[0].cluster_url), allow_volatile=True)
        nodes[1].kill()
        impatient = Store(connect(nodes[0].cluster_url), patience=0.1)
        lost = [game for game in games if not is_there(impatient, game)]
        assert lost
        nodes[1].start()
        for node in nodes:
            wait_for_cluster(node)
        for game in games:
            assert add(store, game, b"two").last == 2


def is_there(store: Store, game: str) -> bool:
    try:
        return store.streams.head(game) is not None
    except StoreUnavailable:
        return False
