"""CSV (RFC 4180): a row for each posting, and one for each debt that was forgiven."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from projections.ledger.chart import LedgerEntry, Posting
from service.ledger.exports.source import Source
from service.ledger.exports.text import details, line, parts

COLUMNS = (
    "version", "turn", "step", "at", "actor", "action", "kind", "reason", "rule", "ref", "breakdown", "custodian",
    "account", "against", "debit", "credit", "balance", "forgiven",
)  # fmt: skip


def write(sources: Sequence[Source]) -> Iterator[str]:
    """Yield the file, entry by entry; of several games the first column is the game."""
    yield _rows([(*(["game"] if sources[0].root else []), *COLUMNS)])
    for source in sources:
        yield from _game(source)


def _game(source: Source) -> Iterator[str]:
    game = (source.game,) if source.root else ()
    for entry in source.entries():
        common = (*game, *_facts(entry))
        if entry.postings:
            yield _rows([(*common, *_legs(entry, posting)) for posting in entry.postings])
        else:
            yield _rows([(*common, cell(entry.credited), cell(entry.debited), 0, 0, "", entry.amount)])


def cell(text: str) -> str:
    """Write a text that no spreadsheet takes for a formula."""
    plain = line(text)
    return f"'{plain}" if plain.startswith(("=", "+", "-", "@")) else plain


def _facts(entry: LedgerEntry) -> tuple[str | int, ...]:
    *before, custodian = (cell(value) if isinstance(value, str) else value for value in details(entry).values())
    return (*before, "; ".join(map(cell, parts(entry))), custodian)


def _legs(entry: LedgerEntry, posting: Posting) -> tuple[str | int, ...]:
    against = entry.debited if posting.account == entry.credited else entry.credited
    debit, credit = max(posting.amount, 0), max(-posting.amount, 0)
    return cell(posting.account), cell(against), debit, credit, posting.balance, 0


def _rows(rows: list[tuple[str | int, ...]]) -> str:
    held = StringIO()
    csv.writer(held).writerows(rows)
    return held.getvalue()
