"""Kept checkpoints, compared with the stream: what was signed once must be there for ever.

The root over the first events is computed from their bytes alone. So it does not matter how well a history was made to
fit together again, nor who signed it since: a fork, a cut tail and a rewritten one give another root, or none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from events import chain
from events.store import Entry
from projections.merkle import Frontier
from service.audit.proofs.checkpoints import Checkpoint
from service.audit.verify.report import Findings
from service.keys.notes import BadNote, Verifier, opened
from service.settings import OperatorError


class _Answer(msgspec.Struct):
    """The fields of the API's answers that hold a note: of a checkpoint, or of a proof."""

    note: str = ""
    checkpoint: str = ""


@dataclass(frozen=True, slots=True)
class Pin:
    """A checkpoint that was kept.

    Attributes:
        checkpoint: The checkpoint.
        signer: A known key that signed it.
    """

    checkpoint: Checkpoint
    signer: Verifier

    @classmethod
    def read(cls, path: Path, known: Sequence[Verifier]) -> "Pin":
        """Read a file that holds a signed note, or the API's answer with one in it.

        Raises:
            OperatorError: It cannot be read, is no checkpoint, or is not signed by a known key.
        """
        try:
            with path.open("rb") as file:
                text, signers = opened(_note(file.read(1 << 20)), known)
            return cls(Checkpoint.parse(text), signers[0])
        except OSError as error:
            raise OperatorError(f"{path} cannot be read ({error.strerror})") from None
        except (BadNote, msgspec.DecodeError, UnicodeError) as error:
            raise OperatorError(f"{path} is no checkpoint that can be relied on: {error}") from None


def _note(content: bytes) -> bytes:
    if not content.startswith(b"{"):
        return content
    answer = msgspec.json.decode(content, type=_Answer)
    return (answer.note or answer.checkpoint).encode()


class Pins:
    """Compares pins with the entries of one game, in the order of the stream.

    Args:
        game: Id of the game.
        pins: What was kept.
        findings: Where findings go.
    """

    def __init__(self, game: str, pins: Sequence[Pin], findings: Findings) -> None:
        self._game = game
        self._findings = findings
        self._pins = sorted(pins, key=lambda pin: pin.checkpoint.size)
        self._waiting = [pin.checkpoint for pin in self._pins if self._is_ours(pin.checkpoint)]
        self._frontier = Frontier()
        self._link = chain.genesis(game)

    def _is_ours(self, checkpoint: Checkpoint) -> bool:
        if checkpoint.game != self._game:
            self._findings.add(0, "pinned", f"a checkpoint of game {self._game}", f"one of game {checkpoint.game}")
        return checkpoint.game == self._game

    def take(self, entry: Entry) -> None:
        """Take the next entry; its stored link is not used."""
        if not self._waiting:
            return
        self._frontier.append(chain.leaf(entry.data))
        self._link = chain.link(self._link, entry.data)
        while self._waiting and self._waiting[0].size == self._frontier.size:
            self._compare(self._waiting.pop(0))

    def _compare(self, kept: Checkpoint) -> None:
        pairs: list[tuple[str, object, object]] = [("a tree of root", kept.root.hex(), self._frontier.root().hex())]
        if kept.head:
            pairs.append(("a chain link", kept.head.hex(), self._link.hex()))
        self._findings.compare(kept.size, "pinned", pairs)

    def end(self) -> None:
        """Check that the stream is as long as the kept checkpoints say."""
        for kept in self._waiting:
            found = f"a stream that ends at {self._frontier.size}"
            self._findings.add(kept.size, "pinned", f"event {kept.size}, as it was signed", found)

    def sentences(self) -> list[str]:
        """List sentences about what was checked."""
        return [
            f"pinned: the history up to event {pin.checkpoint.size:,} was compared with what key {pin.signer.id.hex()}"
            " signed"
            for pin in self._pins
        ]
