"""hledger: every account declared, every leg with its amount and the balance that it leaves.

hledger checks a balance on a posting in order of date, and of lines within a day: the order of the game. The file ends
with an entry of zeros that asserts every balance, so that a file that lost the entries before it is refused, too.

The details of an entry stand above its postings as tags, one a line: there hledger reads no dates out of comments.
"""

from collections.abc import Iterator, Sequence

from projections.ledger.chart import LedgerEntry
from service.ledger.exports.accounts import COMMODITY, owner, tool_name
from service.ledger.exports.source import Source, by_day, title
from service.ledger.exports.text import day_of, details, line, parts, written


def write(sources: Sequence[Source]) -> Iterator[str]:
    """Yield the file, entry by entry."""
    yield _head(sources)
    yield from by_day(sources, _dated)


def _dated(source: Source) -> Iterator[tuple[int, str]]:
    today = day_of(source.opened)
    for entry in source.entries():
        today = max(today, day_of(entry.at))
        yield today, _entry(source, entry, written(today))
    last = max(today, day_of(source.closed))
    yield last, _closing(source, written(last))


def described(text: str) -> str:
    """Write a text as a description or a tag's value: nothing in it begins a comment, a payee or another tag."""
    return line(text).translate(_MARKS)


_MARKS = str.maketrans({",": " ", ";": " ", "|": "/", "[": "(", "]": ")"})


def _head(sources: Sequence[Source]) -> str:
    lines = [f"; {line(title(sources))}", "; Play money in whole dollars.", "", f"commodity 1000. {COMMODITY}", ""]
    for source in sources:
        for account in sorted(source.balances):
            name = owner(source, account)
            lines += [f"; {line(account)} {name}".rstrip(), f"account {tool_name(account, source.root)}"]
    return "\n".join(lines) + "\n"


def _entry(source: Source, entry: LedgerEntry, day: str) -> str:
    lines = ["", f"{day} * (v{entry.version}) {described(entry.reason)}".rstrip()]
    lines += [f"    ; {name}: {value}" for name, value in _tags(source, entry)]
    if not entry.postings:
        who = f"{described(entry.credited)} owed {described(entry.debited)} {entry.amount} {COMMODITY}"
        lines.append(f"    ; forgiven: {who}")
    lines += [
        f"    {tool_name(posting.account, source.root)}  {posting.amount} {COMMODITY} = {posting.balance} {COMMODITY}"
        for posting in entry.postings
    ]
    return "\n".join(lines) + "\n"


def _tags(source: Source, entry: LedgerEntry) -> Iterator[tuple[str, str]]:
    if source.root:
        yield "game", source.game
    # The reason is the description already, and an empty reference is left out.
    for name, value in details(entry).items():
        if name != "reason" and (name != "ref" or value):
            yield name, described(value) if isinstance(value, str) else f"{value}"
    for number, part in enumerate(parts(entry), start=1):
        yield f"part-{number}", described(part)


def _closing(source: Source, day: str) -> str:
    lines = [
        f"    {tool_name(account, source.root)}  0 {COMMODITY} = {balance} {COMMODITY}"
        for account, balance in sorted(source.balances.items())
    ]
    return "\n".join(["", f"{day} * balances at version {source.version}", *lines]) + "\n"
