"""Checkpoints: the text of a signed note about a game, in the form of C2SP's tlog-checkpoint.

    rollbook/<game>                  origin: which game
    217                              size: events so far, which is the newest version
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
    head 5f0c…                       chain link of the newest of them, in hex

The third line is the root of the tree (`projections.merkle`). The fourth, an extension line, binds the head hash that
every answer carries to what is signed: a kept `Rollbook-Head` can be compared with a checkpoint.
"""

import re
from base64 import b64decode, b64encode
from dataclasses import dataclass

from service.keys.notes import BadNote

ORIGIN = "rollbook/"
_TEXT = re.compile(
    r"rollbook/([0-9a-z]{1,40})\n(0|[1-9][0-9]{0,15})\n([0-9A-Za-z+/]{43}=)\n(?:head ([0-9a-f]{64})\n)?(?:[^\n]+\n)*"
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A game as it was at a size.

    Attributes:
        game: Its id.
        size: Number of its events, from 1.
        root: Root of the tree over them.
        head: Chain link of the last one; empty in a checkpoint without that line.
    """

    game: str
    size: int
    root: bytes
    head: bytes

    @property
    def text(self) -> str:
        """Write what is signed."""
        return f"{ORIGIN}{self.game}\n{self.size}\n{b64encode(self.root).decode()}\nhead {self.head.hex()}\n"

    @classmethod
    def parse(cls, text: str) -> "Checkpoint":
        """Read the text of a note that was opened.

        Raises:
            BadNote: It is no checkpoint of a game.
        """
        found = _TEXT.fullmatch(text)
        if found is None:
            raise BadNote("its text is no checkpoint of a game of Rollbook")
        return cls(found[1], int(found[2]), b64decode(found[3]), bytes.fromhex(found[4] or ""))
