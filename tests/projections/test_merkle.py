"""The Merkle tree: figures that others published, and every size up to 257 against a verifier of the tests' own."""

from hashlib import sha256

import pytest

from events import chain
from projections import merkle
from tests.support.trees import is_consistent, is_included, tree_hash

MOST = 257
LEAVES = [sha256(b"\x00%d" % number).digest() for number in range(MOST)]
ROOTS = [tree_hash(LEAVES[:size]) for size in range(MOST + 1)]

# Published with the Certificate Transparency sources and again by transparency-dev/merkle (testonly): eight leaves.
INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
PUBLISHED_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
PUBLISHED_INCLUSION: dict[tuple[int, int], list[str]] = {
    (0, 1): [],
    (0, 2): ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"],
    (1, 2): ["6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
    (2, 3): ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    (1, 5): [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (5, 8): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
}
PUBLISHED_CONSISTENCY: dict[tuple[int, int], list[str]] = {
    (1, 1): [],
    (1, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (2, 5): [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
    (6, 8): [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
}
PUBLISHED_LEAVES = [chain.leaf(bytes.fromhex(text)) for text in INPUTS]


def proof(ranges: list[merkle.Range], leaves: list[bytes] = LEAVES) -> list[bytes]:
    return [merkle.root(leaves[start:end]) for start, end in ranges]


def mutations(one: list[bytes]) -> list[list[bytes]]:
    """Every element changed by a bit, left out or said twice; an element put before and after; two swapped."""
    found = [
        [*one[:place], bytes([one[place][0] ^ 1]) + one[place][1:], *one[place + 1 :]] for place in range(len(one))
    ]
    found += [one[:place] + one[place + 1 :] for place in range(len(one))]
    found += [one[: place + 1] + one[place:] for place in range(len(one))]
    found += [[merkle.EMPTY, *one], [*one, merkle.EMPTY]]
    found += [[*one[:place], one[place + 1], one[place], *one[place + 2 :]] for place in range(len(one) - 1)]
    return found


@pytest.mark.parametrize("size", range(9))
def test_published_roots(size: int) -> None:
    assert merkle.root(PUBLISHED_LEAVES[:size]).hex() == PUBLISHED_ROOTS[size]


@pytest.mark.parametrize(("place", "wanted"), PUBLISHED_INCLUSION.items())
def test_published_inclusion_proofs(place: tuple[int, int], wanted: list[str]) -> None:
    assert [one.hex() for one in proof(merkle.inclusion(*place), PUBLISHED_LEAVES)] == wanted


@pytest.mark.parametrize(("sizes", "wanted"), PUBLISHED_CONSISTENCY.items())
def test_published_consistency_proofs(sizes: tuple[int, int], wanted: list[str]) -> None:
    assert [one.hex() for one in proof(merkle.consistency(*sizes), PUBLISHED_LEAVES)] == wanted


def test_a_root_at_every_size_as_the_tree_grows() -> None:
    frontier = merkle.Frontier()
    for size, leaf in enumerate(LEAVES):
        assert (frontier.size, frontier.root()) == (size, ROOTS[size])
        frontier.append(leaf)
    assert frontier.root() == ROOTS[MOST]


def test_roots_of_blocks_give_the_root_of_all() -> None:
    """What the service relies on: subtrees of one power of two, and a smaller last one, stand for their leaves."""
    for block in (2, 8, 64):
        for size in range(1, MOST + 1):
            parts = [merkle.root(LEAVES[start : min(start + block, size)]) for start in range(0, size, block)]
            assert merkle.root(parts) == ROOTS[size]


@pytest.fixture(scope="module")
def roots_of() -> dict[merkle.Range, bytes]:
    """The root of every range that a proof up to 257 names."""
    ranges = {one for size in range(1, MOST + 1) for index in range(size) for one in merkle.inclusion(index, size)}
    ranges |= {one for two in range(1, MOST + 1) for first in range(1, two) for one in merkle.consistency(first, two)}
    return {(start, end): tree_hash(LEAVES[start:end]) for start, end in ranges}


def test_inclusion_of_every_leaf_in_every_tree(roots_of: dict[merkle.Range, bytes]) -> None:
    for size in range(1, MOST + 1):
        for index in range(size):
            path = [roots_of[one] for one in merkle.inclusion(index, size)]
            assert is_included(ROOTS[size], size, LEAVES[index], index, path), (index, size)
            assert merkle.includes(ROOTS[size], size, LEAVES[index], index, path), (index, size)


def test_consistency_of_every_pair_of_sizes(roots_of: dict[merkle.Range, bytes]) -> None:
    for second in range(1, MOST + 1):
        for first in range(1, second + 1):
            path = [roots_of[one] for one in merkle.consistency(first, second)]
            assert is_consistent(first, ROOTS[first], second, ROOTS[second], path), (first, second)
            assert merkle.extends(first, ROOTS[first], second, ROOTS[second], path), (first, second)


SOME = [*range(1, 34), 63, 64, 65, 127, 128, 129, 255, 256, 257]


def test_every_mutated_inclusion_proof_fails() -> None:
    for size in SOME:
        for index in {0, 1, size // 2, size - 2, size - 1} & set(range(size)):
            path, root, leaf = proof(merkle.inclusion(index, size)), ROOTS[size], LEAVES[index]
            for verify in (merkle.includes, is_included):
                assert verify(root, size, leaf, index, path)
                assert not any(verify(root, size, leaf, index, bad) for bad in mutations(path))
                assert not verify(root, size, merkle.EMPTY, index, path)
                assert not verify(merkle.EMPTY, size, leaf, index, path)
            wrong = [place for place in range(-1, size + 2) if place != index]
            assert not any(merkle.includes(root, size, leaf, place, path) for place in wrong)


def test_every_mutated_consistency_proof_fails() -> None:
    for second in SOME:
        for first in {1, 2, second // 2, second - 1, second} & set(range(1, second + 1)):
            path, old, new = proof(merkle.consistency(first, second)), ROOTS[first], ROOTS[second]
            for verify in (merkle.extends, is_consistent):
                assert verify(first, old, second, new, path)
                assert not any(verify(first, old, second, new, bad) for bad in mutations(path))
                assert not verify(first, merkle.EMPTY, second, new, path)
                assert not verify(first, old, second, merkle.EMPTY, path)


def test_what_is_no_proof_at_all() -> None:
    assert not merkle.includes(ROOTS[1], 0, LEAVES[0], 0, [])
    assert not merkle.extends(0, merkle.EMPTY, 5, ROOTS[5], [])
    assert not merkle.extends(5, ROOTS[5], 4, ROOTS[4], [])
    assert not merkle.extends(3, ROOTS[3], 5, ROOTS[5], [])


def test_a_leaf_is_what_the_chain_hashes() -> None:
    link = sha256(b"\x02" + merkle.EMPTY + chain.leaf(b"{}")).digest()
    assert chain.link(merkle.EMPTY, b"{}") == link
