"""The ledger as files that accountants' tools read: Beancount, hledger, CSV and JSON.

Each format is a function from what is exported to the pieces of a file, in order: nothing is held but the accounts, so
a long game needs no more memory than a short one. What people typed in is in the files as names alone, and never breaks
a line (`text`). Not here: whether the books are right; the tools say it, and `projections.ledger.check`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from service.ledger.exports import beancount, document, hledger, sheet
from service.ledger.exports.source import Source, together


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file.

    Attributes:
        media_type: Of an answer.
        extension: Of a file's name, without the dot.
        write: Gives a file of some games in pieces; the last one ends with a newline.
    """

    media_type: str
    extension: str
    write: Callable[[Sequence[Source]], Iterator[str]]

    def pieces(self, *sources: Source, many: bool = False) -> Iterator[bytes]:
        """Write a file in UTF-8, a few kilobytes at a time: of one game, or in the form for many."""
        held: list[str] = []
        size = 0
        for piece in self.write(together(sources) if many else sources):
            held.append(piece)
            size += len(piece)
            if size >= PIECE:
                yield "".join(held).encode("utf-8", "replace")
                held, size = [], 0
        yield "".join(held).encode("utf-8", "replace")


PIECE = 16_384
PLAIN = "text/plain"

FORMATS: Mapping[str, Format] = {
    "beancount": Format(PLAIN, "beancount", beancount.write),
    "hledger": Format(PLAIN, "journal", hledger.write),
    "csv": Format("text/csv", "csv", sheet.write),
    "json": Format("application/json", "json", document.write),
}
