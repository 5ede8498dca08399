"""Checkpoints that somebody kept, or that a bundle brings: what a history must be at their sizes.

A note is believed as far as its signature goes. Without a key to check it by, what it says is compared all the same,
and the report says that nobody vouches for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from service.checkpoints import Checkpoint
from service.notes import BadNote, Verifier, opened
from service.verify.report import Findings


@dataclass(frozen=True, slots=True)
class Pinned:
    """A note and where it is from.

    Attributes:
        note: The signed note, as it was kept.
        source: Where it is from, in a word or two.
        whole: It is of the whole history, and not of a beginning.
    """

    note: bytes
    source: str
    whole: bool = False


class Pins:
    """Checkpoints that a history is compared with as it is read.

    Args:
        game: Id of the game.
        pinned: The notes.
        keys: Verifier keys that are trusted; with none, no signature is checked.
        findings: Where findings go.
    """

    def __init__(self, game: str, pinned: Sequence[Pinned], keys: Sequence[Verifier], findings: Findings) -> None:
        self._findings = findings
        self._keys = keys
        self._sizes: dict[int, list[tuple[str, Checkpoint]]] = {}
        self._wholes: list[tuple[str, int]] = []
        self._compared = 0
        self._read = 0
        for pin in pinned:
            self._take(game, pin)

    def _take(self, game: str, pin: Pinned) -> None:
        try:
            if self._keys:
                text, _ = opened(pin.note, self._keys)
            else:
                text = pin.note.decode().rpartition("\n\n")[0] + "\n"
            checkpoint = Checkpoint.parse(text)
        except (BadNote, UnicodeDecodeError) as error:
            self._findings.add(0, "checkpoint", f"a signed checkpoint in {pin.source}", str(error))
            return
        self._read += 1
        if checkpoint.game != game:
            self._findings.add(0, "checkpoint", f"{pin.source} of game {game}", f"one of game {checkpoint.game}")
            return
        if pin.whole:
            self._wholes.append((pin.source, checkpoint.size))
        self._sizes.setdefault(checkpoint.size, []).append((pin.source, checkpoint))

    @property
    def sizes(self) -> frozenset[int]:
        """Give the sizes that a root is wanted at."""
        return frozenset(self._sizes)

    def compare(self, size: int, root: bytes, link: bytes) -> None:
        """Compare the history at a size with what was signed for it."""
        for source, checkpoint in self._sizes.pop(size, ()):
            self._compared += 1
            pairs: list[tuple[str, object, object]] = [
                (f"the root in {source},", checkpoint.root.hex(), root.hex()),
                (f"the head in {source},", checkpoint.head.hex() or link.hex(), link.hex()),
            ]
            self._findings.compare(size, "checkpoint", pairs)

    def end(self, version: int) -> None:
        """Find that the history ends before something that was signed, or goes on behind what is said to be all."""
        for source, size in self._wholes:
            if size < version:
                self._findings.add(
                    version, "checkpoint", f"no more than the {size:,} events of {source}", f"{version:,}"
                )
        for size, found in sorted(self._sizes.items()):
            for source, _ in found:
                self._findings.add(version, "checkpoint", f"the {size:,} events of {source}", f"{version:,}")

    def checked(self) -> str:
        """Say what was checked; empty for nothing."""
        signed = "each signed by a key that is trusted" if self._keys else "of what they say, not of who says it"
        return (
            f"checkpoints: {self._compared:,} compared with root and head at their sizes, {signed}"
            if self._read
            else ""
        )

    def unchecked(self) -> str:
        """Say what was not, and why; empty when all was."""
        if not self._read:
            return "checkpoints: none was given, so a history that was made anew from some event on is not found by one"
        return "" if self._keys else "checkpoints: no signature was checked, since no verifier key was given"
