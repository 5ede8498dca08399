"""A second Merkle tree, written from the definitions of RFC 9162 alone: slow, recursive, and with nothing of ours.

A verifier here rebuilds the root as the tree is defined, from the top down, where ours walks from the leaf up.
"""

from collections.abc import Sequence
from hashlib import sha256


def split(size: int) -> int:
    """The largest power of two smaller than a size."""
    power = 1
    while power * 2 < size:
        power *= 2
    return power


def over(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def tree_hash(leaves: Sequence[bytes]) -> bytes:
    """MTH over leaf hashes (2.1.1)."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return over(tree_hash(leaves[:k]), tree_hash(leaves[k:]))


def is_included(root: bytes, size: int, leaf: bytes, index: int, proof: Sequence[bytes]) -> bool:
    """The path, taken from its end, leads down from the root to the leaf."""
    rest = list(proof)

    def rebuilt(index: int, size: int) -> bytes:
        if size == 1:
            return leaf
        k, sibling = split(size), rest.pop()
        if index < k:
            return over(rebuilt(index, k), sibling)
        return over(sibling, rebuilt(index - k, size - k))

    try:
        return rebuilt(index, size) == root and not rest
    except IndexError:
        return False


def is_consistent(first: int, first_root: bytes, second: int, second_root: bytes, proof: Sequence[bytes]) -> bool:
    """The proof, taken from its end, rebuilds both roots at once."""
    rest = list(proof)

    def rebuilt(first: int, second: int, whole: bool) -> tuple[bytes, bytes]:
        if first == second:
            one = first_root if whole else rest.pop()
            return one, one
        k, other = split(second), rest.pop()
        if first <= k:
            old, new = rebuilt(first, k, whole)
            return old, over(new, other)
        old, new = rebuilt(first - k, second - k, whole=False)
        return over(other, old), over(other, new)

    try:
        return rebuilt(first, second, whole=True) == (first_root, second_root) and not rest
    except IndexError:
        return False
