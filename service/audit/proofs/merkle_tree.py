"""The trees of games, at a bounded cost a request however long the game is.

A game is cut into blocks of 1,024 events, which are full subtrees. Of each full block the root and the chain link at
its end are kept: in this process, and by a job in the store. So a root or a proof takes the hashes that are kept and
one or two blocks, read and hashed again, link by link. Blocks that are not kept are read one by one, and in between
other requests get their turn. A block whose bytes, links or root do not fit is refused.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from events import chain
from events.store import Keyframe, Keyframes, Streams
from projections import merkle
from projections.merkle import Range
from projections.replay import BrokenChain

BLOCK = 1_024
"""Events of a block: a power of two, so that it is a subtree; what is hashed between two reads, some milliseconds."""

SPAN = 8 * BLOCK
"""The hashes of blocks are kept in the store every so many events."""

MOST_CACHED = 1_000
NAME = "tree"
FORMAT = "rfc9162-1024"
"""Stands for the fingerprint of the code: what is kept depends on nothing but this form."""

_HASH = 32


@dataclass(frozen=True, slots=True)
class Blocks:
    """The full blocks of a game that are known, from the first on; replaced by more, never changed in place.

    Attributes:
        roots: Root of each.
        links: Chain link at the end of each.
    """

    roots: tuple[bytes, ...] = ()
    links: tuple[bytes, ...] = ()

    def link_before(self, game: str, block: int) -> bytes:
        """Return the chain link that a block's first entry continues."""
        return self.links[block - 1] if block else chain.genesis(game)

    def pack(self) -> bytes:
        """Write them for the store."""
        return b"".join(self.roots) + b"".join(self.links)

    @classmethod
    def unpack(cls, blob: bytes) -> "Blocks":
        """Read them back."""
        hashes = [blob[start : start + _HASH] for start in range(0, len(blob), _HASH)]
        return cls(tuple(hashes[: len(hashes) // 2]), tuple(hashes[len(hashes) // 2 :]))


@dataclass(slots=True)
class Tree:
    """A game's tree at a size: roots of the ranges that proofs are made of.

    Attributes:
        size: Of the tree.
        root: Its root.
        head: Chain link of its last event.
    """

    size: int
    root: bytes
    head: bytes
    _blocks: Blocks
    _leaves: dict[int, list[bytes]]

    def of(self, ranges: Iterable[Range]) -> list[bytes]:
        """Return the roots of ranges as `merkle` lists them."""
        return [self._root(start, end) for start, end in ranges]

    def leaf(self, index: int) -> bytes:
        """Return a leaf's hash, of a block that was read."""
        return self._leaves[index // BLOCK][index % BLOCK]

    def root_at(self, size: int) -> bytes:
        """Return the root at a smaller size, whose last block was read."""
        return self._root(0, size)

    def _root(self, start: int, end: int) -> bytes:
        first, last = start // BLOCK, end // BLOCK
        if first == last:
            return merkle.root(self._leaves[first][start % BLOCK : end % BLOCK])
        if end - start < BLOCK:  # ends with its block
            return merkle.root(self._leaves[first][start % BLOCK :])
        rest = self._leaves[last][: end % BLOCK] if end % BLOCK else []
        return merkle.root([*self._blocks.roots[first:last], *([merkle.root(rest)] if rest else [])])


class Trees:
    """Makes trees from the streams.

    Args:
        streams: Of the store.
        keyframes: Where hashes of blocks are kept; caches only.
    """

    def __init__(self, streams: Streams, keyframes: Keyframes) -> None:
        self._streams = streams
        self._keyframes = keyframes
        self._known: OrderedDict[str, Blocks] = OrderedDict()

    def at(self, game: str, size: int, *, also: Sequence[int] = ()) -> Tree:
        """Return a game's tree at a size that the stream has.

        Args:
            game: Its id.
            size: From 1.
            also: Indexes below the size whose blocks are read too, so that proofs about them can be made.

        Raises:
            BrokenChain: The stream does not fit its chain, or is shorter.
            StreamDamaged: A version is missing.
        """
        try:
            return self._made(game, size, also)
        except BrokenChain:
            # What is kept may be of events that the store has lost, when the operator has accepted the loss since.
            if not self._forget(game):
                raise
            return self._made(game, size, also)

    def save(self, game: str) -> int:
        """Keep the hashes of blocks in the store where they are missing; return how many times it was done."""
        head = self._streams.head(game)
        last = head.version if head else 0
        newest = self._frame(game, last)
        missing = range((newest.version if newest else 0) + SPAN, last + 1, SPAN)
        for version in missing:
            blocks = self._up_to(game, version // BLOCK)
            link, blob = blocks.links[-1], blocks.pack()
            self._keyframes.save(game, NAME, fingerprint=FORMAT, version=version, link=link, blob=blob)
        return len(missing)

    def _made(self, game: str, size: int, also: Sequence[int]) -> Tree:
        blocks = self._up_to(game, size // BLOCK)
        tail = (size - 1) // BLOCK
        leaves, head = self._read(game, tail, size, blocks.link_before(game, tail))
        read = {tail: leaves}
        for block in {index // BLOCK for index in also} - {tail}:
            read[block], _ = self._read(game, block, (block + 1) * BLOCK, blocks.link_before(game, block))
        for block, found in read.items():
            if block < len(blocks.roots) and merkle.root(found) != blocks.roots[block]:
                raise BrokenChain((block + 1) * BLOCK)
        return Tree(size, merkle.root([*blocks.roots[:tail], merkle.root(leaves)]), head, blocks, read)

    def _up_to(self, game: str, count: int) -> Blocks:
        """Return the first full blocks of a game: those that are known, and the next ones, read now."""
        known = self._known.get(game, Blocks())
        if len(known.roots) < count:
            known = max(known, self._kept(game, count), key=lambda blocks: len(blocks.roots))
        roots, links = list(known.roots), list(known.links)
        previous = known.link_before(game, len(roots))
        for block in range(len(roots), count):
            leaves, previous = self._read(game, block, (block + 1) * BLOCK, previous)
            roots.append(merkle.root(leaves))
            links.append(previous)
        self._keep(game, Blocks(tuple(roots), tuple(links)))
        return Blocks(tuple(roots[:count]), tuple(links[:count]))

    def _read(self, game: str, block: int, end: int, previous: bytes) -> tuple[list[bytes], bytes]:
        """Read a block up to a version; return its leaves, and the link at the end as it follows from the bytes."""
        after = block * BLOCK
        entries = self._streams.read(game, after=after, upto=end, count=BLOCK)
        stored = [entry.data for entry in entries]
        links = chain.links(previous, stored)
        good = sum(1 for _ in takewhile(lambda pair: pair[0].link == pair[1], zip(entries, links, strict=True)))
        if good < end - after:
            raise BrokenChain(after + good + 1)
        return [chain.leaf(data) for data in stored], links[-1]

    def _kept(self, game: str, count: int) -> Blocks:
        frame = self._frame(game, count * BLOCK)
        return Blocks.unpack(frame.blob) if frame else Blocks()

    def _frame(self, game: str, at: int) -> Keyframe | None:
        """Return the hashes that the store keeps at or before a version, if they are of the stream as it is now."""
        frame = self._keyframes.nearest(game, NAME, fingerprint=FORMAT, at=at)
        fits = frame is not None and self._streams.links_at([(game, frame.version)]) == [frame.link]
        return frame if fits else None

    def _keep(self, game: str, blocks: Blocks) -> None:
        known = self._known.get(game)
        if known is None or len(known.roots) < len(blocks.roots):
            self._known[game] = blocks
        self._known.move_to_end(game)
        if len(self._known) > MOST_CACHED:
            self._known.popitem(last=False)

    def _forget(self, game: str) -> bool:
        """Drop what this process knows of a game; return whether that was anything."""
        return bool(self._known.pop(game, Blocks()).roots)
