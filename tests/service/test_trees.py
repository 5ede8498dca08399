"""The trees of stored games: right at every size, at a bounded cost, and refused where the stream is not sound."""

from collections.abc import Iterator
from typing import Any

import pytest

from events import chain
from events.store import Client, Entry, Keyframes, Store
from events.store.keys import game_keys
from projections import merkle
from projections.replay import BrokenChain
from service.audit.proofs import merkle_tree as trees
from service.audit.proofs.merkle_tree import Trees
from tests.support.played import empty
from tests.support.trees import is_consistent, is_included, tree_hash

GAME = "longgame"
BLOCK, SPAN = 4, 8


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same arithmetic in little: blocks of 4, kept every 8."""
    monkeypatch.setattr(trees, "BLOCK", BLOCK)
    monkeypatch.setattr(trees, "SPAN", SPAN)


class Counted(Store):
    """A store that counts what is read."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.reads: list[int] = []
        self._read = self.streams.read
        self.streams.read = self._counted  # type: ignore[method-assign] # it counts

    def _counted(self, game: str, **place: Any) -> list[Entry]:
        found = self._read(game, **place)
        self.reads.append(len(found))
        return found


def event(version: int, mark: str = "") -> bytes:
    return b'{"version":%d,"mark":"%s"}' % (version, mark.encode())


def put(store: Store, stored: list[bytes]) -> list[bytes]:
    """Write a stream of any bytes, with its chain; give the leaves."""
    client, keys = store.client, game_keys(GAME)
    client.execute_command("DEL", keys.stream)
    links = chain.links(chain.genesis(GAME), stored)
    for version, (data, link) in enumerate(zip(stored, links, strict=True), start=1):
        client.execute_command("XADD", keys.stream, f"{version}-0", "e", data, "h", link)
    client.execute_command("HSET", keys.head, "v", len(stored), "h", links[-1])
    return [chain.leaf(data) for data in stored]


@pytest.fixture
def store() -> Counted:
    return Counted(empty())


def frames(store: Store) -> Keyframes:
    return Store(store.client, cache_key=b"k" * 32).keyframes


def orders(most: int) -> Iterator[list[int]]:
    yield list(range(1, most + 1))
    yield list(range(most, 0, -1))


@pytest.mark.parametrize("kept", [False, True])
def test_every_size_every_event_and_every_pair(store: Counted, kept: bool) -> None:
    """Against the tests' own verifier, with and without what a job kept, growing and shrinking."""
    leaves = put(store, [event(version) for version in range(1, 23)])
    if kept:
        assert Trees(store.streams, frames(store)).save(GAME) == 2
    for sizes in orders(len(leaves)):
        ours = Trees(store.streams, frames(store))
        for size in sizes:
            root = tree_hash(leaves[:size])
            assert ours.at(GAME, size).root == root
            for version in range(1, size + 1):
                tree = ours.at(GAME, size, also=[version - 1])
                path = tree.of(merkle.inclusion(version - 1, size))
                assert is_included(root, size, leaves[version - 1], version - 1, path)
                assert tree.leaf(version - 1) == leaves[version - 1]
                path = tree.of(merkle.consistency(version, size))
                assert tree.root_at(version) == tree_hash(leaves[:version])
                assert is_consistent(version, tree_hash(leaves[:version]), size, root, path)


def test_a_long_game_costs_a_few_blocks(store: Counted) -> None:
    """With what a job kept, a process that knows nothing reads at most a span and two blocks; later, two blocks."""
    leaves = put(store, [event(version) for version in range(1, 400)])
    Trees(store.streams, frames(store)).save(GAME)
    ours = Trees(store.streams, frames(store))
    store.reads.clear()
    assert ours.at(GAME, 399, also=[17]).root == tree_hash(leaves)
    assert len(store.reads) <= SPAN // BLOCK + 2
    store.reads.clear()
    ours.at(GAME, 399, also=[205])
    assert len(store.reads) == 2
    assert max(store.reads) <= BLOCK, "between two reads others get their turn"


def test_without_kept_hashes_a_game_is_read_block_by_block_once(store: Counted) -> None:
    put(store, [event(version) for version in range(1, 42)])
    ours = Trees(store.streams, frames(store))
    ours.at(GAME, 41)
    assert max(store.reads) <= BLOCK
    assert len(store.reads) == 11
    ours.at(GAME, 41)
    assert len(store.reads) == 12


def test_saving_again_makes_only_what_is_missing(store: Counted) -> None:
    put(store, [event(version) for version in range(1, 24)])
    assert [Trees(store.streams, frames(store)).save(GAME) for _ in range(2)] == [2, 0]
    put(store, [event(version) for version in range(1, 42)])
    assert Trees(store.streams, frames(store)).save(GAME) == 3
    assert Trees(store.streams, frames(store)).save("nobody") == 0


@pytest.mark.parametrize("version", [1, 4, 5, 17, 39, 40, 41])
@pytest.mark.parametrize("warm", [False, True])
def test_a_changed_byte_is_refused_where_it_is_read(store: Counted, version: int, warm: bool) -> None:
    """Also after hashes that were known before: a request for the event does not get a proof of another."""
    stored = [event(number) for number in range(1, 42)]
    put(store, stored)
    ours = Trees(store.streams, frames(store))
    if warm:
        ours.at(GAME, 41)
    links = chain.links(chain.genesis(GAME), stored)
    client, key = store.client, game_keys(GAME).stream
    client.execute_command("DEL", key)
    for number, (data, link) in enumerate(zip(stored, links, strict=True), start=1):
        bad = event(number, "x") if number == version else data
        client.execute_command("XADD", key, f"{number}-0", "e", bad, "h", link)
    with pytest.raises(BrokenChain) as caught:
        ours.at(GAME, 41, also=[version - 1])
    assert caught.value.version == version


def test_a_cut_stream_is_refused(store: Counted) -> None:
    put(store, [event(version) for version in range(1, 42)])
    ours = Trees(store.streams, frames(store))
    ours.at(GAME, 41)
    put(store, [event(version) for version in range(1, 40)])
    with pytest.raises(BrokenChain):
        ours.at(GAME, 41)


def test_what_is_known_of_another_history_is_dropped(store: Counted) -> None:
    """A store that was set back and went on, which the operator has accepted, is shown as it is now."""
    put(store, [event(version) for version in range(1, 42)])
    ours = Trees(store.streams, frames(store))
    ours.at(GAME, 41)
    ours.save(GAME)
    leaves = put(store, [event(version, "" if version < 15 else "other") for version in range(1, 42)])
    for size in (41, 40, 16, 14):
        assert ours.at(GAME, size).root == tree_hash(leaves[:size])
        assert Trees(store.streams, frames(store)).at(GAME, size).root == tree_hash(leaves[:size])
    assert Trees(store.streams, frames(store)).save(GAME) == 5, "all are made again"


def test_many_games_are_forgotten_in_turn(store: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MOST_CACHED", 0)
    leaves = put(store, [event(version) for version in range(1, 12)])
    ours = Trees(store.streams, frames(store))
    assert [ours.at(GAME, 11).root for _ in range(2)] == [tree_hash(leaves)] * 2
