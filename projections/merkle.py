"""The Merkle tree over a game's events: its root at any size, and which subtrees prove what (RFC 9162, section 2.1).

Leaf *i* is the event of version *i* + 1, hashed by `events.chain.leaf`; a node is SHA-256(0x01 ‖ left ‖ right). Nothing
here reads events: roots and proofs come from hashes alone. A range is (start, end), half open and counted from 0.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TypeAlias

Range: TypeAlias = tuple[int, int]

EMPTY = sha256(b"").digest()
"""Root of the tree without leaves."""


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash of the node above two subtrees."""
    return sha256(b"\x01" + left + right).digest()


class Frontier:
    """The roots of the full subtrees that a growing tree consists of, the largest first.

    The tree's root follows from them, and so does that of every larger tree. There are at most as many as the size has
    binary digits.
    """

    def __init__(self) -> None:
        self.size = 0
        self._full: list[bytes] = []

    def append(self, leaf: bytes) -> None:
        """Add a leaf's hash; each full pair of subtrees becomes one."""
        size, full = self.size, self._full
        while size & 1:
            leaf = node(full.pop(), leaf)
            size >>= 1
        full.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """Return the root at this size."""
        if not self._full:
            return EMPTY
        *others, found = self._full
        for left in reversed(others):
            found = node(left, found)
        return found


def root(hashes: Iterable[bytes]) -> bytes:
    """Return the root over hashes in order: of leaves, or of subtrees of one size, of which the last may be smaller."""
    frontier = Frontier()
    for one in hashes:
        frontier.append(one)
    return frontier.root()


def inclusion(index: int, size: int) -> list[Range]:
    """List the ranges whose roots prove that a leaf is in a tree, from the leaf up (2.1.3.1).

    Args:
        index: Of the leaf, from 0.
        size: Of the tree, above the index.
    """
    assert 0 <= index < size, "the leaf is in the tree"
    path, start, end = [], 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((start, middle))
            start = middle
    return path[::-1]


def consistency(first: int, second: int) -> list[Range]:
    """List the ranges whose roots prove that a tree began as a smaller one (2.1.4.1).

    Args:
        first: Size of the smaller tree, from 1.
        second: Size of the larger one; none are needed if it is the same.
    """
    assert 0 < first <= second, "the larger tree is second"
    path, start, end, known = [], 0, second, True
    while first < end:
        middle = start + _split(end - start)
        if first <= middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((start, middle))
            start, known = middle, False
    # Otherwise what is left is the smaller tree itself, whose root the verifier has.
    if not known:
        path.append((start, end))
    return path[::-1]


def _split(size: int) -> int:
    """Return the largest power of two below a size of at least 2."""
    return 1 << (size - 1).bit_length() - 1


def includes(root: bytes, size: int, leaf: bytes, index: int, proof: Sequence[bytes]) -> bool:
    """Return whether a proof shows that a leaf has its place in the tree of this root and size (2.1.3.2)."""
    if not 0 <= index < size:
        return False
    at, last, found = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            found = node(sibling, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node(found, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and found == root


def extends(first: int, first_root: bytes, second: int, second_root: bytes, proof: Sequence[bytes]) -> bool:
    """Return whether a proof shows that the second tree begins with all of the first (2.1.4.2)."""
    if not 0 < first <= second:
        return False
    if first == second:
        return not proof and first_root == second_root
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    if not path:
        return False
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = node(sibling, old), node(sibling, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = node(new, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and old == first_root and new == second_root
