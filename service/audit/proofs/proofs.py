"""Checkpoints and proofs of games, for callers who may read them.

Only what fits the chain and has every event that this machine acknowledged is signed. A game that lost events is
not signed for until the operator has accepted the loss; even then its players' checkpoints show it.
"""

from dataclasses import dataclass

from events.store import StreamDamaged
from projections import merkle
from projections.replay import BrokenChain
from service.audit.proofs.checkpoints import Checkpoint
from service.audit.proofs.event_proof import EventProof, prove
from service.audit.proofs.merkle_tree import Tree, Trees
from service.errors import NoSuchVersion
from service.games.games import Games
from service.games.loading import damaged
from service.games.records import RequestContext
from service.keys.signing import KeyRing


@dataclass(frozen=True, slots=True)
class Signed:
    """A checkpoint and its signed note."""

    checkpoint: Checkpoint
    note: str


@dataclass(frozen=True, slots=True)
class Consistency:
    """A proof that a game at one size is the beginning of the game at a larger one.

    Attributes:
        signed: The game at the larger size.
        root: Root at the smaller one.
        proof: Hashes that lead from one root to the other.
    """

    signed: Signed
    root: bytes
    proof: list[bytes]


class Proofs:
    """Makes checkpoints and proofs.

    Args:
        games: Knows who may read what.
        trees: The trees of the games.
        keys: The key that signs, and those that did before.
    """

    def __init__(self, games: Games, trees: Trees, keys: KeyRing) -> None:
        self.keys = keys
        self._games = games
        self._trees = trees

    def checkpoint(self, game: str, ask: RequestContext, *, size: int | None = None) -> Signed:
        """Sign for a game at a size; the newest for None.

        Raises:
            NoSuchGame, Unauthorized: As `Games.watch`.
            NoSuchVersion: The game has not come so far.
            Frozen: Its history cannot be trusted.
        """
        return self._signed(game, self._tree(game, ask, size))

    def inclusion(self, game: str, ask: RequestContext, *, version: int, size: int | None = None) -> EventProof:
        """Prove that an event is in a game of a size.

        Raises:
            NoSuchVersion: The event is not below that size, or the game has not come so far.
            NoSuchGame, Unauthorized, Frozen: As `checkpoint`.
        """
        tree = self._tree(game, ask, size, also=version)
        (entry,) = self._games.store.streams.read(game, after=version - 1, upto=version, count=1)
        return prove(game, tree, version, entry.data, self.keys.signer)

    def consistency(self, game: str, ask: RequestContext, *, first: int, second: int | None = None) -> Consistency:
        """Prove that a game of one size is the beginning of it at another.

        Raises:
            NoSuchVersion: The first is above the second, or the game has not come so far.
            NoSuchGame, Unauthorized, Frozen: As `checkpoint`.
        """
        tree = self._tree(game, ask, second, also=first)
        root, proof = tree.root_at(first), tree.of(merkle.consistency(first, tree.size))
        assert merkle.extends(first, root, tree.size, tree.root, proof), "a proof proves"
        return Consistency(self._signed(game, tree), root, proof)

    def _tree(self, game: str, ask: RequestContext, size: int | None, *, also: int | None = None) -> Tree:
        """Return the tree at a size, with the block of one more version."""
        found = self._games.enter(game, ask)
        self._games.guard.check_to_sign(game)
        if loaded := self._games.loader.cached(game):
            self._games.loader.up_to_noted(loaded)
        size = found.version if size is None else size
        if size > found.version:
            raise NoSuchVersion(f"Game {game} has no version {size}.")
        if also is not None and also > size:
            raise NoSuchVersion(f"Game {game} at size {size} has no version {also}.")
        try:
            tree = self._trees.at(game, size, also=[] if also is None else [also - 1])
            if size == found.version and tree.head != found.link:
                raise BrokenChain(size)  # the chain holds, and is not the one that was played on
        except (BrokenChain, StreamDamaged) as error:
            raise damaged(game, error) from error
        return tree

    def _signed(self, game: str, tree: Tree) -> Signed:
        checkpoint = Checkpoint(game, tree.size, tree.root, tree.head)
        return Signed(checkpoint, self.keys.signer.sign(checkpoint.text))
